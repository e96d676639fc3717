"""Text hygiene: characters nobody sees and letters that only look the part."""

import re
import unicodedata
from collections.abc import Callable, Iterator

from memories.screening.normal import BIDIRECTIONAL, CONTROLS, SURROGATES, TAGS, VARIATION, ZERO_WIDTH
from memories.screening.rule import Reading, Rule, Span

# Joiners are part of how emoji, Persian and Indic scripts are written; there they hide nothing.
JOINED = re.compile(
    "(?<=[\u0600-\u06ff\u0900-\u0dff\u1780-\u17ff])[\u200c\u200d](?=[\u0600-\u06ff\u0900-\u0dff\u1780-\u17ff])"
    "|(?<=[\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff#*0-9])[\ufe0e\ufe0f\u20e3]+"
    "|(?<=[\u2640\u2642\u2695\u2696\u2708\u2764\U0001f000-\U0001faff])\u200d"
    "|\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f"
)
MARK = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
HEAPED_MARKS = re.compile(f"{MARK.pattern}{{3,}}")
MIXED_WORD = re.compile(
    "(?:[A-Za-z][\u0370-\u03ff\u0400-\u04ff\u0530-\u058f\u13a0-\u13f5]|[\u0370-\u03ff\u0400-\u04ff\u0530-\u058f\u13a0-\u13f5][A-Za-z])"
)
FANCY = re.compile(
    "[\U0001d400-\U0001d7ff\uff21-\uff5a\u249c-\u24e9\U0001f110-\U0001f189]{3,}|[\u1d00-\u1d22\u0280\u026a\u0262\u029c\u029f\u0274\u0299\ua730\ua731]{3,}"
)
TAG_LETTER = re.compile("[\U000e0020-\U000e007e]")

LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһԛԝкмтвнАВЕКМНОРСТУХІЈЅԚԜԌЗαεικνορτυχγηΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցզɑɡıɩᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢⅼ",
    "aeopcyxijsdhqwkmtbhABEKMHOPCTYXIJSQWG3aeikvoptuxynABEZHIKMNOPTYXounhgqagiiabcdefghijklmnoprstuvwyzl",
)


def fold(text: str) -> str:
    """`text` without accents, and with styled and look-alike letters resolved to the plain ones they imitate."""
    plain = MARK.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKC", plain).translate(LOOK_ALIKES)


def hidden_text(raw: str) -> str:
    """What the tag characters in `raw` spell: they mirror ASCII, are never drawn, and models read them."""
    return "".join(chr(ord(letter) - 0xE0000) for letter in TAG_LETTER.findall(raw))


def _unseen(characters: str) -> Callable[[Reading], Iterator[Span]]:
    pattern = re.compile(f"[{characters}]")

    def check(reading: Reading) -> Iterator[Span]:
        return (match.span() for match in pattern.finditer(JOINED.sub("", reading.text)))

    return check


def _found(*patterns: "re.Pattern[str]") -> Callable[[Reading], Iterator[Span]]:
    def check(reading: Reading) -> Iterator[Span]:
        for pattern in () if reading.text.isascii() else patterns:
            yield from (match.span() for match in pattern.finditer(reading.text))

    return check


# These look at the text as it came in, before normalising, so their findings carry no span.
RAW_RULES: tuple[Rule, ...] = (
    Rule(
        id="hygiene.invisible",
        severity="flag",
        sentence="Invisible characters were taken out. Check that the text still says what you meant.",
        why="Zero-width characters split words so that filters and readers miss them.",
        good="Family emoji 👩\u200d👧 and Persian می\u200cخواهم keep their joiners in peace.",
        bad="The wor\u200bker restarts.",
        check=_unseen(ZERO_WIDTH + VARIATION),
    ),
    Rule(
        id="hygiene.bidirectional",
        severity="flag",
        sentence="Characters that turn the reading direction were taken out. Check that the text still says what you meant.",
        why="A bidirectional override shows a reader another text than a program reads.",
        good="The Hebrew label שלום is shown right to left.",
        bad="The file is called \u202egnp.exe today.",
        check=_unseen(BIDIRECTIONAL),
    ),
    Rule(
        id="hygiene.tag-characters",
        severity="refuse",
        sentence="The text hides a message in Unicode tag characters. Type the note again from what you can see.",
        why="Tag characters mirror ASCII, are never drawn, and have no use in a note.",
        good="The flag 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f is Scotland's.",
        bad="The worker restarts.\U000e0068\U000e0069",
        check=_unseen(TAGS),
    ),
    Rule(
        id="hygiene.control",
        severity="flag",
        sentence="Control characters were taken out. Paste the text again as plain text.",
        why="Escape sequences and NUL bytes come from terminals and broken encodings.",
        good="The worker restarts\nafter a deploy.",
        bad="The worker \x1b[31mrestarts\x1b[0m.",
        check=_unseen(CONTROLS + SURROGATES),
    ),
)

# Spoken where the readings of a text come to more than is looked at.
MANY_READINGS = Rule(
    id="hygiene.many-readings",
    severity="flag",
    sentence="This can be decoded in more ways than are looked at. Write it in plain words, or let a person look.",
    why="Decoy upon decoy would hide what the last of them says, and keep the filter busy.",
    good="The worker restarts after a deploy.",
    bad="caf\u00e9 " + "&#97;%20%20%20" * 12 + "l3a7s3 n3v3r w41t " * 40,
    check=lambda reading: [(0, 0)],
)

RULES: tuple[Rule, ...] = (
    Rule(
        id="hygiene.look-alike",
        severity="flag",
        sentence="Letters of another alphabet stand in for look-alikes. Type the word again in one alphabet.",
        why="Mixed alphabets inside a word, and letters styled as symbols, are there to get past a filter.",
        good="Москва and Αθήνα are supported regions.",
        bad="The p\u0430ssword page moved.",
        check=_found(MIXED_WORD, FANCY),
    ),
    Rule(
        id="hygiene.stacked-marks",
        severity="flag",
        sentence="Letters here carry heaps of accents. Type the text again without them.",
        why="Stacked combining marks garble a text for filters and readers alike.",
        good="Đặng Thị Hường reported it.",
        bad="The w\u0335\u0321\u0322\u0327orker restarts.",
        check=_found(HEAPED_MARKS),
    ),
)
