#!/usr/bin/env python3
"""Check the file of a table without the program that wrote it.

    python3 tests/verify.py FILE...                   files of `shimekiri export`
    python3 tests/verify.py FILE --head HEAD...       one, and the heads that its posts tell
    python3 tests/verify.py --vectors docs/verify.md  the test vectors of that page

Written from docs/verify.md and docs/export.md alone; it needs nothing but Python 3.9.
It knows the rules of no game: it checks chains, heads, seed, values, dice, receipts, the
hashes of states, decisions, and in which order all came, and leaves it to `shimekiri
verify` to play the windows again.

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


def commitment(name: str, drawn: bytes) -> str:
    """The seed: what is shown before anybody joins."""
    return sha256(f"shimekiri seed v1\n{name}\n{drawn.hex()}")


def mixed_seed(drawn: bytes, values: Sequence[str]) -> bytes:
    """The seed: the drawn seed, mixed with the value of every seat in order."""
    seats = "".join(f"P{seat} {value}\n" for seat, value in enumerate(values, 1))
    return hmac_sha256(drawn, "shimekiri seats v1\n" + seats)


def identity(salt: str, account: str, name: str) -> str:
    """People and decisions: the hash by which the journal names somebody who sits down."""
    return sha256(f"shimekiri person v1\n{salt}\n{account}\n{name}")


def authorship(salt: str, account: str, reason: str) -> str:
    """People and decisions: the hash by which the journal names who has decided something, and why."""
    return sha256(f"shimekiri decision v1\n{salt}\n{account}\n{reason}")


def showing(salt: str, shown: str) -> str:
    """People and decisions: the hash by which the journal names what somebody was shown before."""
    return sha256(f"shimekiri shown v1\n{salt}\n{shown}")


def drafts_hash(drafts: Sequence[tuple[int, str]]) -> str:
    """Drafts: the hash of what was declared in a window and not sealed; nothing without any."""
    lines = "".join(f"P{seat + 1} {answers}\n" for seat, answers in drafts)
    return sha256("shimekiri drafts v1\n" + lines) if drafts else ""


def value_of(words: str) -> str:
    """A value: the one chosen by words of one's own."""
    return sha256(words.strip(BLANKS))


def own_value(name: str, drawn: bytes, seat: str, before: int = 0) -> str:
    """A value: that of a seat which brings none, where so many have sat down before."""
    again = f"\n{before}" if before else ""
    return hmac_sha256(drawn, f"shimekiri value v1\n{name}\n{seat}{again}").hex()


def promise(value: str) -> str:
    """A promise: that of a value."""
    return sha256(f"shimekiri promise v1\n{value}")


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
        if not 0 < below <= 2**32:
            raise ValueError(f"a draw below {below}")
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


def code(hashed: str) -> str:
    """The receipt of a sealing, and a head: the short code of a hash."""
    bits = int(hashed[:20], 16)
    letters = "".join(BASE32[bits >> shift & 31] for shift in range(75, -1, -5))
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


def read_head(text: str) -> str:
    """The heads: one as people write it, as it is posted; nothing if it is none."""
    letters = text.replace("：", ":").split(":")[-1].strip().replace("-", "").lower()
    letters = letters.replace("o", "0").replace("i", "1").replace("l", "1")
    if len(letters) == 64 and all(letter in BASE32[:16] for letter in letters):
        return letters
    if len(letters) != 16 or any(letter not in BASE32 for letter in letters):
        return ""
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


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
    yield f"commitment = {commitment('table', drawn)}"
    yield f"value of P2 = {own_value('table', drawn, 'P2')}"
    yield f"value of its second = {own_value('table', drawn, 'P2', 1)}"
    yield f"mixed = {mixed.hex()}"
    yield f"key of mixed = {window_key(mixed, 'table', 3, 0).hex()}"
    yield f"house = {house.hex()}"
    yield f"key of house = {window_key(house, 'table', 3, 0).hex()}"
    yield f"value(今夜は負けない) = {value_of('今夜は負けない')}"
    yield f"value(The trains are late) = {value_of('The trains are late')}"
    yield f"promise(The trains are late) = {promise(value_of('The trains are late'))}"
    declaration = '{"3.card":{"given":{"choice":"actor-3"}},"3.pay":"left-out"}'
    whole = seal("table", 3, "P2", "09" * 32, declaration)
    first = journal_hash("00" * 32, '{"n":1}')
    yield f"declaration = {declaration}"
    yield f"seal = {whole}"
    yield f"receipt = {code(whole)}"
    yield f"drafts = {drafts_hash([(1, declaration)])}"
    yield f"person = {identity('09' * 32, 'terminal:sakura', 'sakura')}"
    yield f"decision = {authorship('09' * 32, 'terminal:sakura', 'Rain.')}"
    yield f"shown = {showing('09' * 32, '{}')}"
    yield f"chain, line 1 = {first}"
    second = journal_hash(first, '{"n":2,"text":"締切"}')
    yield f"chain, line 2 = {second}"
    yield f"head, line 2 = {code(second)}"


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
    "table-of-shimekiri people set tables seats windows snapshots declarations journal overrides "
    "former_seats lateness attendance reputation votes voices "
    "game_masters substitutes orders next_declarations calls sent_away outbox dice end"
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


class Disorder(Exception):
    """Heads that are not named in the order of the posts."""


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


def settings(entry: Line) -> tuple[Any, ...]:
    """The journal: what a table is set to, but for what another game has left."""
    options = {key: kept for key, kept in (entry["options"] or {}).items() if key != "carried"}
    return (entry["game"], entry["edition"], entry["data"], options, entry["chairs"])


class Values:
    """A promise: what each seat has brought, in the order in which that can be."""

    def __init__(self) -> None:
        self.seats: dict[int, tuple[str, str | None]] = {}
        self.sat: dict[int, int] = {}
        self.set: tuple[Any, ...] = ()
        self.due = self.dealt = False

    @property
    def frozen(self) -> bool:
        """Whether a promise has been kept, and the game not begun."""
        return not self.dealt and any(how == "kept" for how, _ in self.seats.values())

    def owing(self) -> list[int]:
        """The seats that have yet to tell what they bring."""
        return [seat for seat, (how, _) in self.seats.items() if how in ("promise", "owed")]

    def hear(self, entry: Line) -> None:
        """Take up the next entry; raise what cannot have happened then."""
        kind = entry["kind"]
        if kind not in ("formed", "settled", "joined", "left", "due", "kept", "dealt"):
            return
        may = getattr(self, {"due": "due_", "dealt": "begun"}.get(kind, kind))(entry)
        if kind != "dealt" and self.dealt or kind != "formed" and not self.set:
            may = False
        if not may:
            raise Wrong(entry.number, f"what is told to be {kind!r}", "what can be then", entry.row)

    def formed(self, entry: Line) -> bool:
        """A table is formed once, and first."""
        first, self.set = not self.set, settings(entry)
        return first

    def settled(self, entry: Line) -> bool:
        """What is set stays once a promise is kept."""
        before, self.set = self.set, settings(entry)
        self.due = self.due and self.frozen
        return before == self.set or not self.frozen

    def joined(self, entry: Line) -> bool:
        """A chair that is free is taken; house players bring nothing."""
        house, value, promised = entry["house"], entry["value"], entry.row.get("promise")
        may = entry["seat"] not in self.seats and (house is not None or not self.frozen)
        may = may and not (value and promised) and not (house is not None and (value or promised))
        self.due = self.due and self.frozen
        how = "value" if value else "promise" if promised else "nothing"
        self.seats[entry["seat"]] = how, value or promised
        self.sat[entry["seat"]] = self.sat.get(entry["seat"], 0) + 1
        return may

    def left(self, entry: Line) -> bool:
        """A chair is free again; what was promised ends if a promise was kept."""
        frozen, self.due = self.frozen, False
        may = self.seats.pop(entry["seat"], None) is not None
        if frozen:
            for seat, (how, _) in self.seats.items():
                if how != "nothing":
                    self.seats[seat] = "owed", None
        return may and bool(entry.row.get("anew")) == frozen

    def due_(self, entry: Line) -> bool:
        """Promises are to be kept."""
        self.due = True
        return bool(self.owing())

    def kept(self, entry: Line) -> bool:
        """A promise is kept by what was promised."""
        fits = self.seats.get(entry["seat"]) == ("promise", promise(entry["value"]))
        self.seats[entry["seat"]] = "kept", entry["value"]
        return self.due and fits

    def begun(self, entry: Line) -> bool:
        """Nobody is dealt anything before everybody has told what they bring."""
        self.dealt = True
        return not self.owing()

    def value(self, name: str, code: str, drawn: bytes, seat: int) -> str | None:
        """A value: what a seat mixes into the seed."""
        how, value = self.seats.get(seat, ("", None))
        if how != "nothing":
            return value
        before = self.sat[seat] - 1
        return own_value(name, drawn, f"P{seat + 1}", before) if name == code else "00" * 32


class File:
    """Kinds: the file of a table, whose chains, kinds and seed are right."""

    def __init__(self, data: bytes) -> None:
        self.lines = list(lines_of(data))
        self.check_kinds()
        self.table = self.one("tables")
        self.windows = {line["number"]: line for line in self.kinds["windows"]}
        self.check_windows()
        self.journal = list(self.check_journal())
        self.decisions = self.check_decisions()
        self.check_order()
        self.check_set()
        self.seed = self.check_seed()
        self.unnamed = 0
        self.check_seats()
        self.check_authors()
        self.check_times()
        self.check_end()

    def check_set(self) -> None:
        """Kinds: the set of cards is the one that the table is bound to, byte for byte."""
        for line in self.kinds["set"]:
            line.check("hash", sha256(line["text"]), line["hash"])
        bound = self.kinds["set"][0]["hash"] if self.kinds["set"] else None
        self.table.check("card_set", bound, self.table["card_set"])

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

    def check_windows(self) -> None:
        """Kinds: a window stands on windows before it, so that going back has an end."""
        if self.windows:
            self.table.check("chairs", len(self.kinds["seats"]), self.table["chairs"])
        for line in self.windows.values():
            for column, last in (("root", 0), ("follows", -1), ("again", -1)):
                before = line[column]
                if before is None and column != "root":
                    continue
                if before not in self.windows or before > line["number"] + last:
                    raise Wrong(line.number, column, "a window before it", before)

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
        drawn, name = bytes.fromhex(self.table["seed"]), self.table["dice"]
        self.table.check("commitment", commitment(name, drawn), self.table["commitment"])
        if not self.journal or self.journal[0]["kind"] != "formed":
            raise Wrong(self.table.number, "beginning of the journal", "that it was formed", "none")
        for entry in self.entries("formed"):
            entry.check("commitment", self.table["commitment"], entry["commitment"])
            entry.check("name", name, entry["dice"])
        told = list(self.entries("over"))
        for entry in told:
            entry.check("seed", self.table["seed"], entry["seed"])
        if self.table["stage"] == "over":
            self.table.check("whether its end is told", True, bool(told))
        self.values = Values()
        for entry in self.journal:
            self.values.hear(entry)
        set_to = (*(self.table[column] for column in ("game", "edition", "data")), self.table["chairs"])
        self.table.check("what it is set to", (*self.values.set[:3], self.values.set[4]), set_to)
        seats = self.kinds["seats"]
        for seat in seats:
            value = self.values.value(name, self.table["code"], drawn, seat["seat"])
            seat.check("value", value or "", seat["value"])
        sitting = [seat["seat"] for seat in seats]
        self.table.check("seats", sorted(self.values.seats), sitting)
        if self.values.dealt:
            self.table.check("seats", list(range(self.table["chairs"])), sitting)
        return mixed_seed(drawn, [seat["value"] for seat in seats])

    def check_decisions(self) -> list[Line]:
        """The journal: the decisions, numbered as they came, are those that are kept."""
        told = list(self.entries("overridden"))
        undone: dict[int, int | None] = {}
        for number, entry in enumerate(told):
            entry.check("number of the decision", number, entry["number"])
            by, what = number, entry["what"]
            while what["does"] == "undo" and what["number"] < number:
                number = what["number"]
                undone[number] = by
                by, what = None if by is not None else number, told[number]["what"]
        kept = self.kinds["overrides"]
        self.table.check("number of decisions", len(told), len(kept))
        for number, (entry, line) in enumerate(zip(told, kept)):
            line.check("number of the decision", number, line["number"])
            line.check("decision", entry["what"], json.loads(line["what"]))
            line.check("what has undone the decision", undone.get(number), line["undone"])
        return told

    def check_order(self) -> None:
        """The journal: each window closes once, in order, and takes over what a decision says."""
        for number, window in self.windows.items():
            window.check("again", self.takes_over(window), window["again"])
        closed: set[int] = set()
        dealt = 0
        for entry in self.journal:
            kind = entry["kind"]
            dealt += kind == "dealt"
            if kind == "overridden" and entry["what"]["does"] in ("void", "edit", "rollback"):
                entry.check("whether that had closed", False, entry["window"] in closed)
            if kind != "closed":
                continue
            number = entry["number"]
            window = self.windows[number]
            follows, again = window["follows"], window["again"]
            entry.check("whether it had closed", False, number in closed)
            before = bool(dealt) if follows is None else follows in closed
            entry.check("whether what it follows had closed", True, before)
            if again is not None and self.judged(number) is not None:
                entry.check("whether what it takes over had closed", True, again in closed)
            closed.add(number)
            sealed = {
                line["seat"]
                for line in self.kinds["declarations"]
                if line["number"] == number and line["sealed"] and not line["late"]
            }
            asked = [int(seat[1:]) - 1 for seat in window["asked"].split()]
            awaited = [seat for seat in asked if seat not in sealed]
            entry.check("for whom it waited", awaited, entry["awaited"])

    def judged(self, number: int) -> int | None:
        """The journal: the window for which this one was opened, judged or asked again."""
        for entry in self.decisions:
            what = entry["what"]
            if entry["window"] == number and what["does"] == "judge" and what["window"] != number:
                return what["window"]
            if entry["window"] == number and what["does"] == "undo":
                closed = self.decisions[what["number"]]
                if closed["what"]["does"] == "close":
                    return closed["window"]
        return None

    def takes_over(self, window: Line) -> int | None:
        """The journal: the window whose sealings count in this one, as a decision says."""
        number, again = window["number"], window["again"]
        judged = self.judged(number)
        edited = any(
            entry["window"] == number and entry["what"]["does"] == "edit" for entry in self.decisions
        )
        if judged is None and not edited:
            return None
        known = again is not None and again < number and again in self.windows
        if known and self.windows[again]["follows"] == window["follows"]:
            if judged is None or judged in self.taken_over(again):
                return again
        return judged if judged is not None else number - 1

    def account(self, person: str | None) -> str:
        """Kinds: the account of somebody, if the file tells it."""
        known = {line["person"]: line["account"] for line in self.kinds["people"]}
        return known.get(person) or ""

    def check_seats(self) -> None:
        """People and decisions: who sits where, and what decisions have made of that."""
        now: dict[int, tuple[Any, Any]] = {}
        before: dict[int, tuple[Any, Any]] = {}
        sat = set()
        for entry in self.journal:
            kind, seat = entry["kind"], entry.row.get("seat")
            if kind in ("joined", "seated", "replaced"):
                now[seat] = entry.row.get("house"), entry.row.get("who")
                sat.add((seat, now[seat][1]))
                entry.check("who sits there", True, (now[seat][0] is None) != (now[seat][1] is None))
            elif kind == "left":
                now.pop(seat, None)
            elif kind == "overridden":
                entry.check("who sits where by it", True, self.has_moved(entry["what"], before, now))
            if kind != "seated":
                before = dict(now)
        for line in self.kinds["seats"]:
            house, who = now.get(line["seat"], (None, None))
            line.check("the house player", house, line["house"])
            if line["person"] is None:
                line.check("who sits there", None, who)
            elif line["salt"] is None:
                self.unnamed += 1
                line.check("the name of who is not shown", "", line["name"])
            else:
                found = identity(line["salt"], self.account(line["person"]), line["name"])
                line.check("who sits there", who, found)
        for line in self.kinds["former_seats"]:
            if line["salt"] is None:
                self.unnamed += 1
                line.check("the name of who is not shown", "", line["name"])
                continue
            found = identity(line["salt"], self.account(line["person"]), line["name"])
            line.check("whether they sat there", True, (line["seat"], found) in sat)

    @staticmethod
    def has_moved(what: Mapping[str, Any], before: Mapping, now: Mapping) -> bool:
        """People and decisions: whether others sit where a decision says so, and nowhere else."""
        does = what["does"]
        changed = [seat for seat in now if now[seat] != before.get(seat)]
        if does == "swap":
            a, b = what["a"], what["b"]
            return a != b and now.get(a) == before.get(b) and now.get(b) == before.get(a)
        if does == "house":
            return set(changed) <= {what["seat"]} and now[what["seat"]][0] == what["policy"]
        if does == "kick":
            is_house = what["seat"] not in now or now[what["seat"]][0] is not None
            return set(changed) <= {what["seat"]} and is_house
        if does == "replace":
            return changed == [what["seat"]] and now[what["seat"]][1] is not None
        return does == "undo" or not changed

    def check_authors(self) -> None:
        """People and decisions: who decided, why, when, before whom, and what they were shown."""
        places = [place for place, entry in enumerate(self.journal) if entry["kind"] == "overridden"]
        for place, entry, line in zip(places, self.decisions, self.kinds["overrides"]):
            alone = entry.row.get("alone")
            line.check("who was told", "public" if alone is None else "private", line["notice"])
            line.check("whether the table decided", bool(entry.row.get("voted")), line["vote"] is not None)
            line.check("when it was decided", self.kinds["journal"][place]["at"], line["at"])
            line.check("on how many entries", place + 1, line["entries"])
            salt = line["salt"]
            if salt is None:
                self.unnamed += 1
                line.check("what is told of who is not shown", ("", None), (line["reason"], line["shown"]))
                continue
            found = authorship(salt, self.account(line["person"]), line["reason"])
            line.check("who decided it, and why", entry.row.get("by"), found)
            if line["shown"] is not None:
                line.check("what was shown", entry.row.get("shown"), showing(salt, line["shown"]))

    def check_times(self) -> None:
        """The journal: when each window opened and closed, why, and what lay in it unsealed."""
        closed = 0
        for entry, line in zip(self.journal, self.kinds["journal"]):
            if entry["kind"] != "closed":
                continue
            closed += 1
            window = self.windows[entry["number"]]
            told = (entry["opens"], entry["closes"], line["at"], entry["why"])
            columns = ("opens_at", "closes_at", "closed_at", "why")
            window.check("when it opened and closed", told, tuple(window[column] for column in columns))
            awaited = " ".join(f"P{seat + 1}" for seat in entry["awaited"])
            window.check("for whom it waited", awaited, window["awaited"])
            drafts = [
                (kept["seat"], kept["answers"])
                for kept in self.kinds["declarations"]
                if kept["number"] == entry["number"] and not kept["sealed"] and not kept["late"]
            ]
            entry.check("what lay in it unsealed", entry.row.get("drafts", ""), drafts_hash(drafts))
        shut = sum(window["closed_at"] is not None for window in self.windows.values())
        self.table.check("how many windows closed", closed, shut)

    def check_end(self) -> None:
        """The chain of a journal: what stands behind the end."""
        ends = [place for place, entry in enumerate(self.journal) if entry["kind"] == "over"]
        if not ends or self.table["stage"] != "over":
            return
        how = self.journal[ends[-1]]["how"]
        for nth, entry in enumerate(self.journal[ends[-1] + 1 :]):
            does = entry["what"]["does"] if entry["kind"] == "overridden" else ""
            fits = {
                "end": nth == 0 and how in ("ended", "drawn"),
                "cancel": nth == 0 and how == "cancelled",
                **dict.fromkeys(("rule", "say", "hold", "publish", "undo"), how == "played"),
                **dict.fromkeys(("", "extend", "pause", "lock", "pace", "absence"), False),
            }
            entry.check("what stands behind the end", True, fits.get(does, nth == 0 and how == "played"))

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
            again = self.windows[number]["again"]
            # Each has taken over from one before it.
            number = again if again is not None and again < number else None

    def check_receipts(self) -> str:
        """The receipt of a sealing: each, and those that each close tells."""
        sealed = [line for line in self.kinds["declarations"] if line["sealed"]]
        for line in self.kinds["declarations"]:
            bound = line["salt"] is not None, line["hash"] is not None
            line.check("whether it has a receipt", (bool(line["sealed"]),) * 2, bound)
            line.check("whether it was sealed too late", False, bool(line["sealed"] and line["late"]))
            line.check("whether its window is there", True, line["number"] in self.windows)
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


    def check_heads(self, heads: Sequence[str]) -> str:
        """The heads: each is the hash of an entry; up to which window they are."""
        window, known = "before the deal", {}
        for place, (entry, line) in enumerate(zip(self.journal, self.kinds["journal"])):
            if entry["kind"] == "dealt":
                window = "the deal"
            elif entry["kind"] == "closed":
                window = f"window {entry['window']}"
            known[line["hash"]] = known[code(line["hash"])] = place, window
        reached, before = (-1, ""), ""
        for head in (head for head in heads if head in known):
            if known[head][0] < reached[0]:
                raise Disorder(f"{before} was posted after {head}; name them in the posts' order")
            reached, before = known[head], head
        for head in heads:
            if head not in known:
                after = f" after {reached[1]}" if before else ""
                raise Wrong(len(self.lines), "it is not what was posted" + after, head, "no such entry")
        whole = next((head for head in heads if len(head) == 64), None)
        if whole and whole != self.table["chain"]:
            raise Wrong(self.table.number, "the last entry", whole, self.table["chain"])
        return f"posted up to {reached[1]}" if heads else "not compared with its posts"


def check_file(data: bytes, heads: Sequence[str] = ()) -> str:
    """Check the file of a table; say how much stands in it."""
    file = File(data)
    receipts, dice = file.check_receipts(), file.check_dice()
    file.check_states()
    told = [f"{len(file.lines)} lines, {dice}, {receipts}", file.check_heads(heads)]
    told.append(f"compare with its first post: {file.table['commitment']}")
    if file.table["dice"] != file.table["code"]:
        told.append("its seed was said in advance")
    if file.unnamed:
        told.append(f"names that were erased or are not shown: {file.unnamed}")
    told.append("not checked: what follows from the rules, and what bots declare")
    told.append(
        "the posted records do not hold declarations of windows that never closed, late declarations, "
        "votes, how windows were kept and extended, the pace and the absence policy"
    )
    return "; ".join(told)


def main(arguments: Sequence[str]) -> int:
    """Check what the command line names; say what was found."""
    vectors_asked = arguments[:1] == ["--vectors"]
    names = list(arguments[1:] if vectors_asked else arguments)
    heads: list[str] = []
    if "--head" in names:
        place = names.index("--head")
        said = [head for head in names[place + 1 :] if head != "--head"]
        heads = [read_head(head) for head in said]
        names = names[:place]
        if not all(heads):
            print(f"{said[heads.index('')]!r} is no record: write abcd-efgh-jkmn-pqrs", file=sys.stderr)
            return 2
        if not heads:
            print("--head takes the records of posts, such as abcd-efgh-jkmn-pqrs", file=sys.stderr)
            return 2
    if not names or any(name.startswith("-") for name in names):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for name in names:
        try:
            data = Path(name).read_bytes()
            told = check_vectors(data) if vectors_asked else check_file(data, heads)
            print(f"OK {name}: {told}")
        except OSError as error:
            print(f"{name}: {error.strerror}", file=sys.stderr)
            return 2
        except Disorder as disorder:
            print(f"{name}: {disorder}", file=sys.stderr)
            return 2
        except Wrong as wrong:
            print(f"{name}: {wrong}")
            status = 1
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            print(f"{name}: not of the form that docs/export.md says ({error!r})")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
