"""Other readings of a text: decoded, spelled backwards, unspaced, unscrambled. Each is screened like the text."""

import codecs
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from memories.screening.decoding import (
    BETWEEN,
    SHORTEST_STRETCH,
    decode_base16,
    decode_base32,
    decode_base64,
    decode_base85,
    decode_binary,
    readable,
    stretches,
    with_beginnings,
)
from memories.screening.hygiene import fold
from memories.screening.normal import normalise
from memories.screening.rule import Reading

Unfolder = Callable[[Reading], Iterator[str]]

ENTITY = re.compile(r"&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8});", re.I)
PERCENT = re.compile(r"(?:%[0-9a-f]{2}\w{0,12}){3,}", re.I)
ESCAPED = re.compile(r"(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[0-7]{3}){3,}", re.I)
# Where signs of such a code follow a letter or digit, which would glue to what they say.
GLUED_ENTITIES = re.compile(r"(?<=\w)(?=(?:&(?:#\d{2,6}|#x[0-9a-f]{2,5});){3})", re.I)
GLUED_PERCENT = re.compile(r"(?<=\w)(?<!%[0-9a-f]{2})(?=(?:%[0-9a-f]{2}){3})", re.I)
GLUED_ESCAPES = re.compile(
    r"(?<=\w)(?<!\\x[0-9a-f]{2})(?<!\\u[0-9a-f]{4})(?<!\\[0-7]{3})(?=" + ESCAPED.pattern + ")", re.I
)
SPACED = re.compile(r"(?<!\w)\w(?:(?P<separator>[ .\-_*|/])\w(?!\w))(?:(?P=separator)\w(?!\w)){3,}")
SPACED_AT_WORD = re.compile(SPACED.pattern.removeprefix(r"(?<!\w)") + r"(?:(?P=separator)\w)?")
# Only a sign of the same code holds these off: what else stands before one is no part of it.
BASE64 = re.compile(r"(?<![A-Za-z0-9/+])[A-Za-z0-9+/_-]{16,}={0,2}")
BASE32 = re.compile(r"(?<![A-Z2-7])[A-Z2-7](?:[ -]?[A-Z2-7]){15,}={0,6}")
BASE16 = re.compile(r"(?<![0-9a-f])[0-9a-f](?:[ :-]?[0-9a-f]){19,}", re.I)
BINARY = re.compile(r"(?<![01])[01](?:[ ]?[01]){39,}")
INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]")
NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/_]+")
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
            if text and text not in seen:
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
        yield from _set_apart(reading.text, GLUED_ENTITIES, html.unescape)


def _percent(reading: Reading) -> Iterator[str]:
    if "%" in reading.text and PERCENT.search(reading.text):
        yield from _set_apart(reading.text, GLUED_PERCENT, lambda text: unquote(text, errors="replace"))


def _escapes(reading: Reading) -> Iterator[str]:
    if "\\" in reading.text and ESCAPED.search(reading.text):
        yield from _set_apart(reading.text, GLUED_ESCAPES, lambda text: ESCAPED.sub(_unescaped, text))


def _unescaped(run: "re.Match[str]") -> str:
    return run[0].encode().decode("unicode_escape", "replace")


def _set_apart(text: str, glued: "re.Pattern[str]", decode: Callable[[str], str]) -> Iterator[str]:
    """`text` decoded, and decoded with a blank where a code is `glued` to a word."""
    yield decode(text)
    if glued.search(text):
        yield decode(glued.sub(" ", text))


def _spaced(reading: Reading) -> Iterator[str]:
    if sum(len(word) == 1 for word in reading.words) >= 3 and SPACED.search(reading.text):
        yield SPACED.sub(_closed_up, reading.text)
        runs = map(_closed_up, SPACED_AT_WORD.finditer(reading.text))
        yield BETWEEN.join(with_beginnings(run) for run in runs if len(run) >= SHORTEST_STRETCH)


def _closed_up(run: "re.Match[str]") -> str:
    return run[0].replace(run["separator"], "")


def _codes(reading: Reading) -> Iterator[str]:
    for pattern, decode, offsets, sign in CODES:
        if sign(reading):
            for code in pattern.finditer(reading.text):
                yield _read(code[0], decode, offsets)


def _read(code: str, decode: Callable[[str], bytes], offsets: int) -> str:
    """What `code` says, whole or, where it does not read well, what of it does."""
    if plain := readable(code, decode):
        return with_beginnings(plain) if decode in GROUPED else plain
    # In small letters only, a run of letters is a path or a name.
    return "" if offsets == 1 or (decode is decode_base64 and code.islower()) else stretches(code, decode, offsets)


def _regrouped(reading: Reading) -> Iterator[str]:
    """Base 64 cut into groups: all the signs of it in one run, where more than one word mixes cases as it does."""
    if reading.digits >= 2 and (mixed := len(INNER_CAPITAL.findall(reading.text))) >= 4:
        words = NOT_BASE64.split(reading.text)
        if len(INNER_CAPITAL.findall(max(words, key=len))) < mixed:
            yield stretches("".join(words), decode_base64, 4)


# Codes first: a decoy for each of the others costs a few characters and a whole reading of the text.
DECODERS: tuple[Unfolder, ...] = (_codes, _regrouped, _entities, _percent, _escapes, _folded, _spaced)
# Codes that are written in groups, so that a number before one may look like its first group.
GROUPED = (decode_base16, decode_binary)
# Each with how many signs stand for a whole number of bytes.
CODES: tuple[tuple["re.Pattern[str]", Callable[[str], bytes], int, Callable[[Reading], bool]], ...] = (
    (BASE64, decode_base64, 4, lambda reading: bool(reading.runs)),
    (BASE32, decode_base32, 8, lambda reading: reading.digits >= 2 or any(run[0].isupper() for run in reading.runs)),
    (BASE16, decode_base16, 2, lambda reading: reading.digits >= 10),
    (BINARY, decode_binary, 8, lambda reading: reading.digits >= 40),
    (BASE85, decode_base85, 1, lambda reading: "<~" in reading.text),
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
