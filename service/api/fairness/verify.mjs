/**
 * Checks the shuffle of finished deals of Pis Yedili, in a browser or with Node 18 or newer, without dependencies:
 *
 *     node verify.mjs FILE…
 *
 * Written from the description at /docs/fairness and from nothing else. It checks the form of a proof, the seeds, the
 * first dealer, the pack, the hands dealt, the digest, and of each reshuffle that was told its pile and its stock; of
 * several deals of a match, that they belong together. It does not play: whether every move was legal, when a reshuffle
 * was due, whether one was left out, the hands left and the result it does not know. It does not judge the options that
 * it does not need. And it sees what JSON.parse gives: no name that stands twice in an object, and 1.0 as 1. For all of
 * that there is `python -m service.verify`.
 */

const DERIVATION = "pis-yedili/1";
const SUITS = ["C", "D", "H", "S"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const NEW_PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

const { subtle } = globalThis.crypto ?? (await import("node:crypto")).webcrypto;
if (!subtle) throw new Error("WebCrypto is only there on a page that came by HTTPS or from this machine");

const utf8 = new TextEncoder();

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const sha256 = async (bytes) => new Uint8Array(await subtle.digest("SHA-256", bytes));

/** Hashes a seed so many times: the member of the chain that stands so many places before it. */
export async function hashedDown(seed, times) {
  for (let time = 0; time < times; time++) seed = await sha256(seed);
  return seed;
}

/** An integer as 4 bytes, big-endian. */
export function number(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** A text as the number of its UTF-8 bytes, and these bytes. */
export function text(value) {
  const bytes = utf8.encode(value);
  return joined([number(bytes.length), bytes]);
}

function joined(parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/**
 * The message of block `counter`.
 *
 * `source` is where the random numbers of a deal come from: `{seed, matchId, deal, clientSeeds}`, the seed as bytes.
 */
export function message(source, purpose, counter) {
  const { matchId, deal, clientSeeds } = source;
  return joined([
    ...[DERIVATION, purpose, matchId].map(text),
    number(deal),
    number(clientSeeds.length),
    ...clientSeeds.map(text),
    number(counter),
  ]);
}

/** The blocks of 32 bytes for a purpose, without end. */
export async function* blocks(source, purpose) {
  const key = await subtle.importKey("raw", source.seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let counter = 0; ; counter++) {
    yield new Uint8Array(await subtle.sign("HMAC", key, message(source, purpose, counter)));
  }
}

/** The 32-bit words of the blocks. */
export async function* words(source, purpose) {
  for await (const block of blocks(source, purpose)) {
    const view = new DataView(block.buffer);
    for (let offset = 0; offset < block.length; offset += 4) yield view.getUint32(offset);
  }
}

/** The next number below `bound`: words that would favour some numbers are dropped. */
export async function below(stream, bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value: word } = await stream.next();
    if (word < limit) return word % bound;
  }
}

async function shuffled(source, purpose, cards) {
  const order = [...cards];
  const stream = words(source, purpose);
  for (let place = order.length - 1; place > 0; place--) {
    const other = await below(stream, place + 1);
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}

/** The seat that deals the first deal; `source` is that of deal 1. */
export const firstDealer = (source) => below(words(source, "first_dealer"), source.clientSeeds.length);

/** So many packs, shuffled; the first card is dealt first. */
export const pack = (source, decks) => shuffled(source, "pack", Array(decks).fill(NEW_PACK).flat());

/** The stock that reshuffle `which` (from 1) of the deal makes of a pile, bottom first. */
export const reshuffled = (source, which, pile) => shuffled(source, `reshuffle/${which}`, pile);

/** The hands that a shuffled pack gives, one card at a time from the dealer's left; each sorted by suit and rank. */
export function dealt(cards, seats, handSize, dealer) {
  const hands = Array.from({ length: seats }, () => []);
  for (let place = 0; place < seats * handSize; place++) hands[(dealer + 1 + place) % seats].push(cards[place]);
  return hands.map((hand) => hand.sort((one, other) => NEW_PACK.indexOf(one) - NEW_PACK.indexOf(other)));
}

/** Canonical JSON (RFC 8785). */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** The SHA-256, in hexadecimal, of all members but the digest. */
export async function digest({ digest: _, ...members }) {
  return toHex(await sha256(utf8.encode(canonical(members))));
}

class Fault extends Error {
  constructor(pointer, detail) {
    super(detail);
    this.pointer = pointer;
  }
}

function requireSame(pointer, expected, found) {
  if (Array.isArray(expected) && Array.isArray(found)) {
    const entries = Math.max(expected.length, found.length);
    for (let place = 0; place < entries; place++) requireSame(`${pointer}/${place}`, expected[place], found[place]);
  } else if (expected !== found) {
    throw new Fault(pointer, `expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
  }
}

const isWhole = (least, most) => (value) => Number.isInteger(value) && least <= value && value <= most;
const isOneOf = (...values) => (value) => values.includes(value);
const isDigest = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isText = (value) => typeof value === "string" && !/\p{Surrogate}/u.test(value);
const isTextUpTo = (most) => (value) => isText(value) && [...value].length <= most;
const isCard = isOneOf(...NEW_PACK);
const isList = (isEntry, least = 0) => (value) => Array.isArray(value) && value.length >= least && value.every(isEntry);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isSeat = isWhole(0, 9);
const isOption = (name, value) => value === null || ["string", "number", "boolean"].includes(typeof value);

/** Whether a value is an object with these members, each of its form, and of others only those that may be there. */
const hasForm = (forms, mayHave = () => false) => (value) =>
  isObject(value) &&
  Object.entries(forms).every(([name, holds]) => Object.hasOwn(value, name) && holds(value[name])) &&
  Object.entries(value).every(([name, member]) => Object.hasOwn(forms, name) || mayHave(name, member));

const MOVE = { seat: isSeat, by: isOneOf("player", "bot", "clock") };
const PLAY = hasForm(
  { ...MOVE, type: isOneOf("play"), card: isCard },
  (name, value) => (name === "suit" && SUITS.includes(value)) || (name === "call" && value === "tek"),
);
const DRAW_OR_PASS = hasForm({ ...MOVE, type: isOneOf("draw", "pass") });
const RULES = {
  preset: isText,
  overridden: isList(isText),
  decks: isWhole(1, 4),
  hand_size: isWhole(3, 13),
  stock_out: isOneOf("deal_ends", "reshuffle"),
  deals: isWhole(1, 20),
};

const FORMS = {
  match_id: (value) => value !== "" && isTextUpTo(100)(value),
  number: isWhole(1, 20),
  seats: isWhole(2, 10),
  rules: hasForm(RULES, isOption),
  reason: isOneOf("went_out", "stock_out", "abandoned"),
  winners: isList(isSeat),
  multiplier: isWhole(1, 3),
  points: isList(isWhole(0, 2 ** 31)),
  final_card: isOneOf(null, ...NEW_PACK),
  hands: isList(isList(isCard)),
  derivation: isText,
  commitment: isDigest,
  seed_commitment: isDigest,
  seed: isDigest,
  client_seeds: isList(isTextUpTo(64)),
  dealer_seat: isSeat,
  pack: isList(isCard),
  hands_dealt: isList(isList(isCard)),
  moves: isList((move) => PLAY(move) || DRAW_OR_PASS(move)),
  reshuffles: isList(hasForm({ pile: isList(isCard, 1), stock: isList(isCard, 1) })),
  digest: isDigest,
};
const MAY_BE_THERE = { first_dealer: isSeat };

function sourceOf(document) {
  const { seed, match_id: matchId, number: deal, client_seeds: clientSeeds } = document;
  return { seed: fromHex(seed), matchId, deal, clientSeeds };
}

const CHECKS = {
  shape(document) {
    if (!isObject(document)) throw new Fault("", "this is no proof");
    for (const [name, holds] of Object.entries(FORMS)) {
      if (!Object.hasOwn(document, name)) throw new Fault(`/${name}`, "missing");
      if (!holds(document[name])) throw new Fault(`/${name}`, "not of its form");
    }
    for (const [name, value] of Object.entries(document)) {
      if (Object.hasOwn(FORMS, name)) continue;
      if (!Object.hasOwn(MAY_BE_THERE, name)) throw new Fault(`/${name}`, "unknown");
      if (!MAY_BE_THERE[name](value)) throw new Fault(`/${name}`, "not of its form");
    }
    const { number: deal, seats, rules, reshuffles, first_dealer: first = 0 } = document;
    if (first >= seats) throw new Fault("/first_dealer", "the table has no such seat");
    for (const name of ["points", "hands", "client_seeds", "hands_dealt"]) {
      if (document[name].length !== seats) throw new Fault(`/${name}`, "not one for each seat");
    }
    if (seats * rules.hand_size >= 52 * rules.decks) throw new Fault("/rules", "too few cards for the hands");
    if (deal > rules.deals) throw new Fault("/number", "the match has fewer deals");
    if (reshuffles.length && rules.stock_out !== "reshuffle") throw new Fault("/reshuffles", "the rules know none");
  },
  derivation(document) {
    requireSame("/derivation", DERIVATION, document.derivation);
  },
  async commitment(document) {
    const seed = fromHex(document.seed);
    requireSame("/seed_commitment", toHex(await hashedDown(seed, 1)), document.seed_commitment);
    requireSame("/commitment", toHex(await hashedDown(seed, document.number)), document.commitment);
  },
  async "first dealer"(document) {
    const { number, first_dealer: fixed } = document;
    const source = sourceOf(document);
    const first = fixed ?? (await firstDealer({ ...source, seed: await hashedDown(source.seed, number - 1), deal: 1 }));
    requireSame("/dealer_seat", (first + number - 1) % document.seats, document.dealer_seat);
  },
  async pack(document) {
    requireSame("/pack", await pack(sourceOf(document), document.rules.decks), document.pack);
  },
  "hands dealt"(document) {
    const { pack: cards, seats, rules, dealer_seat: dealer } = document;
    requireSame("/hands_dealt", dealt(cards, seats, rules.hand_size, dealer), document.hands_dealt);
  },
  async reshuffles(document) {
    // The piles, one after the other, are the cards played so far; the last of these stays on the table.
    const played = document.moves.filter((move) => move.type === "play").map((move) => move.card);
    let start = 0;
    for (const [place, { pile, stock }] of document.reshuffles.entries()) {
      const end = start + pile.length;
      requireSame(`/reshuffles/${place}/pile`, played.slice(start, Math.min(end, played.length - 1)), pile);
      const order = await reshuffled(sourceOf(document), place + 1, pile);
      requireSame(`/reshuffles/${place}/stock`, order, stock);
      start = end;
    }
  },
  async digest(document) {
    requireSame("/digest", await digest(document), document.digest);
  },
};

/** Checks a proof: `{passed, failure}`, where `failure` is null or the first fault, `{check, pointer, detail}`. */
export async function verify(document) {
  const passed = [];
  for (const [check, holds] of Object.entries(CHECKS)) {
    try {
      await holds(document);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return { passed, failure: { check, pointer: fault.pointer, detail: fault.message } };
    }
    passed.push(check);
  }
  return { passed, failure: null };
}

const IN_COMMON = ["seats", "rules", "commitment", "client_seeds", "first_dealer"];

/** Finds why fair proofs, of one match or of several, do not belong together: a text, or null if they do. */
export function apart(proofs) {
  const firsts = new Map();
  const deals = new Set();
  for (const proof of proofs) {
    const { match_id: id, number: deal } = proof;
    if (!firsts.has(id)) firsts.set(id, proof);
    const other = IN_COMMON.find((name) => canonical(proof[name]) !== canonical(firsts.get(id)[name]));
    if (other) return `match ${id}: deals ${firsts.get(id).number} and ${deal} have not the same ${other}`;
    if (deals.has(`${deal} ${id}`)) return `match ${id}: there are two proofs of deal ${deal}`;
    deals.add(`${deal} ${id}`);
  }
  return null;
}

/** Escapes what a terminal would obey or not show. */
const printable = (words) =>
  words.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0).toString(16)}}`);

const say = (words) => console.log(printable(words));

async function proofsIn(file) {
  const { readFile } = await import("node:fs/promises");
  const content = JSON.parse(await readFile(file, "utf8"));
  const documents = isObject(content) && Array.isArray(content.deals) ? content.deals : [content].flat();
  if (!documents.length || !documents.every(isObject)) throw new Error(`${file} holds no proof`);
  return documents;
}

async function main(files) {
  const documents = (await Promise.all(files.map(proofsIn))).flat();
  const fair = [];
  for (const document of documents) {
    const { passed, failure } = await verify(document);
    const told = (value) => (isText(value) ? value : JSON.stringify(value));
    say(`deal ${told(document.number)} of match ${told(document.match_id)}`);
    for (const check of passed) say(`  ✓ ${check}`);
    if (failure) say(`  ✗ ${failure.check}, at ${failure.pointer}: ${failure.detail}`);
    else fair.push(document);
  }
  const reason = apart(fair);
  if (reason) say(`  ✗ together, ${reason}`);
  const holds = fair.length === documents.length && !reason;
  say(holds ? "FAIR as far as the shuffle goes; the moves were not checked" : "NOT FAIR");
  return holds ? 0 : 1;
}

if (globalThis.process?.argv[1]) {
  const { realpath } = await import("node:fs/promises");
  const { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(await realpath(process.argv[1])).href) {
    try {
      if (process.argv.length < 3) throw new Error("usage: node verify.mjs FILE…");
      process.exitCode = await main(process.argv.slice(2));
    } catch (error) {
      console.error(printable(error.message));
      process.exitCode = 2;
    }
  }
}
