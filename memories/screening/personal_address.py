"""Postal addresses: a number beside a word for a street, in many languages."""

import re
from collections.abc import Iterator

from memories.screening.rule import Reading, Span

# Words that mean a street in any spelling, and words that do only when capitalised as part of a name.
STREET = (
    "street avenue ave road rd boulevard blvd lane terrace crescent parkway pkwy highway hwy turnpike freeway mews crossroad"
    " utca körút náměstí náměsti třída út sokak sokağı caddesi cadde mahallesi bulvarı katu tie vei vej allé ulitsa проспект улица площадь шоссе бульвар вулиця"
).split()
STREET_NAMED = (
    "st dr drive ct court sq square pl place close garden gardens grove hill way walk row alley circle trail path plaza piazza loop"
    " ridge heights crossing junction bypass causeway port ports station manor meadow meadows mill mills point points ranch union valley"
    " valleys viaduct village ville vista fork forks forge glen glens green greens groves harbor harbors haven hollow inlet island islands"
    " isle key keys knoll knolls lake lakes landing light lights lock locks lodge mall mountain mountains neck orchard oval overpass park"
    " parks passage pass pike pine pines plain plains prairie radial ramp rapid rapids rest river roads rue run shoal shoals shore shores"
    " skyway spring springs spur spurs squares stream streets stravenue summit throughway trace track trafficway tunnel underpass view"
    " views well wells bend bluff bluffs bottom branch bridge brook brooks burg burgs cape center centers circles cliff cliffs club common"
    " commons corner corners course courts cove coves creek crest curve dale dam divide estate estates expressway extension extensions fall"
    " falls ferry field fields flat flats ford fords forest fort island tér út"
).split()
STREET_FIRST = (
    "rue avenue av boulevard bd chemin impasse place quai cours allée route calle c/ avenida avda paseo plaza camino carrera cra"
    " calzada rúa rua travessa praça estrada rodovia alameda largo via viale corso vicolo strada piazza piazzale ul ulica al aleja os"
    " osiedle pl plac улица ул проспект пр-т пр переулок пер бульвар вулиця вул jalan jl jln lorong str bulevardul calea οδός λεωφόρος"
    " đường phố carrer passeig plaça náměstí nám třída trg cesta barrio lugar laan"
).split()
COMPOUND = (
    r"[^\W\d_]{2,24}(?:stra(?:ß|ss)e|str\.|gasse|weg|allee|platz|ring|damm|ufer|steig|straat|laan|plein|gracht|kade|hoeve|hove|dreef"
    r"|singel|dijk|tun|braut|vej|veien|vegen|gata|gatan|gate|v[äa]gen|gr[äa]nd|torg|katu|intie|ntie|kuja|stígur|gade|all[ée])"
)
NAME = r"[^\W\d_][\w.'’-]{1,24}"
CAPITALISED = r"[A-ZÀ-ÖØ-ÞĀ-ŽЀ-Я][\w.'’-]{0,24}"


def _any(words: list[str], *, capitalised: bool = False) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word.capitalize() if capitalised else word) for word in longest_first)


NUMBER_BEFORE = re.compile(
    rf"(?<![\w.-])\d{{1,6}}[A-Za-z]?(?:\s?[-/]\s?\d{{1,5}}[a-z]?)?,?\s(?:\d{{1,5}}\s)?"
    rf"(?:(?:{NAME}\s){{1,4}}?(?i:{_any(STREET)})\b|(?:{CAPITALISED}\s){{1,4}}?(?:{_any(STREET_NAMED, capitalised=True)})\b)"
)
NUMBER_AFTER = re.compile(
    rf"(?<![\w-])(?:{CAPITALISED}\s){{1,3}}(?i:{_any(STREET)}|str\.|stra(?:ß|ss)e)\s(?:no\.?\s|nr\.?\s)?\d{{1,5}}\s?[a-z]?(?![\w.:%])"
)
COMPOUND_NUMBER = re.compile(rf"(?<![\w-])[A-ZÀ-Þ]{COMPOUND}\s(?:nr\.?\s)?\d{{1,5}}\s?[a-z]?(?![\w.:%])")
STREET_BEFORE = re.compile(
    rf"(?<![\w-])(?i:{_any(STREET_FIRST)})\.?\s(?:{NAME}\s){{0,5}}?{NAME},?\s(?:no\.?\s|nr\.?\s|n[°º]\s?|km\s)?\d{{1,5}}(?![\w.:%])"
    rf"|(?<![\w.-])\d{{1,5}}(?:\s?(?:bis|ter|[a-d]))?,?\s(?i:{_any(STREET_FIRST)})\.?\s(?:d\w{{1,2}}\s|l\w\s){{0,2}}{CAPITALISED}"
)
DWELLING = re.compile(
    r"(?i)\b(?:suite|apt\.?|apartment|flat|p\.?\s?o\.?\sbox|postfach|bo[îi]te postale|apartado|casella postale|whg\.)\s(?:no\.?\s|#)?\d{1,5}\b"
    r"|\bthe corner of\b.{0,40}\d"
)
RESIDENCE = re.compile(
    r"(?i)\b(?:(?:billing|shipping|home|postal|mailing|delivery|private) address|address (?:on file|is|to|was)|lives? (?:on|at|in)"
    r"|lived (?:on|at|in)|resid(?:es|ing) (?:at|in)|wohnt in|habite (?:au|à)|vive en|(?:my|your) address)\b\W{1,3}(?:the |it is |is )?(?=(?-i:[A-ZÀ-Ž]|\d{1,6}[a-z]?,?\s[A-ZÀ-Ž]|ul|rue))[^;]{0,40}?(?<![\w.#-])\d{1,6}\b"
    r"(?!\s?(?:%|ms|s\b|[gmk]b|seconds|minutes|hours|days|rows|workers|jobs|tasks|percent|times|requests|queues|of|in|[a-z]+s\b))"
)
DESTINATION = re.compile(
    r"\b(?:shipped to|sent to|delivered to|mailed to|posted to|arrived at|[Mm]eet me at|moved to|located (?:at|on)|station is on)\s"
    r"(?:the\s)?(?:\d{2,6}[a-z]?,?\s[A-ZÀ-Ž]|(?:[A-ZÀ-Ž]\S+\s){2,4}\d{1,5}\b(?![.:]\d))"
)
POSTAL_CODE = re.compile(
    r"\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b|\b[A-Z][a-z]+,?\s[A-Z]{2},?\s\d{5}(?:-\d{4})?\b|\b[ABCEGHJ-NPRSTVXY]\d[A-Z]\s\d[A-Z]\d\b"
    r"|\b\d{4}\s?[A-Z]{2}\b(?=,?\s[A-Z][a-z])|\b(?:D|A|CH|F|I|B|NL|L)-\d{4,5}\s[A-Z]|\b[A-Z][a-z]+,\s(?:NSW|QLD|VIC|TAS|ACT|[A-Z]{2}),?\s\d{4}\b"
)
EAST_ASIAN = re.compile(
    r"\d{1,4}\s?(?:丁目|番地)|[都道府県市区町村]\S{1,12}\d{1,4}[-−]\d{1,4}|[都道府県縣省市區区町村].{0,12}(?:路|街|道|町|弄|巷).{0,8}\d|[路街巷弄道]\s?\d{1,5}\s?[号號]|[가-힣]{2,}(?:로|길)\s?\d{1,4}"
)
STREET_WORDS = frozenset([*STREET, *STREET_NAMED, "str", "straße", "strasse"])
FIRST_WORDS = frozenset([*STREET_FIRST, "c"])
CAPITAL = re.compile(r"[^\W\d_a-z]")


def address_spans(reading: Reading) -> Iterator[Span]:
    """Spans of addresses. Each pattern runs only where a digit and one of its words are present."""
    if not reading.digits:
        return
    text, words = reading.text, reading.words
    named = not STREET_WORDS.isdisjoint(words)
    first = not FIRST_WORDS.isdisjoint(words)
    patterns = [DWELLING, RESIDENCE, DESTINATION, COMPOUND_NUMBER, POSTAL_CODE]
    patterns += [NUMBER_BEFORE, NUMBER_AFTER] if named else []
    patterns += [STREET_BEFORE] if first else []
    patterns += [EAST_ASIAN] if not text.isascii() else []
    for pattern in patterns:
        for match in pattern.finditer(text):
            if CAPITAL.search(match[0]) or (text == reading.lower and pattern is not RESIDENCE):
                yield match.span()
