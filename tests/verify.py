#!/usr/bin/env python3
"""Check the file of a table without the program that wrote it.

    python3 tests/verify.py FILE...                   files of `shimekiri export`
    python3 tests/verify.py --vectors docs/verify.md  the test vectors of that page

Written from docs/verify.md and docs/export.md alone; it needs nothing but Python 3.9.
It knows the rules of no game: it checks chains, seed, dice, receipts and the hashes of
states, and leaves it to `shimekiri verify` to play the windows again.

Exit status: 0 if all is right, 1 if something is wrong, 2 for misuse.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

# --- docs/verify.md -----------------------------------------------------------

BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
# What Unicode calls white space; Python strips four separators besides.
BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace() and not "\x1c" <= c <= "\x1f")


def sha256(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def hmac_sha256(key: bytes, text: str) -> bytes:
    """HMAC-SHA-256 of a text."""
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def commitment(drawn: bytes) -> str:
    """The seed: what is shown before anybody joins."""
    return hashlib.sha256(drawn).hexdigest()


def mixed_seed(drawn: bytes, values: Sequence[str]) -> bytes:
    """The seed: the drawn seed, mixed with the value of every seat in order."""
    seats = "".join(f"P{seat} {value}\n" for seat, value in enumerate(values, 1))
    return hmac_sha256(drawn, "shimekiri seats v1\n" + seats)


def value_of(words: str) -> str:
    """A value: the one chosen by words of one's own."""
    return sha256(words.strip(BLANKS))


def window_key(seed: bytes, table: str, window: int, attempt: int) -> bytes:
    """The key of a window."""
    return hmac_sha256(seed, f"shimekiri dice v1\n{table}\n{window}\n{attempt}")


def house_seed(seed: bytes, table: str) -> bytes:
    """House players: the seed of what they decide by."""
    return hmac_sha256(seed, f"shimekiri house v1\n{table}")


def nonce(label: str) -> bytes:
    """The stream: the nonce of a label."""
    return hashlib.sha256(label.encode()).digest()[:12]


def chacha20_block(key: bytes, counter: int, nonce: bytes) -> list[int]:
    """The stream: a block of ChaCha20 (RFC 8439, section 2.3), as sixteen words."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]
    start += [counter, *struct.unpack("<3I", nonce)]
    state = list(start)

    def step(x: int, y: int, z: int, bits: int) -> None:
        """x += y; z ^= x; z <<<= bits."""
        state[x] = (state[x] + state[y]) & 0xFFFFFFFF
        mixed = state[z] ^ state[x]
        state[z] = (mixed << bits | mixed >> (32 - bits)) & 0xFFFFFFFF

    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for a, b, c, d in (columns + diagonals) * 10:
        step(a, b, d, 16)
        step(c, d, b, 12)
        step(a, b, d, 8)
        step(c, d, b, 7)
    return [(word + first) & 0xFFFFFFFF for word, first in zip(state, start)]


class Stream:
    """The stream of a label under the key of a window."""

    def __init__(self, key: bytes, label: str) -> None:
        blocks = (chacha20_block(key, counter, nonce(label)) for counter in range(2**32))
        self.words = (word for block in blocks for word in block)

    def draw(self, below: int) -> int:
        """A draw: a number from 0 to below - 1."""
        limit = 2**32 - 2**32 % below
        return next(word for word in self.words if word < limit) % below

    def several(self, options: Sequence[str], count: int) -> list[str]:
        """A draw: several options without putting back."""
        left = list(options)
        return [left.pop(self.draw(len(left))) for _ in range(count)]

    def shuffle(self, count: int) -> list[int]:
        """A shuffle: at each position, the position that its card had before."""
        cards = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.draw(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards


def seal(table: str, window: int, seat: str, salt: str, declaration: str) -> str:
    """The receipt of a sealing: the whole hash."""
    return sha256(f"shimekiri seal v1\n{table}\n{window}\n{seat}\n{salt}\n{declaration}")


def receipt(seal: str) -> str:
    """The receipt of a sealing: the short code of a hash."""
    bits = int(seal[:10], 16)
    code = "".join(BASE32[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{code[:4]}-{code[4:]}"


def journal_hash(before: str, line: str) -> str:
    """The chain of a journal: the hash of a line."""
    return sha256(f"shimekiri journal v1\n{before}\n{line}")


def vectors() -> Iterator[str]:
    """Test vectors: the lines of the page, as they are computed here."""
    drawn = bytes([7] * 32)
    key = window_key(drawn, "table", 3, 0)
    words, draws = Stream(key, "P2:3#2.card").words, Stream(key, "P2:3#2.card")
    yield f"key = {key.hex()}"
    yield f"nonce(P2:3#2.card) = {nonce('P2:3#2.card').hex()}"
    yield f"first words = [{', '.join(hex(next(words)) for _ in range(3))}]"
    yield f"eight draws below 6 = {[draws.draw(6) for _ in range(8)]}"
    yield f"P2:3.card shuffles 0 to 9 into {Stream(key, 'P2:3.card').shuffle(10)}"
    mixed = mixed_seed(drawn, ["01" * 32, "02" * 32])
    house = house_seed(mixed, "table")
    yield f"commitment = {commitment(drawn)}"
    yield f"mixed = {mixed.hex()}"
    yield f"key of mixed = {window_key(mixed, 'table', 3, 0).hex()}"
    yield f"house = {house.hex()}"
    yield f"key of house = {window_key(house, 'table', 3, 0).hex()}"
    yield f"value(今夜は負けない) = {value_of('今夜は負けない')}"
    yield f"value(The trains are late) = {value_of('The trains are late')}"
    declaration = '{"3.card":{"given":{"choice":"actor-3"}},"3.pay":"left-out"}'
    whole = seal("table", 3, "P2", "09" * 32, declaration)
    first = journal_hash("00" * 32, '{"n":1}')
    yield f"declaration = {declaration}"
    yield f"seal = {whole}"
    yield f"receipt = {receipt(whole)}"
    yield f"chain, line 1 = {first}"
    second = journal_hash(first, '{"n":2,"text":"締切"}')
    yield f"chain, line 2 = {second}"


def check_vectors(page: bytes) -> str:
    """Test vectors: hold what the page tells against what is computed."""
    told, inside, fenced = [], False, False
    for number, line in enumerate(page.decode().splitlines(), 1):
        if line.startswith("## "):
            inside = line == "## Test vectors"
        elif line.startswith("```"):
            fenced = not fenced
        elif inside and fenced:
            told.append((number, " ".join(line.split())))
    computed = list(vectors())
    for (number, line), expected in zip(told, computed):
        check(number, "test vector", expected, line)
    check(told[-1][0] if told else 0, "number of test vectors", len(computed), len(told))
    return f"{len(told)} vectors"


# --- docs/export.md -----------------------------------------------------------

LINK = ',"chain":"{}"}}'
KINDS = (
    "table-of-shimekiri people tables seats windows snapshots declarations journal overrides "
    "former_seats lateness attendance reputation votes voices "
    "game_masters substitutes calls sent_away outbox dice end"
).split()


@dataclass(eq=False)
class Wrong(Exception):
    """Something that is not as it should be, and in which line of the file."""

    line: int
    what: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        return f"line {self.line}: {self.what} (expected {self.expected}, found {self.found})"


def check(line: int, what: str, expected: Any, found: Any) -> None:
    """Raise what is wrong, unless it is as expected."""
    if expected != found:
        raise Wrong(line, what, expected, found)


@dataclass(frozen=True)
class Line:
    """Lines: one line of a file, or the entry of the journal that it holds."""

    number: int
    of: str
    row: Mapping[str, Any]

    def __getitem__(self, column: str) -> Any:
        if column not in self.row:
            raise Wrong(self.number, f"columns of {self.of!r}", column, ", ".join(self.row))
        return self.row[column]

    def check(self, what: str, expected: Any, found: Any) -> None:
        """Raise what is wrong in this line, unless it is as expected."""
        check(self.number, what, expected, found)


def lines_of(data: bytes) -> Iterator[Line]:
    """Lines: each in its form to the byte, and chained to the one before it."""
    size, chain = len(LINK.format("0" * 64)), "0" * 64
    *raws, rest = data.split(b"\n")
    check(len(raws) + 1, "what follows the last line feed", b"", rest[:40])
    for number, raw in enumerate(raws, 1):
        body, end = raw[:-size], raw[-size:].decode(errors="replace")
        chain = hashlib.sha256(f"shimekiri file v1\n{chain}\n".encode() + body).hexdigest()
        check(number, "end of the line", LINK.format(chain), end)
        try:
            held = json.loads(raw)
        except ValueError as error:
            raise Wrong(number, "form of the line", "JSON in UTF-8", error) from None
        form = json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode()
        check(number, "form of the line", form.decode(), raw.decode())
        check(number, "members of the line", ["of", "row", "chain"], list(held))
        yield Line(number, held["of"], held["row"])


def fallen(stream: Stream, die: Line) -> tuple[Any, Any]:
    """Dice: what follows from the stream, and what is said to have fallen."""
    for member in ("one", "several", "die"):
        if member in die.row:
            what, shows = die[member], die[member]["shows"]
            if member == "one":
                return what["options"][stream.draw(len(what["options"]))], shows
            if member == "several":
                return stream.several(what["options"], len(shows)), shows
            return what["least"] + stream.draw(what["most"] - what["least"] + 1), shows
    return stream.shuffle(len(die["order"])), die["order"]


class File:
    """Kinds: the file of a table, whose chains, kinds and seed are right."""

    def __init__(self, data: bytes) -> None:
        self.lines = list(lines_of(data))
        self.check_kinds()
        self.table = self.one("tables")
        self.windows = {line["number"]: line for line in self.kinds["windows"]}
        self.journal = list(self.check_journal())
        self.seed = self.check_seed()

    def one(self, kind: str) -> Line:
        """Kinds: the line of a kind that comes once."""
        check(len(self.lines), f"number of lines of {kind!r}", 1, len(self.kinds[kind]))
        return self.kinds[kind][0]

    def entries(self, *kinds: str) -> Iterator[Line]:
        """The journal: its entries of these kinds, in order."""
        return (entry for entry in self.journal if entry["kind"] in kinds)

    def check_kinds(self) -> None:
        """Kinds: their order, the first line and the last."""
        reached = 0
        for line in self.lines:
            if line.of not in KINDS[reached:]:
                raise Wrong(line.number, "kind", " or ".join(KINDS[reached:]), line.of)
            reached = KINDS.index(line.of)
        self.kinds = {kind: [line for line in self.lines if line.of == kind] for kind in KINDS}
        first, end = self.one(KINDS[0]), self.one(KINDS[-1])
        first.check("format", 1, first["format"])
        first.check("table", self.one("tables")["code"], first["table"])
        end.check("number of lines before the end", len(self.lines) - 1, end["lines"])

    def check_journal(self) -> Iterator[Line]:
        """The chain of a journal: each entry, how many there are, and the last hash."""
        before, lines = "0" * 64, self.kinds["journal"]
        for entry, line in enumerate(lines):
            line.check("number of the entry", entry, line["entry"])
            before = journal_hash(before, f"{entry} {line['at']} {line['body']}")
            line.check("hash of the entry", before, line["hash"])
            yield Line(line.number, line.of, json.loads(line["body"]))
        self.table.check("number of entries", len(lines), self.table["entries"])
        self.table.check("hash of the last entry", before, self.table["chain"])

    def check_seed(self) -> bytes:
        """The seed: as it was committed to, as it was told at the end, and mixed."""
        drawn = bytes.fromhex(self.table["seed"])
        self.table.check("commitment", commitment(drawn), self.table["commitment"])
        for entry in self.entries("formed"):
            entry.check("commitment", self.table["commitment"], entry["commitment"])
        told = list(self.entries("over"))
        for entry in told:
            entry.check("seed", self.table["seed"], entry["seed"])
        if self.table["stage"] == "over":
            self.table.check("whether its end is told", True, bool(told))
        joined = {entry["seat"]: entry["value"] for entry in self.entries("joined")}
        for seat in self.kinds["seats"]:
            seat.check("value", joined.get(seat["seat"]), seat["value"])
        return mixed_seed(drawn, [seat["value"] for seat in self.kinds["seats"]])

    def check_dice(self) -> str:
        """Dice: each that fell and each shuffle; how many there are of both."""
        dice = self.kinds["dice"]
        for line in dice:
            if line["decided"]:
                self.check_decided(line)
                continue
            key = window_key(self.seed, self.table["dice"], line["window"], line["attempt"])
            line.check(f"what fell for {line['label']}", *fallen(Stream(key, line["label"]), line))
        shuffles = sum("order" in line.row for line in dice)
        return f"{len(dice) - shuffles} dice, {shuffles} shuffles"

    def check_decided(self, line: Line) -> None:
        """Dice: one that a game master has decided stands in the journal."""
        changes = [entry["what"].get("change", {}) for entry in self.entries("overridden")]
        dice = [change for change in changes if change.get("is") == "die"]
        told = [die["shows"] for die in dice if f"P{die['seat'] + 1}:{die['key']}" == line["label"]]
        if "one" in line.row:
            told = [shows for shows in told if shows == {"choice": line["one"]["shows"]}]
        if not told:
            expected = f"a decision that {line['label']} shows this"
            raise Wrong(line.number, "die that is decided", expected, "none in the journal")

    def taken_over(self, number: int | None) -> Iterator[int]:
        """The receipt of a sealing: a window, and those whose sealings it took over."""
        while number is not None:
            yield number
            number = self.windows[number]["again"]

    def check_receipts(self) -> str:
        """The receipt of a sealing: each, and those that each close tells."""
        sealed = [line for line in self.kinds["declarations"] if line["sealed"]]
        for line in sealed:
            what = f"P{line['seat'] + 1}", line["salt"], line["answers"]
            windows = self.taken_over(line["number"])
            hashes = [seal(self.table["code"], window, *what) for window in windows]
            if line["hash"] not in hashes:
                raise Wrong(line.number, "hash of the sealing", " or ".join(hashes), line["hash"])
        for entry in self.entries("closed"):
            here = [line for line in sealed if line["number"] == entry["number"]]
            counted = sorted([line["seat"], line["hash"]] for line in here if not line["late"])
            entry.check("hashes of what was sealed", counted, entry["sealed"])
        return f"{len(sealed)} receipts"

    def check_states(self) -> None:
        """The state: what each window began with, and what the one before it came to."""
        dealt = {entry["number"]: entry["state"] for entry in self.entries("dealt")}
        closed = {entry["number"]: entry["state"] for entry in self.entries("closed")}
        decided = {entry["window"] for entry in self.entries("overridden")}
        for line in self.kinds["snapshots"]:
            window = self.windows[line["number"]]
            if not json.loads(window["said"])["suspended"]:
                line.check("hash of the state", sha256(line["state"]), line["hash"])
            told = dealt.get(line["number"], closed.get(window["follows"]))
            if told and line["number"] not in decided:
                line.check("hash of the state that the journal tells", told, line["hash"])


def check_file(data: bytes) -> str:
    """Check the file of a table; say how much stands in it."""
    file = File(data)
    receipts, dice = file.check_receipts(), file.check_dice()
    file.check_states()
    return f"{len(file.lines)} lines, {dice}, {receipts}"


def main(arguments: Sequence[str]) -> int:
    """Check what the command line names; say what was found."""
    vectors_asked = arguments[:1] == ["--vectors"]
    names = arguments[1:] if vectors_asked else arguments
    if not names or any(name.startswith("-") for name in names):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for name in names:
        try:
            data = Path(name).read_bytes()
            print(f"OK {name}: {check_vectors(data) if vectors_asked else check_file(data)}")
        except OSError as error:
            print(f"{name}: {error.strerror}", file=sys.stderr)
            return 2
        except Wrong as wrong:
            print(f"{name}: {wrong}")
            status = 1
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            print(f"{name}: not of the form that docs/export.md says ({error!r})")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
