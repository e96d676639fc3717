"""Credentials that only their surroundings give away: `password = …`, `token: …`, "the key is …"."""

# ruff: noqa: S105 (patterns and word lists are kept whole, to be read and searched)

import re
from collections.abc import Iterator

from memories.screening.entropy import is_placeholder, is_random, wordlike
from memories.screening.rule import Reading, Span

PASSWORD = (
    r"pass(?:word|wd|wort|phrase|code|w)|(?<![^\w\s\"'`.,;:{(<$/?&-])(?:pwd|pswd?)(?![a-z])|kennwort|contrase[ñn]a|mot de passe|senha|has[lł]o|парол[ья]"
    r"|wachtwoord|parola|[sş]ifre|l[öo]senord|adgangskode|heslo|jelsz[óo]|salasana|κωδικός|密码|密碼|パスワード|비밀번호"
    r"|كلمة المرور|סיסמה|पासवर्ड|mật khẩu|kata sandi|identified by|\bpin\b|\bpass\b|_pass\b|(?<![^\w\s\"'`.,;:{(<$/?&-])(?:\b|_|db|root)pw\b"
)
SECRET = (
    r"secret|token|credentials?|\bcreds?\b|api[ _.-]?key|access[ _.-]?key|(?:private|signing|encryption|master|shared|account"
    r"|auth|license|service|session|preshared|deploy|storage|admin|app|webhook|developer|consumer)[ _.-]?key|\bpsk\b|bearer|unseal"
    r"|authorization|\bdsn\b|cookie|clave|schl[üu]ssel|clé|chiave|chave|klucz|ключ|密钥|密鑰|鍵|秘密|토큰"
)
KEYWORD = re.compile(
    rf"(?P<password>{PASSWORD})|(?P<secret>{SECRET})|(?P<key>[a-z0-9_.\-](?:login|auth)\b|(?:\b|(?<=[a-z0-9_.-]))(?:key|private|access)\b|(?:access|client|app|api|consumer|developer|licen[cs]e|auth)[_ .-]?id\b)"
)
# Every keyword holds one of these, and looking for plain strings is many times faster than for the keywords.
SIGNS = tuple(
    "pass pwd psw wort contrase mot senha hasł haslo парол woord parola sifre şifre senord senord adgang heslo jelsz salasana κωδικ 密 パス"
    " 비밀 المرور סיסמ पासवर्ड khẩu sandi identified pw secret token cred key psk bearer unseal auth dsn cookie clave schl clé chiave"
    " chave klucz ключ 鍵 秘密 토큰 login private access client_id client-id clientid appid app_id api_id license_id".split()
)
PIN_AND_ID = frozenset({"pin", "id"})
ASCII_SIGNS = tuple(filter(str.isascii, SIGNS))
LINK = re.compile(
    r"""(?x) (?P<tail> [\w.\-]{0,40}? (?:\[[\w"'-]*\])? ) (?:\\?["'`)\]]){0,2} \s{0,20}
    (?P<operator> :=|=>|={1,3}|!={1,2}|[.?|+~]{1,2}=|:{1,2}|->|,|>|\((?=\s?["'`])
        | (?:string|str|text|const|var|value|char\*?|is|was|are|ist|est|es|è|é|=|to|as|lautet|là|есть|это|是|は|für)\b(?:\s(?:now|set\sto|currently|only))?
        | by\b | (?=\s|["'`]) ) \s? [:=]? \s{0,20}
    (?: (?P<quote> \\?["'`“‘«]) (?P<quoted> [^"'`”’»\\]{1,300}? ) \\?["'`”’»] | (?P<plain> [^\s"'`,;<>]{1,400} ) )
    """
)
GLUED = re.compile(r"[-_](?P<value>[\w-]{20,200})")
REVERSED = re.compile(
    r"""(?xi) ["'`] (?P<value> [^"'`\s]{6,200} ) ["'`] \s? [=!]={1,2} \s? [\w.]{0,40} (?:password|passwd|pwd|secret|token|key) """
)
NOT_SECRET_TAIL = re.compile(
    r"(?i)s?[_.-]{0,2}(?:\w{1,20}[_.-]){0,2}(?:length|expir|ttl|count|hash|policy|valid|min|max|age|field|type|name|url|uri|path|file|dir|endpoint|reset"
    r"|lifetime|limit|size|bits|algorithm|alg|format|prefix|hint|label|required|enabled|version|rotat|change|strength|refresh_?interval"
    r"|fallback|backend|manager|provider|digest|salt|encrypt|crypt|input|element|selector|button|form|page|prompt|confirm|check|verif|match|error|fail|incorrect|wrong|forgot|recover|generat|entropy|regex|pattern|mask|column|attr|header|variable|store|vault|protected|less|based|auth\b|timeout|seconds|days|usage|budget|arn|class|checker|hasher|get\b|pop\b)"
)
NOT_SECRET_KEY = re.compile(
    r"(?i)(?:public|idempotency|primary|foreign|cache|sort|partition|routing|registry|publishable|host|lookup|object|row|natural"
    r"|composite|unique|dict|map|gpg|pgp|ssh|rsa|redis|lock|dedupe|queue|group|hot|task|correlation|request|event|message|tenant|job|trace|span"
    r"|commit|image|digest|device|order|ticket|invoice|run|pod|build|process|node|worker|container|project|issue|record|s3|site)"
    r"[ _.-]?\Z"
)
NOT_SECRET_TOKEN = re.compile(
    r"(?i)(?:csrf|cancellation|next|page|continuation|pagination|sync|fencing|public)[ _.-]?\Z|\d{12}:\Z"
)
NUMBER = re.compile(r"[\d.,:%/-]+|[\d.]+[a-z]{1,3}", re.I)
NOT_A_VALUE = re.compile(
    r"(?i)https?://[^:@\s]+|/[\w./-]+|\d{4}-\d\d-\d\d.*|v?\d+(?:\.\d+)+[\w.-]*|(?:/[\w.-]+)+/?|~/\S+|[\w-]+\.(?:py|rb|js|go|md|txt|json|ya?ml|toml|pem|env)"
)
PATH = re.compile(r"/\w*[a-z]{3,}|\.\w+\.")
CONCATENATION = re.compile(r"\s*[+,;:)&|.]\s*\w")
WORDS = re.compile(r"[^\W\d_]+(?:[-_' ][^\W\d_]+)*[.,;:!?]*")


def contextual_spans(reading: Reading) -> Iterator[Span]:
    """Spans of values that a secret's keyword, as `password:` or `api_key =`, introduces."""
    text, lower = reading.text, reading.lower
    signs = ASCII_SIGNS if lower.isascii() else SIGNS
    if PIN_AND_ID.isdisjoint(reading.words) and not any(map(lower.__contains__, signs)):
        return
    for keyword in KEYWORD.finditer(lower):
        link = LINK.match(text, keyword.end())
        if link and introduces_secret(text, keyword, link):
            yield link.span("quoted" if link["quote"] else "plain")
        elif (glued := GLUED.match(text, keyword.end())) and is_random(glued["value"], 20):
            yield glued.span("value")
    for match in REVERSED.finditer(text) if "=" in text else ():
        if not is_placeholder(match["value"]):
            yield match.span("value")


def introduces_secret(text: str, keyword: "re.Match[str]", link: "re.Match[str]") -> bool:
    """Whether what `link` found after `keyword` is a secret rather than a word, a number or a placeholder."""
    head = text[max(0, keyword.start() - 24) : keyword.start()]
    harmless = NOT_SECRET_KEY if keyword["key"] else NOT_SECRET_TOKEN
    if NOT_SECRET_TAIL.match(link["tail"]) or (not keyword["password"] and harmless.search(head)):
        return False
    operator = link["operator"].strip()
    value = (link["quoted"] or link["plain"] or "").strip()
    assigned = (bool(operator) and not operator.isalpha() and operator != ",") or text[: keyword.start()].endswith("--")
    if is_placeholder(value) or NOT_A_VALUE.fullmatch(value) or (link["quote"] and CONCATENATION.match(value)):
        return False
    if keyword["key"]:
        return PATH.search(value) is None and is_random(value, 12 if assigned else 18)
    if keyword["password"]:
        return is_password(value, quoted=bool(link["quote"]), assigned=assigned, prose=bool(operator))
    return is_token(value, quoted=bool(link["quote"]), assigned=assigned)


def is_password(value: str, *, quoted: bool, assigned: bool, prose: bool) -> bool:
    value = value if quoted else value.rstrip(".,;:)!?")
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    symbols = any(not letter.isalnum() and letter not in "-_'./" for letter in value)
    if quoted and (assigned or digits or symbols):
        return len(value) >= 4
    if WORDS.fullmatch(value) or (NUMBER.fullmatch(value) and not (assigned and len(value) >= 6 and value.isdigit())):
        return False
    if assigned or prose:
        return len(value) >= 5 and (digits or symbols)
    return len(value) >= 8 and digits and letters and (symbols or is_random(value, 8))


def is_token(value: str, *, quoted: bool, assigned: bool) -> bool:
    value = value if quoted else value.rstrip(".,;:)")
    if NUMBER.fullmatch(value) or len(value) < 6:
        return False
    if quoted and assigned:
        return value.count(" ") != 1 and (not WORDS.fullmatch(value) or value.count(" ") >= 2 or wordlike(value) < 0.6)
    if WORDS.fullmatch(value) and len(set(value)) < 16:
        return False
    return is_random(value, 8 if assigned else 12) or (assigned and len(value) >= 24 and " " not in value)


OPENED = r"(?:pin|door|gate|entry|entrance|alarm|safe|lock(?:er)?|unlock|vault|garage|recovery|backup|verification|security|one-time|2fa|mfa|otp|sim|voice ?mail)"
ACCESS_CODE = re.compile(
    rf"\b(?:pin|(?:{OPENED}|access)(?: pin)? (?:codes?|pin|combination)|(?:codes?|combination|pin) (?:of|for|to) (?:the |my |our |his |her |their )?(?:\w+ )?{OPENED})"
    r"\s?(?:is|are|was|now|:|=|\u2192|->){1,2}\s?(?:now |set to )?(?P<value>[#*]?\d[\d -]{2,14}\d[#*]?|(?=[a-z-]*\d)[a-z0-9]{3,8}(?:-[a-z0-9]{3,8}){1,7})"
    r"(?! ?(?:bits?|bytes?|seconds?|minutes?|digits?|characters?|ms|s|px|by default)\b)(?!\w|\.\d)"
)
PLAIN_CODE = re.compile(
    rf"\b(?:(?:sim|card|terminal|bank|karten|{OPENED})?[ -]?(?:pin|otp|tan)(?: (?:of|for|to|der|des|del|de|du|von|für) (?:the |my |our |la |le )?\w+(?: \d{{1,2}})?)?|(?:{OPENED}|access|2fa) (?:backup |recovery )?codes?(?: (?:of|for|to) (?:the |my |our )?\w+)?|(?:needs?|takes|with|enter|type|use) (?:the )?code|clave(?: \w+){{1,4}}"
    r"|(?:t[üu]r|zutritts|zugangs|alarm|safe|tor|eingangs)-?code|c[óo]digo(?: \w+){0,4}|codice(?: \w+){0,4}|code (?:d'|de |du )\w+(?: \w+)?)"
    r"(?: (?:is|was|ist|lautet|es|est|è|é|now))?\s?[:=]?\s?(?P<value>[#*]?\d{4,8}[a-z#*]?|\d{4}[- ]\d{4})(?!\w|[.,:-]\d| ?(?:bits?|bytes?|seconds?|minutes?|digits?|characters?|ms|px|times|users|rows|by default)\b)"
    r"|\b(?:safe|vault|lock|padlock|gate|door|alarm|keypad)\b[^.\n]{0,24}\b(?:opens with|takes|accepts|wants|combination(?: is)?)\s(?P<opens>\d[\d-]{3,10}\d|\d{4})(?!\w|[.,:-]\d| ?(?:bits?|seconds?|minutes?|ms)\b)"
)
CODE_BEFORE = re.compile(
    rf"(?<![\w.-])(?P<value>\d{{4,8}}) (?:as|is) (?:the |your |my |our |a )?(?:pin\b|(?:{OPENED}|access) (?:codes?|pin)\b)"
)
DEFAULT_LOGIN = re.compile(
    r"\b(?:root|admin|administrator|postgres|sysadmin|superuser)\s?/\s?(?P<value>(?=[^\s/]*\d)(?=[^\s/]*[!@#$%^&*?])[^\s/]{6,40})"
)
SEED_PHRASE = re.compile(
    r"\b(?:seed|mnemonic|recovery|wallet)(?: phrase| words)?\b\W{0,4}(?:\w+\W{1,3}){0,3}?(?P<value>(?:[a-z]{3,8}[, ]{1,2}){11,23}[a-z]{3,8})(?![a-z])"
)
NETWORK_KEY = re.compile(
    r"\b(?:wi-?fi|wlan) (?:key|pass\w*|code)\b[^:=.\n]{0,30}?(?::|=|\bis\b)\s?(?P<value>(?=\S*\d)[^\s,;]{8,63})"
)


def access_code_spans(reading: Reading) -> Iterator[Span]:
    """Spans of PINs, door and recovery codes, logins, seed phrases of wallets and keys of a wireless network."""
    yield from (match.span() for match in PLAIN_CODE.finditer(reading.lower))
    for pattern in (ACCESS_CODE, CODE_BEFORE, DEFAULT_LOGIN, SEED_PHRASE, NETWORK_KEY):
        yield from (match.span("value") for match in pattern.finditer(reading.lower))
