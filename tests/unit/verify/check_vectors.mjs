/** Compares every published vector with what `verify.mjs` makes of it; gives the differences, as texts. */
export default async function differences(module, vectors) {
  const found = [];
  const compare = (what, expected, given) => {
    const [one, other] = [expected, given].map((value) => JSON.stringify(value));
    if (one !== other) found.push(`${what}: expected ${one}, got ${other}`);
  };
  for (const { members } of vectors.chains) {
    const last = module.fromHex(members.at(-1));
    for (const [index, member] of members.entries()) {
      const hashed = await module.hashedDown(last, members.length - 1 - index);
      compare(`member ${index} of a chain of ${members.length}`, member, module.toHex(hashed));
    }
  }
  for (const { words, below, number, words_left } of vectors.numbers) {
    const left = [...words];
    const stream = { next: async () => ({ value: left.shift() }) };
    compare(`a number below ${below}`, [number, words_left], [await module.below(stream, below), left.length]);
  }
  for (const shuffle of vectors.shuffles) {
    const { about, match_id: matchId, deal, client_seeds: clientSeeds } = shuffle;
    const source = { seed: module.fromHex(shuffle.seed), matchId, deal, clientSeeds };
    const [block, word] = [module.blocks(source, "pack"), module.words(source, "pack")];
    compare(`${about}, message`, shuffle.first_pack_message, module.toHex(module.message(source, "pack", 0)));
    compare(`${about}, block`, shuffle.first_pack_block, module.toHex((await block.next()).value));
    for (const expected of shuffle.first_pack_words) compare(`${about}, word`, expected, (await word.next()).value);
    compare(`${about}, seed_commitment`, shuffle.seed_commitment, module.toHex(await module.hashedDown(source.seed, 1)));
    compare(`${about}, first dealer`, shuffle.first_dealer, await module.firstDealer(source));
    compare(`${about}, pack`, shuffle.pack, (await module.pack(source, shuffle.decks)).join(" "));
    for (const [place, { pile, stock }] of shuffle.reshuffles.entries()) {
      const order = await module.reshuffled(source, place + 1, pile.split(" "));
      compare(`${about}, reshuffle ${place + 1}`, stock, order.join(" "));
    }
  }
  for (const proof of vectors.proofs) {
    compare(`the proof of ${proof.match_id}`, null, (await module.verify(proof)).failure);
  }
  return found;
}
