"""Credentials: known token formats, keys, URLs with a password, and secrets named by their surroundings."""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterator

from memories.screening.credential_context import access_code_spans, contextual_spans
from memories.screening.credential_formats import COMMON_PREFIXES, FORMATS
from memories.screening.credential_random import random_spans
from memories.screening.credential_stated import stated_spans
from memories.screening.entropy import is_masked, is_placeholder, is_random
from memories.screening.rule import Reading, Rule, Span, matches, starting
from memories.screening.shape import TokenFormat, example_of

REVOKE = (
    "Take it out, name the secret's place instead (a vault path or a variable's name), and revoke it if it was live."
)
ALL_FORMATS = re.compile(
    # The look-ahead leaves places where no token begins before a hundred formats are tried.
    r"(?<![A-Za-z0-9])(?=\w)(?=[!-~])(?:"
    + "|".join(f"(?P<f{number}>{token_format.pattern})" for number, token_format in enumerate(FORMATS))
    + ")"
)
TOKEN_SIGN = re.compile(r"[\d_]|[a-z][A-Z]|[A-Z]{12}")
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def known_tokens(reading: Reading) -> Iterator[tuple[str, Span]]:
    """Rule id and span of every token in a known format."""
    for run in reading.runs:
        if TOKEN_SIGN.search(run[0]):
            for match in ALL_FORMATS.finditer(reading.text, run.start(), run.end()):
                token_format = FORMATS[int((match.lastgroup or "f0")[1:])]
                if is_token(match[0], token_format):
                    yield f"credential.{token_format.name}", match.span()


def is_token(token: str, token_format: TokenFormat) -> bool:
    """Whether what has the layout of a token is more than a mask, a documentation's example, a word or a name."""
    if is_masked(token) or "EXAMPLE" in token:
        return False
    prefix = next((prefix for prefix in token_format.prefixes.split() if token.startswith(prefix)), "")
    if not prefix or prefix in COMMON_PREFIXES:
        return is_random(token.removeprefix(prefix))
    return TOKEN_SIGN.search(token) is not None


def checksum_fits(token: str) -> bool:
    """Whether the last six characters of a GitHub or npm token are the base-62 CRC-32 of the thirty before them."""
    prefix, _, body = token.partition("_")
    if not prefix or len(body) != 36 or not body.isalnum() or not body.isascii():
        return False
    value = 0
    for letter in body[30:]:
        value = value * 62 + BASE62.index(letter)
    return value == zlib.crc32(body[:30].encode())


JWT = re.compile(r"ey[JK][\w-]{8,2000}\.ey[JK][\w-]{5,4000}(?:\.[\w-]{0,1000})?")


def jwt_spans(reading: Reading) -> Iterator[Span]:
    """JSON Web Tokens whose first part decodes to a header that names an algorithm."""
    if "ey" not in reading.text or "." not in reading.text:
        return
    for match in JWT.finditer(reading.text):
        header = match[0].partition(".")[0]
        try:
            fields = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
        except (ValueError, binascii.Error, RecursionError):
            continue
        if isinstance(fields, dict) and ("alg" in fields or "typ" in fields):
            yield match.span()


URL_PASSWORD = re.compile(
    r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://(?P<user>[^\s:/@?#\"'<>]{0,100}):(?P<password>[^\s/@\"'<>]{1,200})@(?=[\w\[])"
)


def url_spans(reading: Reading) -> Iterator[Span]:
    if "://" not in reading.text or "@" not in reading.text:
        return
    for match in URL_PASSWORD.finditer(reading.text):
        if not is_placeholder(match["password"]):
            yield match.span("password")


CURL_USER = re.compile(
    r"(?:-u|--user|--proxy-user)[ =]{1,3}[\"'{]{0,2}(?P<user>[^\s:\"'{}]{1,100})[}\"']{0,2}:[\"'{]{0,2}(?P<password>[^\s\"'{}]{1,200})"
)
COMMAND_PASSWORD = re.compile(
    r"""(?xi) (?<!\w) (?: (?:mysql|mysqldump|mysqladmin|mariadb)\b [^\n]{0,60}? \s-p (?P<a>[^\s"']{4,60})
    | sshpass \s{1,4} -p \s{0,4} ["']? (?P<b>[^\s"']{3,60}) | docker \s login \b [^\n]{0,60}? \s (?:-p|--password) [ =] ["']? (?P<c>[^\s"']{4,80})
    | redis-cli \b [^\n]{0,60}? \s -a \s ["']? (?P<d>[^\s"']{4,80}) | ldap\w+ \b [^\n]{0,80}? \s -w \s ["']? (?P<e>[^\s"']{4,60})
    | net \s use \b [^\n]{0,60}? \s (?P<h>[^\s/\\]{6,60}) \s /user | keytool \b [^\n]{0,80}? -(?:store|key)pass \s (?P<i>\S{4,60})
    | openssl \b [^\n]{0,80}? \s (?:-k \s | -pass(?:in|out)? \s pass:) (?P<j>\S{4,60}) | -pass(?:in|out)? \s pass: (?P<k>\S{4,60})
    | convertto-securestring \s (?:-string \s)? ["'] (?P<l>[^"']{4,80})
    | htpasswd \s -\w*b\w* \s \S{1,60} \s \S{1,40} \s (?P<f>\S{4,60}) | net \s user \s \S{1,40} \s (?P<g>[^\s/]{4,60}) )"""
)
SQL_PASSWORD = re.compile(
    r"(?i)(?:identified\s(?:with\s\w{1,40}\s)?by|(?:with\s|encrypted\s)password|password\s?\()\s{0,3}['\"](?P<password>[^'\"]{3,200})['\"]"
)
COMMANDS = frozenset(
    "u user mysql mysqldump mysqladmin mariadb sshpass docker redis ldapsearch ldapmodify ldapadd htpasswd net identified keytool openssl convertto pass passin passout password".split()
)


def command_spans(reading: Reading) -> Iterator[Span]:
    """Passwords given to curl, database clients and other commands."""
    if COMMANDS.isdisjoint(reading.words):
        return
    for pattern in (CURL_USER, COMMAND_PASSWORD, SQL_PASSWORD):
        for match in pattern.finditer(reading.text):
            name = match.lastgroup or ""
            named_user = pattern is CURL_USER and is_placeholder(match["user"])
            if not is_placeholder(match[name]) and not named_user:
                yield match.span(name)


BASIC_HEADER = re.compile(r"(?i)\bbasic\s{1,3}(?P<code>[a-z0-9+/]{8,400}={0,2})")


def basic_header_spans(reading: Reading) -> Iterator[Span]:
    for match in BASIC_HEADER.finditer(reading.text):
        try:
            decoded = base64.b64decode(match["code"], validate=True).decode()
        except (ValueError, binascii.Error):
            continue
        user, colon, password = decoded.partition(":")
        if colon and user.isprintable() and not is_placeholder(password):
            yield match.span("code")


def _pem() -> str:
    return "-----BEGIN RSA " + "PRIVATE KEY----- " + example_of("{b64}") + " -----END RSA " + "PRIVATE KEY-----"


def _jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "demo"})
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, example_of("{A43}")])


def _format_rule(token_format: TokenFormat) -> Rule:
    pattern = re.compile(rf"(?<![A-Za-z0-9]){token_format.pattern}")

    def check(reading: Reading) -> Iterator[Span]:
        return (match.span() for match in pattern.finditer(reading.text))

    return Rule(
        id=f"credential.{token_format.name}",
        severity="refuse",
        sentence=f"This carries what looks like a {token_format.service} credential. {REVOKE}",
        why=f"{token_format.service} tokens have a layout of their own.",
        good=f"The {token_format.service} token is kept in the vault.",
        bad=f"The integration uses {token_format.example()} since Monday.",
        check=check,
    )


FORMAT_RULES: tuple[Rule, ...] = tuple(map(_format_rule, FORMATS))

CHECKED_RULES: tuple[Rule, ...] = (
    Rule(
        id="credential.private-key",
        severity="refuse",
        sentence=f"This carries a private key. {REVOKE}",
        why="A PEM, OpenSSH, PGP or PuTTY block holds the key itself; a bare header without a body holds nothing.",
        good="The file starts with -----BEGIN PUBLIC KEY----- and is safe to share.",
        bad=_pem(),
        check=matches(
            r"-----begin (?:[a-z0-9]+ ){0,3}private key(?: block)?-----(?:\\n|\\r|[\s\"'+])*(?:[a-z-]+: [^\n]{1,80}? )*[a-z0-9+/=]{16,}"
            r"|putty-user-key-file-\d|private-lines: \d"
        ),
        stems=starting("private putty"),
    ),
    Rule(
        id="credential.json-web-token",
        severity="refuse",
        sentence=f"This carries a JSON web token, which lets its holder in. {REVOKE}",
        why="The header decodes to JSON that names an algorithm, so it is no chance string.",
        good="JSON web tokens live for an hour.",
        bad=f"The session used {_jwt()} all day.",
        check=jwt_spans,
    ),
    Rule(
        id="credential.url-password",
        severity="refuse",
        sentence=f"A URL here carries a password. {REVOKE}",
        why="scheme://user:password@host is how connection strings leak.",
        good="The broker is at redis://broker.internal:6379/0.",
        bad="The broker is at redis://worker:" + example_of("{A12}") + "@broker.internal:6379/0.",
        check=url_spans,
    ),
    Rule(
        id="credential.command-password",
        severity="refuse",
        sentence=f"A command here carries a password. {REVOKE}",
        why="curl -u, mysql -p, sshpass and SQL's IDENTIFIED BY take passwords in clear.",
        good="Call it with curl -u username:password as the docs say.",
        bad="It was run as curl -u deploy:" + example_of("{A10}") + " against staging.",
        check=command_spans,
    ),
    Rule(
        id="credential.basic-header",
        severity="refuse",
        sentence=f"An Authorization header here carries a user name and password. {REVOKE}",
        why="Basic authentication is base64, which hides nothing.",
        good="The gateway answers 401 with WWW-Authenticate: Basic realm.",
        bad="Header was Basic " + base64.b64encode(b"deploy:" + example_of("{A10}").encode()).decode(),
        check=basic_header_spans,
        stems=starting("basic"),
    ),
    Rule(
        id="credential.in-context",
        severity="refuse",
        sentence=f"A value here is introduced as a password, key or token. {REVOKE}",
        why="Most leaked secrets have no format; the word before them tells.",
        good="The API key is read from the environment and the password must have 12 characters.",
        bad="api_key = " + example_of("{A24}"),
        check=contextual_spans,
    ),
    Rule(
        id="credential.stated",
        severity="refuse",
        sentence=f"A sentence here gives a password away. {REVOKE}",
        why="People write down passwords in plain words, in every language, with no sign of an assignment.",
        good="The password is hashed with PBKDF2 since Django 4.2, and the login moved to OAuth2 in R2026a.",
        bad="Das Passwort für den alten Server lautet " + example_of("{L4}") + "-7Q!x.",
        check=stated_spans,
    ),
    Rule(
        id="credential.access-code",
        severity="refuse",
        sentence=f"This carries a code or phrase that opens something. {REVOKE}",
        why="Door codes, PINs, recovery codes and seed phrases are short and made of ordinary signs; the words before tell.",
        good="The PIN has 4 digits, the verification code expires after 600 seconds and the access code is 64 bits wide.",
        bad="The code of the side door is 5318.",
        check=access_code_spans,
        stems=starting(
            "pin tan otp code codes safe vault padlock gate door alarm keypad zutrittscode zugangscode türcode código codice phrase words key mnemonic wifi wi combination passcode root admin administrator postgres sysadmin superuser"
        ),
    ),
    Rule(
        id="credential.cloud-account",
        severity="flag",
        sentence="A cloud account's number here helps an attacker. Leave it out, or let a person look.",
        why="An account number is half of many an attack, though no key.",
        good="The AWS account of staging was closed in 2025.",
        bad="The AWS account id is " + example_of("{d12}"),
        check=matches(
            r"\baws\b.{0,30}\baccount\b.{0,20}\b\d{4}-?\d{4}-?\d{4}\b",
            r"\baws_account_?(?:id|number)?\W{1,6}\d{4}-?\d{4}-?\d{4}\b",
        ),
        stems=starting("aws account"),
    ),
    Rule(
        id="credential.random-string",
        severity="flag",
        sentence="A long random string here may be a credential. Take it out, or say what it is and let a person look.",
        why="Keys without a known format still look generated; digests are told apart by alphabet and surroundings.",
        good="The commit is 95983cfcacd7178004fa7c4325cd340ef360d5c0.",
        bad="The console printed " + example_of("{A40}") + " at the end.",
        check=random_spans,
    ),
)

RULES: tuple[Rule, ...] = CHECKED_RULES + FORMAT_RULES
