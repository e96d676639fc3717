"""Other readings of a text: decoded, spelled backwards, unspaced, unscrambled. Each is screened like the text."""

import codecs
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from memories.screening.decoding import (
    decode_base16,
    decode_base32,
    decode_base64,
    decode_base85,
    decode_binary,
    readable,
)
from memories.screening.hygiene import fold
from memories.screening.normal import normalise
from memories.screening.rule import Reading

Unfolder = Callable[[Reading], Iterator[str]]

ENTITY = re.compile(r"&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8});", re.I)
PERCENT = re.compile(r"(?:%[0-9a-f]{2}\w{0,12}){3,}", re.I)
ESCAPED = re.compile(r"(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[0-7]{3}){3,}", re.I)
SPACED = re.compile(r"(?<!\w)\w(?:(?P<separator>[ .\-_*|/])\w(?!\w))(?:(?P=separator)\w(?!\w)){3,}")
BASE64 = re.compile(r"(?<![\w/+])[A-Za-z0-9+/_-]{16,}={0,2}")
BASE32 = re.compile(r"(?<!\w)[A-Z2-7]{16,}={0,6}")
BASE16 = re.compile(r"(?<!\w)(?:[0-9a-f]{2}[ :]?){10,}(?!\w)", re.I)
BINARY = re.compile(r"(?<!\d)(?:[01]{8} ?){5,}")
BASE85 = re.compile(r"<~[!-u\s]{10,}~>")
LEET = re.compile(r"[a-z][013457@$!|]+(?=[a-z])|\b[013457@$!]+[a-z]{2}", re.I)
JOINED = re.compile(r"[^\W\d_]+(?:[_-][^\W\d_]+){3,}")
HYPHENATED = re.compile(r"(?<=[a-z])-(?=[a-z])", re.I)
LEET_SIGN = re.compile(r"[@$!|]")
LEET_LETTERS = str.maketrans("013457@$!|", "oieastasil")
COMMON_WORDS = frozenset(
    "the a an is are was be of to in for and on with by it this that not as at or der die das und ist le la les et de el en il van".split()
)
LETTERS_A_COMMON_WORD = 120
TARGETS = (
    "ignore disregard forget override bypass previous above prior instructions instruction prompt system rules guidelines"
    " everything reveal password secret pretend assistant always never transfer forward developer restrictions unrestricted"
).split()
SHAPES = {(word[0], word[-1], len(word)) for word in TARGETS}
SCRAMBLED = {(word[0], word[-1], "".join(sorted(word))): word for word in TARGETS}


def decoded(reading: Reading) -> Iterator[Reading]:
    """What the text says once decoded or folded, and what that says decoded again: any rule may look at these.

    Each comes once, and as many as there are: whoever reads them sets the limit.
    """
    found, seen = [reading], {reading.text}
    for outer in found:  # grows on the way: codes hide in codes
        for text in (normalise(other) for unfold in DECODERS for other in unfold(outer)):
            if text not in seen:
                seen.add(text)
                found.append(Reading(text))
                yield found[-1]


def undisguised(reading: Reading) -> Iterator[Reading]:
    """What the text may say in leet, scrambled, with joined or broken words, backwards or rot13: only orders are
    looked for in these."""
    others = (normalise(other) for unfold in DISGUISES for other in unfold(reading))
    return (Reading(text) for text in others if text != reading.text)


def _folded(reading: Reading) -> Iterator[str]:
    if not reading.text.isascii():
        yield fold(reading.text)


def _entities(reading: Reading) -> Iterator[str]:
    if "&" in reading.text and ENTITY.search(reading.text):
        yield html.unescape(reading.text)


def _percent(reading: Reading) -> Iterator[str]:
    if "%" in reading.text and PERCENT.search(reading.text):
        yield unquote(reading.text, errors="replace")


def _escapes(reading: Reading) -> Iterator[str]:
    if "\\" in reading.text:
        yield ESCAPED.sub(lambda run: run[0].encode().decode("unicode_escape", "replace"), reading.text)


def _spaced(reading: Reading) -> Iterator[str]:
    if sum(len(word) == 1 for word in reading.words) >= 3 and SPACED.search(reading.text):
        yield SPACED.sub(lambda run: run[0].replace(run["separator"], ""), reading.text)


def _codes(reading: Reading) -> Iterator[str]:
    for pattern, decode, sign in CODES:
        if sign(reading):
            for code in pattern.finditer(reading.text):
                if plain := readable(code[0], decode):
                    yield plain


# Codes first: a decoy for each of the others costs a few characters and a whole reading of the text.
DECODERS: tuple[Unfolder, ...] = (_codes, _entities, _percent, _escapes, _folded, _spaced)
CODES: tuple[tuple["re.Pattern[str]", Callable[[str], bytes], Callable[[Reading], bool]], ...] = (
    (BASE64, decode_base64, lambda reading: bool(reading.runs)),
    (BASE32, decode_base32, lambda reading: any(run[0].isupper() for run in reading.runs)),
    (BASE16, decode_base16, lambda reading: reading.digits >= 10),
    (BINARY, decode_binary, lambda reading: reading.digits >= 40),
    (BASE85, decode_base85, lambda reading: "<~" in reading.text),
)


def _leet(reading: Reading) -> Iterator[str]:
    """Digits and signs read as letters, where at least two words have one inside."""
    if (reading.digits or LEET_SIGN.search(reading.text)) and len(LEET.findall(reading.text)) >= 2:
        yield reading.text.translate(LEET_LETTERS)


def _joined(reading: Reading) -> Iterator[str]:
    """Words that hyphens or underscores join to a sentence, set apart, and words that hyphens break, made whole."""
    if "-" not in reading.text and "_" not in reading.text:
        return
    if JOINED.search(reading.text):
        yield JOINED.sub(lambda run: re.sub("[_-]", " ", run[0]), reading.text)
    if len(HYPHENATED.findall(reading.text)) >= 3:
        yield HYPHENATED.sub("", reading.text)


def _backwards(text: str) -> str:
    return text[::-1]


def _rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


# Each turn with the words that show it was taken, however many plain words stand around them.
TURNS = [(turn, frozenset(map(turn, TARGETS))) for turn in (_backwards, _rot13)]


def _turned(reading: Reading) -> Iterator[str]:
    """Backwards and rot13, where an order's words stand turned, or that turns up more common words than the text has."""
    common = len(COMMON_WORDS & reading.words)
    few = common * LETTERS_A_COMMON_WORD < len(reading.text)
    for turn, turned_targets in TURNS:
        known = not turned_targets.isdisjoint(reading.words)
        if known or (few and len(COMMON_WORDS & Reading(turn(reading.text)).words) > common):
            yield turn(reading.text)


def _unscrambled(reading: Reading) -> Iterator[str]:
    """Words that are an order's words with the inner letters shuffled, put right."""
    suspects = [word for word in reading.words if len(word) > 4 and (word[0], word[-1], len(word)) in SHAPES]
    swaps = {word: SCRAMBLED.get((word[0], word[-1], "".join(sorted(word))), word) for word in suspects}
    text = reading.lower
    for word, plain in swaps.items():
        text = text.replace(word, plain) if word != plain else text
    if text != reading.lower:
        yield text


DISGUISES: tuple[Unfolder, ...] = (_leet, _unscrambled, _joined, _turned)
