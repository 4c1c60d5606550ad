#!/usr/bin/env python3
"""Check the file of a table without the program that wrote it.

    python3 tests/verify.py FILE...                  the files of `shimekiri export`
    python3 tests/verify.py --vectors docs/verify.md the test vectors of that page

It is written from docs/verify.md and docs/export.md alone, and needs nothing but
Python. It knows no rule of any game: it checks the chains, the seed, the dice and
the receipts. `shimekiri verify` plays the windows again as well.

Exit status: 0 if all is right, 1 if something is wrong, 2 for misuse.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Mapping, NoReturn, Sequence

Row = Mapping[str, Any]
BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True)
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


# --- docs/verify.md -----------------------------------------------------------


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
    """The seed: the drawn seed with the value of every seat, in order."""
    seats = "".join(f"P{seat} {value}\n" for seat, value in enumerate(values, 1))
    return hmac_sha256(drawn, "shimekiri seats v1\n" + seats)


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
    """The stream: one block of ChaCha20 (RFC 8439, 2.3), as sixteen words."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]
    start += [counter, *struct.unpack("<3I", nonce)]
    state = list(start)

    def turn(x: int, y: int, z: int, bits: int) -> None:
        """x += y; z ^= x; z <<<= bits."""
        state[x] = (state[x] + state[y]) & 0xFFFFFFFF
        mixed = state[z] ^ state[x]
        state[z] = (mixed << bits | mixed >> (32 - bits)) & 0xFFFFFFFF

    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for a, b, c, d in (columns + diagonals) * 10:
        turn(a, b, d, 16)
        turn(c, d, b, 12)
        turn(a, b, d, 8)
        turn(c, d, b, 7)
    return [(word + first) & 0xFFFFFFFF for word, first in zip(state, start)]


class Stream:
    """The stream of a label under the key of a window."""

    def __init__(self, key: bytes, label: str) -> None:
        self.words = self._words(key, nonce(label))

    @staticmethod
    def _words(key: bytes, nonce: bytes) -> Iterator[int]:
        for counter in range(2**32):
            yield from chacha20_block(key, counter, nonce)

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


# --- docs/verify.md, test vectors ---------------------------------------------


def vectors() -> dict[str, str]:
    """Test vectors: each by its name, as this program computes it."""
    drawn, values = bytes([7] * 32), ["01" * 32, "02" * 32]
    key = window_key(drawn, "table", 3, 0)
    stream, draws = Stream(key, "P2:3#2.card"), Stream(key, "P2:3#2.card")
    mixed = mixed_seed(drawn, values)
    house = house_seed(mixed, "table")
    declaration = '{"3.card":{"given":{"choice":"actor-3"}},"3.pay":"left-out"}'
    whole = seal("table", 3, "P2", "09" * 32, declaration)
    first = journal_hash("00" * 32, '{"n":1}')
    return {
        "key": key.hex(),
        "nonce(P2:3#2.card)": nonce("P2:3#2.card").hex(),
        "first words": "[" + ", ".join(hex(next(stream.words)) for _ in range(3)) + "]",
        "eight draws below 6": str([draws.draw(6) for _ in range(8)]),
        "P2:3.card shuffles 0 to 9 into": str(Stream(key, "P2:3.card").shuffle(10)),
        "commitment": commitment(drawn),
        "mixed": mixed.hex(),
        "key of mixed": window_key(mixed, "table", 3, 0).hex(),
        "house": house.hex(),
        "key of house": window_key(house, "table", 3, 0).hex(),
        "declaration": declaration,
        "seal": whole,
        "receipt": receipt(whole),
        "chain, line 1": first,
        "chain, line 2": journal_hash(first, '{"n":2,"text":"締切"}'),
    }


def told_vectors(page: str) -> Iterator[tuple[int, str, str]]:
    """Test vectors: number of the line, name and value of each that the page tells."""
    inside = fenced = False
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("## "):
            inside = line == "## Test vectors"
        elif line.startswith("```"):
            fenced = not fenced
        elif inside and fenced:
            name, _, value = line.partition(" into " if " into " in line else " = ")
            yield number, name.strip() + (" into" if " into " in line else ""), value.strip()


def check_vectors(page: str) -> str:
    """Hold what the page tells against what follows; say how many there are."""
    computed = vectors()
    for number, name, told in told_vectors(page):
        check(number, f"vector {name!r}", computed.pop(name, "no such vector"), told)
    check(0, "vectors that the page does not tell", [], list(computed))
    return f"{len(vectors())} vectors"


# --- docs/export.md -----------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """Lines: one line of a file."""

    number: int
    of: str
    row: Row

    def __getitem__(self, column: str) -> Any:
        return self.row[column]

    def text(self, column: str) -> str:
        """Kinds: a column byte for byte as it was kept."""
        held = self.row[column]
        return held if isinstance(held, str) else compact(held)

    def check(self, what: str, expected: Any, found: Any) -> None:
        """Raise what is wrong in this line, unless it is as expected."""
        check(self.number, what, expected, found)


def compact(held: Any) -> str:
    """JSON with nothing between its parts, and no escapes but those demanded."""
    return json.dumps(held, ensure_ascii=False, separators=(",", ":"))


def lines_of(data: bytes) -> Iterator[Line]:
    """Lines: each in its form, and chained to the one before it."""
    *raws, rest = data.split(b"\n")
    check(len(raws) + 1, "bytes after the last line feed", b"", rest[:40])
    chain = "0" * 64
    for number, raw in enumerate(raws, 1):
        body, found = raw[:-LINK], raw[-LINK:]
        chain = hashlib.sha256(f"shimekiri file v1\n{chain}\n".encode() + body).hexdigest()
        check(number, "end of the line", f',"chain":"{chain}"}}', found.decode(errors="replace"))
        try:
            held = json.loads(raw)
        except ValueError as wrong:
            raise Wrong(number, "form of the line", "JSON in UTF-8", wrong) from None
        check(number, "form of the line", compact(held).encode(), raw)
        check(number, "members of the line", ["of", "row", "chain"], list(held))
        yield Line(number, held["of"], held["row"])
