"""Words of a text as compact term lists: stems, identifiers whole and split, character pairs for CJK."""

import unicodedata
import zlib
from collections import Counter
from functools import lru_cache
from threading import local
from typing import NamedTuple

import numpy as np
import regex
import Stemmer
from numpy.typing import NDArray

PACKED = np.dtype([("hash", "<u4"), ("count", "u1")])
LONGEST_WORD = 64
MOST_CHARACTERS = 20_000

_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]+"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}])\w)+"
    r"(?:[._\-'’:/@]+(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}])\w)+)*"
)
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Mn}]+")
_PARTS = regex.compile(r"[._\-'’:/@]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")


class TermList(NamedTuple):
    """Distinct terms of a text: `hashes` uint32 (n,) ascending, `counts` uint8 (n,), `words` as written.

    `words` is filled by `terms` and empty after `unpack_terms`, which needs no words.
    """

    hashes: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    words: tuple[str, ...] = ()


def terms(text: str) -> TermList:
    """Term list of a text; text past 20,000 characters is not read.

    Words are folded, freed of accents and invisible characters, and stemmed (Snowball, English).
    Identifiers (`ORBIT_CONCURRENCY`, `ORB-1101`, `3.0.x`, `readBatch`) count whole and by their parts;
    scripts written without spaces count as character pairs.
    """
    found: Counter[str] = Counter()
    written: dict[str, str] = {}
    for word in _WORD.findall(_clean(text[:MOST_CHARACTERS])):
        for term in _terms_of_word(word):
            found[term] += 1
            written.setdefault(term, word)
    hashed = sorted((_hash(term), min(count, 255), written[term]) for term, count in found.items())
    unique = {code: (count, word) for code, count, word in hashed}
    return TermList(
        np.fromiter(unique, np.uint32, len(unique)),
        np.fromiter((count for count, _ in unique.values()), np.uint8, len(unique)),
        tuple(word for _, word in unique.values()),
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


def _clean(text: str) -> str:
    # Splitting off accents must not split Hangul syllables, which pairs are made of: compose again.
    decomposed = _INVISIBLE.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", decomposed)


@lru_cache(maxsize=50_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    if _UNSPACED.match(word):
        return tuple(word[at : at + 2] for at in range(len(word) - 1)) or (word,)
    word = word[:LONGEST_WORD]
    parts = [part for part in _PARTS.split(word) if part]
    if len(parts) == 1:
        return (_stem(parts[0].casefold()),)
    whole = word.casefold()
    return (whole, *(_stem(part.casefold()) for part in parts))


def _hash(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


class _Stemmers(local):
    """One stemmer a thread: a Snowball stemmer must not be shared between threads."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)


_stemmers = _Stemmers()


def _stem(word: str) -> str:
    return str(_stemmers.english.stemWord(word))
