// Serves the game in memory: node server.cjs PORT
const { Server, Origins } = require("boardgame.io/server");

const server = Server({ games: [require("./game.cjs")], origins: [Origins.LOCALHOST] });
server.run(Number(process.argv[2]), () => console.log("ready"));
