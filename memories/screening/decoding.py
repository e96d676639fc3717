"""Codes that hold text: base 64, 32, 16, 2 and 85."""

import base64
import binascii
import re
from collections.abc import Callable

LONGEST_CODE = 2_000


def readable(code: str, decode: Callable[[str], bytes]) -> str:
    """What `code` decodes to if that is eight or more printable characters, else nothing."""
    try:
        decoded = decode(code[:LONGEST_CODE]).decode()
    except (ValueError, binascii.Error):
        return ""
    printable = all(letter.isprintable() or letter.isspace() for letter in decoded)
    return decoded if len(decoded) >= 8 and printable else ""


def decode_base64(code: str) -> bytes:
    """The bytes of standard or URL-safe base 64, padded or not, cut to whole groups."""
    code = code.rstrip("=").translate(URL_SAFE)
    return base64.b64decode(code[: len(code) - (len(code) % 4 == 1)] + "=" * (-len(code) % 4))


def decode_base32(code: str) -> bytes:
    code = code.rstrip("=")
    return base64.b32decode(code + "=" * (-len(code) % 8))


def decode_base16(code: str) -> bytes:
    return bytes.fromhex(code.replace(":", " "))


def decode_binary(code: str) -> bytes:
    return bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", code))


def decode_base85(code: str) -> bytes:
    return base64.a85decode(code, adobe=True)


URL_SAFE = str.maketrans("-_", "+/")
