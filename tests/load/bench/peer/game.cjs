// The smallest game with cards: hands are secret, a move plays one card and draws another. One seat, so that each move
// is told to one client only, which favours the server.
const { PlayerView } = require("boardgame.io/core");

const HAND = 7;

module.exports = {
  name: "cards",
  minPlayers: 1,
  maxPlayers: 1,
  setup: () => {
    const cards = Array.from({ length: 52 }, (_, card) => card);
    return { secret: { stock: cards.slice(HAND) }, players: { 0: cards.slice(0, HAND) }, discards: [] };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false, // only the server knows the stock
      move: ({ G, playerID }, place) => {
        const hand = G.players[playerID];
        G.discards.push(...hand.splice(place, 1));
        hand.push(G.secret.stock.shift());
        if (G.secret.stock.length === 0) G.secret.stock = G.discards.splice(0, G.discards.length - 1);
      },
    },
  },
};
