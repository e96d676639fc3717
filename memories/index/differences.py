"""What matters and differs between two notes that read alike, so that no fact is merged away."""

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal, NamedTuple

import regex

from memories.index.vocabulary import FUNCTION_WORDS, NEGATIONS, NUMBER_WORDS, OPPOSITES, UNITS, stem

Relation = Literal["duplicate", "conflict", "different"]
Matter = Literal["number", "version", "identifier", "unit", "negation", "opposite", "name", "word"]
Span = tuple[int, int]

MOST_CHARACTERS = 1_000


class Difference(NamedTuple):
    """One thing that differs: what it is, and where it stands in each text (an empty span: nowhere)."""

    matter: Matter
    a: Span
    b: Span


class Token(NamedTuple):
    """A word that carries meaning: its comparable form, what it is, and where it stands."""

    form: str
    matter: Matter
    span: Span


_INVISIBLE = regex.compile(r"[\p{Cf}\p{Mn}]+")
_POSSESSIVE = regex.compile(r"['’]s?$")
_TOKEN = regex.compile(
    r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]"
    r"|[+\-−]?(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w.]|[\-:/]\d)"
    r"|[\w\p{Cf}\p{Mn}]+(?:[._\-/:@+&'’*=]+[\w\p{Cf}\p{Mn}]+)*[+#]*"
    r"|[%$€£<>=≤≥≠]+|\p{Emoji_Presentation}"
)
_NUMBER = regex.compile(r"[+\-−]?\d[\d,]*(?:\.\d+)?")
_VERSION = regex.compile(r"v?\d+(?:\.(?:\d+|x|\*))+(?:[.\-]?[a-z]+\d*)?|v\d+")
_QUANTITY = regex.compile(r"(\d+(?:\.\d+)?)([a-zµ]+)")
_IDENTIFIER = regex.compile(r".*[._/:@+&*=#].*|.*\d.*|.*\p{Ll}\p{Lu}.*|\p{Lu}{2,}.*")
_ASIDE = regex.compile(
    r"\s*(?:fyi|n\.?b\.?|noted?|reminder(?: from\b[^:.,;\d]{0,40})?|heads[ -]up|for the record"
    r"|just so you know|as a reminder)\b(?:\s*[:,–—-]|(?<=fyi|know))|\(\s*(?:see|cf\.?)\s[^()\d]{1,40}\)",
    regex.IGNORECASE,
)


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """Everything that one of the texts says and the other does not, in the order of the texts.

    Case, punctuation, articles, auxiliaries, endings and asides ("FYI", "(see the docs)") are not counted;
    numbers, versions, identifiers, units, negations, opposites, names and all other words are, and so is
    their order. Texts of more than 1,000 characters are the same only to the letter.
    """
    if max(len(a), len(b)) > MOST_CHARACTERS:
        return () if a == b else (Difference("word", (0, len(a)), (0, len(b))),)
    left, right = list(tokens(a)), list(tokens(b))
    matcher = SequenceMatcher(None, [t.form for t in left], [t.form for t in right], autojunk=False)
    return tuple(
        _difference(one, other)
        for operation, a_from, a_to, b_from, b_to in matcher.get_opcodes()
        if operation != "equal"
        for one, other in _paired(left[a_from:a_to], right[b_from:b_to])
    )


def compare(a: str, b: str, cosine: float, threshold: float) -> Relation:
    """Are two notes the same, in conflict, or about different things?

    Below the embedder's measured `threshold` they are different. Above it they are duplicates only when
    nothing that matters differs; else one may correct the other, and a person decides.
    """
    if cosine < threshold:
        return "different"
    return "duplicate" if _same(a, b) else "conflict"


def _same(a: str, b: str) -> bool:
    """Whether `differences` finds none, without saying which."""
    if a == b or max(len(a), len(b)) > MOST_CHARACTERS:
        return a == b
    # Most texts part early, so that the rest of them need not be read.
    return all(one and other and one.form == other.form for one, other in zip_longest(tokens(a), tokens(b)))


def tokens(text: str) -> Iterator[Token]:
    """Words of a text that carry its meaning, in order."""
    asides = [match.span() for match in _ASIDE.finditer(text) if match.start() == 0 or match.group()[0] != " "]
    starts_sentence = True
    for match in _TOKEN.finditer(text):
        if not any(start <= match.start() < end for start, end in asides):
            yield from _read(match.group(), match.start(), starts_sentence)
            starts_sentence = text[match.end() : match.end() + 1] in (".", ":", "!", "?")


def _read(written: str, start: int, starts_sentence: bool) -> list[Token]:
    """The token of one written word; two for a quantity such as `30s`, none for mere grammar."""
    span = (start, start + len(written))
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKD", written)).replace("’", "'").replace("−", "-")
    folded = plain.casefold()
    if not folded or folded in FUNCTION_WORDS:
        return []
    quantity = _QUANTITY.fullmatch(folded)
    if quantity and quantity[2] in UNITS:
        middle = start + len(quantity[1])
        unit = Token(UNITS[quantity[2]], "unit", (middle, span[1]))
        return [Token(quantity[1], "number", (start, middle)), unit]
    form, matter = _classified(_POSSESSIVE.sub("", plain), starts_sentence)
    return [Token(form, matter, span)]


def _classified(written: str, starts_sentence: bool) -> tuple[str, Matter]:
    folded = written.casefold()
    if folded in NEGATIONS or folded.endswith("n't"):
        return NEGATIONS.get(folded, "not"), "negation"
    if folded in NUMBER_WORDS:
        return NUMBER_WORDS[folded], "number"
    if folded in UNITS:
        return UNITS[folded], "unit"
    if _NUMBER.fullmatch(folded):
        return folded.replace(",", "").removeprefix("+"), "number"
    if _VERSION.fullmatch(folded):
        return folded.removeprefix("v"), "version"
    if folded.replace("&", "").isalpha():
        form = stem(folded.replace("&", "and"))
        if written.isalpha() and not _IDENTIFIER.fullmatch(written):
            return form, "name" if written[0].isupper() and not starts_sentence else "word"
        return form, "identifier"
    return folded, "identifier"


def _paired(ours: Sequence[Token], theirs: Sequence[Token]) -> Iterator[tuple[Token | None, Token | None]]:
    """Tokens that stand against each other: opposites and tokens of one matter first, then in order."""
    rest = list(theirs)
    for one in ours:
        other = next((t for t in rest if _opposed(one, t)), None)
        other = other or next((t for t in rest if t.matter == one.matter), None)
        if other:
            rest.remove(other)
        yield one, other
    for other in rest:
        yield None, other


def _opposed(one: Token, other: Token) -> bool:
    return frozenset((one.form, other.form)) in OPPOSITES


def _difference(one: Token | None, other: Token | None) -> Difference:
    if one and other and _opposed(one, other):
        return Difference("opposite", one.span, other.span)
    matters = [token.matter for token in (one, other) if token]
    strongest: Matter = next((matter for matter in matters if matter != "word"), "word")
    return Difference(strongest, one.span if one else (0, 0), other.span if other else (0, 0))
