// Plays the game with boardgame.io's own client: node client.cjs PORT MATCHES
// For each line of input, a number of seconds, it plays for so long and prints what it saw.
const readline = require("node:readline");
const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");

const game = require("./game.cjs");
const [port, matches] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const playerID = "0";

async function sit() {
  const lobby = new LobbyClient({ server });
  const { matchID } = await lobby.createMatch(game.name, { numPlayers: 1 });
  const { playerCredentials } = await lobby.joinMatch(game.name, matchID, { playerID, playerName: "Player 0" });
  const multiplayer = SocketIO({ server, socketOpts: { transports: ["websocket"] } });
  const client = Client({ game, multiplayer, matchID, playerID, credentials: playerCredentials, debug: false });
  await new Promise((connected) => {
    client.start();
    client.subscribe((state) => state && connected()); // there is none before the server has sent it
  });
  return client;
}

// Plays until the time is over; a move is done when the server's state with it has come.
function play(client, until, times) {
  return new Promise((done) => {
    let turn = client.getState().ctx.turn;
    let sent;
    const move = () => {
      sent = performance.now();
      client.moves.play(0);
    };
    const unsubscribe = client.subscribe((state) => {
      if (state === null || state.ctx.turn === turn) return;
      turn = state.ctx.turn;
      const now = performance.now();
      times.push(now - sent);
      if (now < until) return move();
      unsubscribe();
      done();
    });
    move();
  });
}

async function main() {
  const clients = await Promise.all(Array.from({ length: matches }, sit));
  console.log("ready");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const times = [];
    const began = performance.now();
    await Promise.all(clients.map((client) => play(client, began + Number(line) * 1000, times)));
    const seconds = (performance.now() - began) / 1000;
    times.sort((a, b) => a - b);
    const within = (share) => times[Math.floor(times.length * share)];
    console.log(JSON.stringify({ moves: times.length, rate: times.length / seconds, p50_ms: within(0.5), p99_ms: within(0.99) }));
  }
  process.exit();
}

main();
