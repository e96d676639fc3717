"""Words of a text as compact term lists: stems, identifiers whole and split, character pairs for CJK."""

import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from memories.index.vocabulary import stem

PACKED = np.dtype([("hash", "<u4"), ("count", "u1")])
LONGEST_WORD = 64
MOST_CHARACTERS = 20_000

_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}"
_LETTER = rf"[\w--[{_SCRIPTS}]]"
_WORD = regex.compile(rf"(?V1)[{_SCRIPTS}]+|{_LETTER}+(?:[._\-'’:/@]+{_LETTER}+)*")
_UNSPACED = regex.compile(rf"[{_SCRIPTS}]")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Mn}]+")
_PARTS = regex.compile(r"[._\-'’:/@]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")


class TermList(NamedTuple):
    """Distinct terms of a text: `hashes` uint32 (n,) ascending, `counts` uint8 (n,).

    What only a query needs is filled by `terms` and empty after `unpack_terms`: `words` as written, and
    `in_title` bool (n,), whether the term stands in the first of several lines.
    """

    hashes: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    words: tuple[str, ...] = ()
    in_title: NDArray[np.bool_] = np.zeros(0, np.bool_)

    def written(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Words that gave the terms of these numbers, each once."""
        return tuple(dict.fromkeys(self.words[number] for number in numbers))


def terms(text: str) -> TermList:
    """Term list of a text; text past 20,000 characters is not read.

    Words are folded, freed of accents and invisible characters, and stemmed (Snowball, English).
    Identifiers (`ORBIT_CONCURRENCY`, `ORB-1101`, `3.0.x`, `readBatch`) count whole and by their parts;
    scripts written without spaces count as character pairs.
    """
    title, _, rest = text[:MOST_CHARACTERS].strip().partition("\n")
    found: dict[int, _Found] = {}
    _gather(title, found, in_title=bool(rest))
    _gather(rest, found, in_title=False)
    ordered = sorted(found.items())
    return TermList(
        np.array([code for code, _ in ordered], np.uint32),
        np.array([min(entry.count, 255) for _, entry in ordered], np.uint8),
        tuple(entry.word for _, entry in ordered),
        np.array([entry.in_title for _, entry in ordered], np.bool_),
    )


def pack_terms(listed: TermList) -> bytes:
    """Store a term list in 5 bytes a term: little-endian uint32 hash, uint8 count."""
    packed = np.empty(len(listed.hashes), PACKED)
    packed["hash"], packed["count"] = listed.hashes, listed.counts
    return packed.tobytes()


def unpack_terms(data: bytes) -> TermList:
    """Read what `pack_terms` wrote. Raises ValueError for bytes of another length."""
    if len(data) % PACKED.itemsize:
        raise ValueError(f"A term list takes {PACKED.itemsize} bytes a term, this one has {len(data)} bytes.")
    packed = np.frombuffer(data, PACKED)
    return TermList(packed["hash"], packed["count"])


@dataclass
class _Found:
    """A term so far: its count, the first word that gave it, and whether that stood in the title."""

    word: str
    in_title: bool
    count: int = 0


def _gather(text: str, found: dict[int, _Found], *, in_title: bool) -> None:
    for word, count in Counter(_WORD.findall(_clean(text))).items():
        for term in _terms_of_word(word):
            code = zlib.crc32(term.encode("utf-8", "surrogatepass"))
            entry = found.get(code)
            if entry is None:
                entry = found[code] = _Found(word, in_title)
            entry.count += count


def _clean(text: str) -> str:
    if text.isascii():
        return text
    # Splitting off accents must not split Hangul syllables, which pairs are made of: compose again.
    decomposed = _INVISIBLE.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", decomposed)


def _terms_of_word(word: str) -> tuple[str, ...]:
    if word.isascii() and word.isalpha() and (word.islower() or word.istitle()):
        return (stem(word[:LONGEST_WORD].lower()),)
    if _UNSPACED.match(word):
        return tuple(word[at : at + 2] for at in range(len(word) - 1)) or (word,)
    parts = [part for part in _PARTS.split(word[:LONGEST_WORD]) if part]
    if len(parts) == 1:
        return (stem(parts[0].casefold()),)
    whole = word[:LONGEST_WORD].casefold()
    return (whole, *(stem(part.casefold()) for part in parts))
