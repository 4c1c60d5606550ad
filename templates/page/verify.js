// Verifies the record of the table as docs/verify.md says, without the program that wrote the page.
// SHA-256 is written here, as a browser keeps its own from pages that it takes for insecure.
"use strict";
const Verification = (() => {
  const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
  const bytesOf = (text) => new TextEncoder().encode(text);
  const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (digits) =>
    Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

  // The first 32 bits of the fractional part of a root of the first primes (FIPS 180-4).
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  const fraction = (root) => ((root % 1) * 2 ** 32) >>> 0;
  const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
  const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

  const sha256 = (bytes) => {
    const length = Math.ceil((bytes.length + 9) / 64) * 64;
    const message = new Uint8Array(length);
    message.set(bytes);
    message[bytes.length] = 0x80;
    const view = new DataView(message.buffer);
    view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(length - 4, bytes.length << 3);
    const hash = Uint32Array.from(START);
    const words = new Uint32Array(64);
    for (let block = 0; block < length; block += 64) {
      for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(block + 4 * i);
      for (let i = 16; i < 64; i += 1) {
        const [x, y] = [words[i - 15], words[i - 2]];
        words[i] = words[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3))
          + words[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i += 1) {
        const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g))
          + ROUNDS[i] + words[i];
        const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
    }
    const out = new DataView(new ArrayBuffer(32));
    hash.forEach((word, i) => out.setUint32(4 * i, word));
    return new Uint8Array(out.buffer);
  };
  const hashOf = (text) => hexOf(sha256(bytesOf(text)));

  const hmac = (key, text) => {
    const padded = (pad) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ pad);
    const joined = (a, b) => Uint8Array.from([...a, ...b]);
    return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), bytesOf(text)))));
  };

  // The stream of a label under the key of a window (ChaCha20, RFC 8439).
  function* stream(key, label) {
    const view = new DataView(key.buffer);
    const nonce = new DataView(sha256(bytesOf(label)).buffer);
    const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
    for (let i = 0; i < 8; i += 1) start.push(view.getUint32(4 * i, true));
    start.push(0);
    for (let i = 0; i < 3; i += 1) start.push(nonce.getUint32(4 * i, true));
    for (;;) {
      const state = Uint32Array.from(start);
      const step = (x, y, z, bits) => {
        state[x] += state[y];
        state[z] = turn(state[z] ^ state[x], 32 - bits);
      };
      for (let round = 0; round < 20; round += 1) {
        for (let a = 0; a < 4; a += 1) {
          const of = (row) => 4 * row + (round % 2 ? (a + row) % 4 : a);
          step(a, of(1), of(3), 16);
          step(of(2), of(3), of(1), 12);
          step(a, of(1), of(3), 8);
          step(of(2), of(3), of(1), 7);
        }
      }
      for (let i = 0; i < 16; i += 1) yield (state[i] + start[i]) >>> 0;
      start[12] += 1;
    }
  }
  const draw = (words, below) => {
    const limit = 2 ** 32 - (2 ** 32 % below);
    let word = limit;
    while (word >= limit) word = words.next().value;
    return word % below;
  };

  // What falls from a stream, in the form in which the record tells it.
  const fall = (words, die) => {
    if (die.one) return die.one.options[draw(words, die.one.options.length)];
    if (die.several) {
      const left = [...die.several.options];
      return die.several.shows.map(() => left.splice(draw(words, left.length), 1)[0]);
    }
    if (die.die) return die.die.least + draw(words, die.die.most - die.die.least + 1);
    const cards = die.order.map((_, position) => position);
    for (let last = cards.length - 1; last > 0; last -= 1) {
      const other = draw(words, last + 1);
      [cards[last], cards[other]] = [cards[other], cards[last]];
    }
    return cards;
  };
  const shown = (die) => (die.one ?? die.several ?? die.die ?? { shows: die.order }).shows;
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  // The short code of a hash: its first 80 bits in base32.
  const code = (hash) => {
    let bits = "";
    for (const byte of unhex(hash.slice(0, 20))) bits += byte.toString(2).padStart(8, "0");
    const letters = bits.match(/.{5}/g).map((five) => BASE32[parseInt(five, 2)]).join("");
    return letters.match(/.{4}/g).join("-");
  };
  // A code or a whole hash as people write it; nothing if it is neither.
  const read = (text) => {
    const letters = text.split(/[:：]/).pop().replace(/[\s-]/g, "").toLowerCase()
      .replaceAll("o", "0").replace(/[il]/g, "1");
    if (/^[0-9a-f]{64}$/.test(letters)) return letters;
    const isCode = letters.length === 16 && [...letters].every((letter) => BASE32.includes(letter));
    return isCode ? letters.match(/.{4}/g).join("-") : "";
  };

  // What each seat has brought before the deal, and how many have sat there.
  const brought = (entries, broken) => {
    const seats = new Map();
    const sat = new Map();
    for (const [number, entry] of entries.entries()) {
      if (entry.kind === "dealt") break;
      if (entry.kind === "left") seats.delete(entry.seat);
      if (entry.kind === "joined") {
        seats.set(entry.seat, { value: entry.value, promise: entry.promise });
        sat.set(entry.seat, (sat.get(entry.seat) ?? 0) + 1);
      }
      if (entry.kind === "kept") {
        const promised = hashOf(`shimekiri promise v1\n${entry.value}`);
        if (seats.get(entry.seat)?.promise !== promised) broken("record", number);
        seats.set(entry.seat, { value: entry.value });
      }
    }
    return { seats, sat };
  };

  // Computes everything anew. Returns how much there is, and what is not as it should be.
  const verify = (record) => {
    const faults = [];
    const broken = (what, number, seat, label) => faults.push({ what, number, seat, label });
    const [table] = record.tables;
    let chain = "0".repeat(64);
    record.journal.forEach((line, number) => {
      const own = hashOf(`shimekiri journal v1\n${chain}\n${number} ${line.at} ${line.body}`);
      if (own !== line.hash) broken("record", number);
      chain = line.hash;
    });
    if (record.journal.length !== table.entries || chain !== table.chain) broken("end");

    const entries = record.journal.map((line) => JSON.parse(line.body));
    const committed = hashOf(`shimekiri seed v1\n${table.dice}\n${table.seed}`);
    const [formed] = entries;
    const over = entries.filter((entry) => entry.kind === "over");
    const isTold = formed.kind === "formed" && formed.commitment === committed
      && formed.dice === table.dice && over.length > 0
      && over.every((entry) => entry.seed === table.seed);
    if (committed !== table.commitment || !isTold) broken("seed");
    const drawn = unhex(table.seed);
    const { seats, sat } = brought(entries, broken);
    // What a wrong seed leads to is its fault alone.
    for (const { seat, value } of faults.some(({ what }) => what === "seed") ? [] : record.seats) {
      const again = sat.get(seat) > 1 ? `\n${sat.get(seat) - 1}` : "";
      const text = `shimekiri value v1\n${table.dice}\nP${seat + 1}${again}`;
      const own = table.dice === table.code ? hexOf(hmac(drawn, text)) : "0".repeat(64);
      if (value !== (seats.get(seat)?.value ?? own)) broken("value", 0, seat);
    }
    const values = record.seats.map(({ seat, value }) => `P${seat + 1} ${value}\n`).join("");
    const seed = hmac(drawn, `shimekiri seats v1\n${values}`);

    const decisions = entries.filter((entry) => entry.kind === "overridden")
      .map((entry) => entry.what.change).filter((change) => change?.is === "die");
    const isSeeded = !faults.some(({ what }) => what === "seed" || what === "value");
    for (const die of isSeeded ? record.dice : []) {
      const text = `shimekiri dice v1\n${table.dice}\n${die.window}\n${die.attempt}`;
      const isDecided = ({ seat, key, shows }) => `P${seat + 1}:${key}` === die.label
        && (!die.one || same(shows, { choice: die.one.shows }));
      const isRight = die.decided
        ? decisions.some(isDecided)
        : same(fall(stream(hmac(seed, text), die.label), die), shown(die));
      if (!isRight) broken(die.order ? "shuffle" : "die", die.number, undefined, die.label);
    }

    const again = new Map(record.windows.map((window) => [window.number, window.again]));
    const sealed = record.declarations.filter((line) => line.sealed);
    const receipts = [];
    for (const { number, seat, salt, hash, answers } of sealed) {
      let isRight = false;
      for (let of = number; of !== null && of !== undefined && !isRight;) {
        const text = `shimekiri seal v1\n${table.code}\n${of}\nP${seat + 1}\n${salt}\n${answers}`;
        isRight = hashOf(text) === hash;
        of = again.get(of) < of ? again.get(of) : null;
      }
      if (!isRight) broken("receipt", number, seat);
      receipts.push({ number, seat, hash, code: code(hash) });
    }
    for (const entry of entries.filter(({ kind }) => kind === "closed")) {
      const here = sealed.filter((line) => line.number === entry.number && !line.late);
      const counted = new Map(here.map((line) => [line.seat, line.hash]));
      const told = new Map(entry.sealed);
      for (const seat of new Set([...counted.keys(), ...told.keys()])) {
        if (counted.get(seat) !== told.get(seat)) broken("sealed", entry.number, seat);
      }
    }
    const count = {
      dice: record.dice.length,
      shuffles: record.dice.filter((die) => die.order).length,
      receipts: sealed.length,
      records: entries.length,
    };
    const heads = record.journal.map(({ hash }) => ({ hash, code: code(hash) }));
    return { faults, count, receipts, heads, entries };
  };
  return { verify, read, hashOf, code };
})();
