"""Codes that hold text: base 64, 32, 16, 2 and 85."""

import base64
import binascii
import re
from collections.abc import Callable

LONGEST_CODE = 2_000
SHORTEST_STRETCH = 12
UNREADABLE = re.compile(r"[^ -~\t\n\r\u00a1-\u1fff\u2010-\u205e\u2c00-\ud7ff\uf900-\uffef]+")
# How many decoded letters a word before the code may have glued to its beginning, and how far a beginning is read again.
MOST_GLUED, BEGINNING = 4, 120
BETWEEN = " . "


def readable(code: str, decode: Callable[[str], bytes]) -> str:
    """What `code` decodes to if that is eight or more printable characters, else nothing."""
    try:
        decoded = decode(code[:LONGEST_CODE]).decode()
    except (ValueError, binascii.Error):
        return ""
    printable = all(letter.isprintable() or letter.isspace() for letter in decoded)
    return decoded if len(decoded) >= 8 and printable else ""


def stretches(code: str, decode: Callable[[str], bytes], offsets: int) -> str:
    """The readable stretches of `code`, wherever in its first signs the true beginning lies: a word before a code
    may have glued a few signs to it."""
    found = []
    for offset in range(offsets):
        decoded = decode(code[offset:LONGEST_CODE]).decode(errors="replace")
        found += [stretch for stretch in UNREADABLE.split(decoded) if len(stretch) >= SHORTEST_STRETCH]
    return BETWEEN.join(map(with_beginnings, found))


def with_beginnings(text: str) -> str:
    """`text`, and how it begins when its first letters came from the word before and hide what follows."""
    beginnings = [text[glued : glued + BEGINNING] for glued in range(1, MOST_GLUED + 1)]
    return text if text.isdigit() else BETWEEN.join([text, *beginnings])


def decode_base64(code: str) -> bytes:
    """The bytes of standard or URL-safe base 64, padded or not, cut to whole groups."""
    code = code.rstrip("=").translate(URL_SAFE)
    return base64.b64decode(code[: len(code) - (len(code) % 4 == 1)] + "=" * (-len(code) % 4))


def decode_base32(code: str) -> bytes:
    """The bytes of base 32, padded or not, in groups or not, cut to what fills bytes."""
    code = NO_CODE.sub("", code)
    code = code[: len(code) - (len(code) % 8 in (1, 3, 6))]
    return base64.b32decode(code + "=" * (-len(code) % 8))


def decode_base16(code: str) -> bytes:
    code = NO_CODE.sub("", code)
    return bytes.fromhex(code[: len(code) - len(code) % 2])


def decode_binary(code: str) -> bytes:
    return bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", NO_CODE.sub("", code)))


def decode_base85(code: str) -> bytes:
    return base64.a85decode(code, adobe=True)


NO_CODE = re.compile(r"[\W_]+")
URL_SAFE = str.maketrans("-_", "+/")
