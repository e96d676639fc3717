"""Passwords said in a sentence, in many languages: a word for a password, a few more words, then something no word looks like."""

import re
from collections.abc import Iterator

from memories.screening.entropy import is_placeholder, is_random
from memories.screening.rule import Reading, Span

SAID = re.compile(
    r"pass(?:word|wort|phrase|code|wd|w)?\b|(?<![^\s\"'(,;/&?_.-])pwd?\b|kennwort|contrase[ñn]a|mot de passe|\bsenha|palavra-passe|has[lł][oa]|парол[ьяюе]м?|wachtwoord|\bparol[aă]\w*|[sş]ifre\w*|l[öo]senord\w*|adgangskode\w*"
    r"|passord\w*|hesl[oa]|jelsz[óo]\w*|salasana\w*|κωδικ[όο]ς?|密码|密碼|パスワード|비밀번호|암호|كلمة (?:المرور|السر)|סיסמ[הא]\w*|पासवर्ड|mật khẩu|kata (?:sandi|laluan)|nenosiri"
    r"|\bclave(?: de acceso)?|schl[üu]ssel|\bsecret\b|credentials?|\bcreds\b|zugangsdaten|zugang|\blog[ -]?in\b|\blogged in\b|\bsign(?:ed)? in\b|\banmeld\w+|\bacceso|\baccès|\baccesso|логин|unlock|decrypt|\blog(?:s|ged)? (?:in|on)(?:to)?\b|\bgets? into\b|\bopen(?:s|ed)? (?:it )?with\b|\bcommunity string"
)
AFTER = re.compile(r"[^\n]{0,70}")
TOKEN = re.compile(r"[^\s\"'`“”„«»()<>,;。，、；]+")
# What may stand right before the value: a verb of being, a preposition, a sign, or the end of the word itself.
LINKS = frozenset(
    "is was are now to as with using and und mit ist lautet jetzt heißt : / = — – - -> → es con y est avec et é è com e con met en van to jest z är med er og je s a on ja είναι هي היא este và là adalah dan bu"
    " has bir : это desormais désormais será sera reads stay ser на string oldu".split()
)
USED = re.compile(
    r"\b(?:use|enter|type|try|used|typed|entered) (?P<value>\S{6,64}) (?:to|and) (?:unlock|log|sign|open|decrypt|get in|enter|connect)",
    re.I,
)
GLUED = re.compile(r"(?:密码|密碼|パスワード|비밀번호|口令)\s?(?:是|为|為|は|[:：]|는|은|가)?\s?(?P<value>[!-~]{6,40})")
PAIR = re.compile(
    r"\b(?:root|admin(?:istrator)?|user|ops|deploy|postgres|sa|guest|demo|test|qa|service)\s?[/:]\s?(?P<value>\S{6,64})"
)
ALONE = re.compile(r"[\w.@+-]{2,40}:(?P<value>[^\s:,;/@]{6,64})")
SYMBOLS = frozenset("!#$%^&*@?~")
SIGNED = re.compile(r"[\d!#$%^&*@?~]")
PIECES = re.compile(r"[\s\"'`“”„«»()<>,;=:|/\u0080-\U0010ffff]+")
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
NOT_A_PASSWORD = re.compile(r"v?\d+(?:[.:-]\d+)+\S*|(?:[A-Z]*[a-z]+){1,2}[A-Z]{0,2}[\d.]+|\S*[(\[{/].*")
PASSWORD = re.compile(
    r"pass(?!age|ed|es|ing|ive|enger|port)|pwd?|kennwort|contrase|mot de|senha|palavra|has[lł]|парол|wachtw|parol|[sş]ifre|l[öo]sen|adgang|heslo|jelsz|salas|κωδ|密|パス|비밀|كلمة|סיס|पास|mật|kata|nenosiri"
)
# The account in the middle of a cloud resource's name.
RESOURCE = re.compile(r"\d{12}:\Z")
KEY_FOR = re.compile(
    r"(?<!cache )(?<!primary )(?<!sort )(?<!public )\b(?:key|token|secret) (?:for|of|to|from) (?:the )?[\w.-]{2,30}(?: \w+)?\s?(?::|=|is)\s?[\"'`]?(?P<value>[\w+/-]{16,200})"
    r"|(?<![\w-])(?P<commented>[\w-]{20,200})[\"']?[;,]?\s{0,3}(?:#|//|--)\s[^\n]{0,24}?\b(?:token|secret|password|api[ _-]?key)\b",
    re.I,
)
OPTION = re.compile(
    r"(?<!\w)-{1,2}(?:p|pw|pass|passphrase|passwd|password|secret|token|w|a|k)[ =]?[\"']?(?P<value>[^\s\"']{6,64})|\bauth\s?=\s?\(\s?[\"'][^\"'\n]{1,40}[\"'],\s?[\"'](?P<pair>[^\"'\n]{6,64})"
    r"|-U \w{1,30}%(?P<share>\S{6,64})|\bchange_password \S{1,40} (?P<changed>\S{6,64})|\becho [\"']?(?P<piped>[^\s\"']{6,64})[\"']? \| ?sudo"
)


def is_strong(value: str) -> bool:
    """Whether `value` can only be a password: letters beside digits or signs, mixed as no word, name or version is."""
    bare = value.strip("\"'`.,;:)(。")
    if (
        not 6 <= len(bare) <= 64
        or not bare.isascii()
        or not bare[0].isalnum()
        or ("@" in bare and ":" in bare)
        or is_placeholder(bare)
        or MAIL.fullmatch(bare)
    ):
        return False
    digits, lower, upper = (any(map(test, bare)) for test in (str.isdigit, str.islower, str.isupper))
    if not SYMBOLS.isdisjoint(bare):
        return (lower or upper) and (digits or (lower and upper)) and "=" not in bare[:-2] and "://" not in bare
    return digits and lower and upper and not NOT_A_PASSWORD.fullmatch(bare) and is_random(bare, 8)


def holds_strong(text: str) -> bool:
    """Whether there is anything like a password at all; without, there is nothing to look around for."""
    runs = (run for run in text.split() if len(run) >= 6 and not run.isalpha() and SIGNED.search(run))
    return any(is_strong(piece.lstrip("-")) for run in runs for piece in PIECES.split(run))


def stated_spans(reading: Reading) -> Iterator[Span]:
    """Spans of passwords that a sentence gives away."""
    text = reading.text
    if not holds_strong(text):
        if reading.runs:
            yield from _keys(text)
        return
    if (lone := ALONE.fullmatch(text)) and is_strong(lone["value"]):
        yield lone.span("value")
    for word in SAID.finditer(reading.lower):
        if RESOURCE.search(text, max(0, word.start() - 20), word.start()):
            continue
        yield from _after(text, word.end(), surely=PASSWORD.match(word[0]) is not None)
        yield from _before(text, word.start())
    for pattern in (USED, PAIR, OPTION) + (() if text.isascii() else (GLUED,)):
        for match in pattern.finditer(text):
            if is_strong(match[match.lastgroup or 0]):
                yield match.span(match.lastgroup or 0)
    yield from _keys(text)


def _keys(text: str) -> Iterator[Span]:
    """Long random values after "key for …" or before a comment that calls them a token."""
    for match in KEY_FOR.finditer(text):
        if is_random(match[match.lastgroup or 0], 16):
            yield match.span(match.lastgroup or 0)


def _after(text: str, start: int, *, surely: bool) -> Iterator[Span]:
    """The first strong value within a few words after `start`, if a link stands right before it.

    After a word that `surely` means a password, a value with signs and digits needs no link.
    """
    end = start + len(AFTER.match(text, start)[0])  # type: ignore[index]
    before = ""
    for token in TOKEN.finditer(text, start, end):
        joined = text[token.start() - 1 : token.start()] in "\"'`“„«(:"
        linked = before in LINKS or not before or joined or before.endswith((":", "="))
        if (linked or (surely and not SYMBOLS.isdisjoint(token[0]))) and is_strong(token[0]):
            yield token.span()
            return
        if before.endswith((".", "!", "?")):
            return
        before = token[0].lower()


BEFORE = re.compile(
    r"(?P<value>[^\s\"'`“”„«»()<>,;]{6,64})[\"'`”»]? \(?(?:(?:as|is|als|como|comme|come|jako) )?(?:its |the |your |their |my |a |our |das |la |le |el )?\Z"
)


def _before(text: str, end: int) -> Iterator[Span]:
    """A strong value right before a word for a password, as in "… as its password"."""
    match = BEFORE.search(text, max(0, end - 80), end)
    if match and is_strong(match["value"]):
        yield match.span("value")
