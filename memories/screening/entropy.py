"""How random a string looks, and whether it is only standing in for a secret."""

import math
import re
from collections import Counter

PLACEHOLDER_WORDS = frozenset(
    """password passwd passwort kennwort pwd pass passphrase passcode secret secrets token tokens key keys apikey api_key
    api-key auth bearer basic username user userid login admin root none null nil undefined true false yes no empty
    blank todo tbd n/a na unset default changeme change_me change-me changeit guest foo bar baz foobar test testing tests
    dummy fake sample demo example placeholder redacted masked hidden removed omitted censored private public string
    str int bool required optional missing invalid value values text xxx yyy zzz abc abcdef abc123 123456 1234567
    12345678 123456789 hunter mysecret mypassword mytoken my_secret my_password my_token yourpassword yourtoken
    string text email input hidden submit field form label title description type name url file path number object boolean required
    password1 password123 pass123 secret123 s3cr3t secretkey secret_key""".split()
)
# Masks and variables, "your-token-here", look-ups in code, calls, tags of configuration languages.
PLACEHOLDER = re.compile(
    r"""(?ix) [x*.•#?_\-]+ \Z | [x*]{3,} \Z | (?: [<\[{(%$&] | \#\{ | \\?\$ | @\{ | !(?:vault|ref|sub|env|secret|getatt)\b | enc[\[(] ) .*
    | (?: your | my[-_]? (?:api|secret|token|key|pass) | insert | enter | replace | put | paste | add | set | use ) [-_\s.] .*
    | your [a-z]* (?:key|token|secret|password|pass) .*
    | (?: env | environ | os | process | settings | config | self | this | vault | secrets? | var | data | params? | options | args
        | request | local | module | ctx | app ) (?: \. | \[ | :: | -> ) .*
    | [\w.:]+ [\[(] .* | :[a-z]\w* | getenv .* | @\w+ \Z | \w+ (?:->|::) .* | [a-z]+ (?: \.[A-Za-z_]+ )+ \Z | %\w
    """
)
STAND_IN = re.compile(
    r"(?i)example|placeholder|redacted|change[-_ ]?me|\.\.\.|[_-]here\b|xxxx|\*\*\*\*|dummy|insert|sample"
)
ALGORITHM = re.compile(
    r"(?i)(?:hmac|pbkdf2|bcrypt|scrypt|argon2|sha|md|aes|rsa|des|ed|ec|hs|rs|es|ps|base|utf|oauth|oidc|saml|x|tls|ssl|v)"
    r"[-_]?\d[\w.-]{0,12}"
)
MASK = re.compile(r"(?i)[x*.•]{8,}\Z")
HEXADECIMAL = re.compile(r"(?:0x)?[0-9a-fA-F]+")
LETTER_PAIR = re.compile(r"(?=([a-z]{2}))")
# The pairs of neighbouring letters that make up nine tenths of written English and its relatives.
COMMON_PAIRS = frozenset(
    """th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ro ri io ic
    ne me li ll ch co om el be ma so no ta la ec ho ns us ce pe tr ca di ss ee lo wa tt ac pl ct em ge ie nc su po un id we ai mo
    ow ke wh ad ot il na ul pr ut ir mi pa op ly fo ay rs ts am vi ap cl sh wi ag im ol ev bl ab fi ig sp ck gr ex ur ep ki ue lt
    do os rd ry rt ki ty up av da fe bo ga ff rm ef mp oo ov ei qu bu od ob pi va ua if ys ub gh ni gi dy cu ph ok ui mb cr ak nk""".split()
)
WORDLIKE, WORDLIKE_WITHOUT_DIGITS = 0.7, 0.5


def entropy(value: str) -> float:
    """Shannon entropy of the characters of `value`, in bits a character (0.0 for an empty string)."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def is_placeholder(value: str) -> bool:
    """Whether `value` stands for a secret without being one: a word, a variable, a mask, an empty form field."""
    bare = value.strip("\"'`.,;:!)( ")
    if not bare or bare.lower() in PLACEHOLDER_WORDS or (len(set(bare)) <= 1 and len(bare) < 20):
        return True
    return bool(
        STAND_IN.search(value)
        or PLACEHOLDER.match(bare)
        or (value != bare and PLACEHOLDER.match(value))
        or ALGORITHM.fullmatch(bare)
    )


def is_masked(value: str) -> bool:
    """Whether the end of a token is only x, * or dots."""
    return MASK.search(value) is not None


def wordlike(value: str) -> float:
    """The share of neighbouring letter pairs that are common in written language: about 0.3 for random letters."""
    pairs = LETTER_PAIR.findall(value.lower())
    return sum(pair in COMMON_PAIRS for pair in pairs) / len(pairs) if pairs else 0.0


def is_random(value: str, shortest: int = 12) -> bool:
    """Whether `value` reads as generated: long enough, letters and digits mixed, and no words with numbers."""
    digits = sum(map(str.isdigit, value))
    if len(value) < shortest or not any(map(str.isalpha, value)) or entropy(value) < 2.7:
        return False
    if not digits:
        both_cases = not value.islower() and not value.isupper()
        return len(value) >= 16 and both_cases and wordlike(value) < WORDLIKE_WITHOUT_DIGITS
    return HEXADECIMAL.fullmatch(value) is not None or digits * 5 >= len(value) or wordlike(value) < WORDLIKE
