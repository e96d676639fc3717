"""Numbers that name a person: phones, cards, bank accounts and national ids, with their check digits."""

import ipaddress
import re
from collections.abc import Iterator
from importlib import import_module

from memories.screening.rule import Reading, Span

PHONE_WORD = re.compile(
    r"(?i)(?:\b(?:phones?|tel(?:ephone|efon\w*|éfono|\b)|mobiles?|cell(?:ular|phone)?|landline|fax|call(?:s|ed|ing|-?back)?|dial(?:led)?|ring|rang"
    r"|reach(?:ed)?|contact|answering(?: at)?|whatsapp|signal|sms|text(?:ed)? (?:me|him|her|them)|hotline|handy(?:nummer)?|rufnummer|numero|número|numéro|nummer"
    r"|telefone|telefono|téléphone|telefoon\w*|celular|móvil|cellulare|portable|puhelin\w*|escalat\w*|extension|registered|voicemail|pager|(?:my|her|his|their|your|our|us|direct|office|home|personal) (?:\w+ )?number)\b"
    r"|电话|電話|手机|手機|携帯|전화|휴대폰|телефон|тел\.|моб|फ़?ोन|फोन|मोबाइल|هاتف|جوال|تلفن|טלפון|נייד|điện thoại|โทร|τηλέφωνο)"
)
WORD_AFTER = re.compile(
    r"(?i)\W{0,4}(?:is |was |ist |est |es )?(?:(?:his|her|their|my|the|a|sein\w*|ihr\w*|su|son) )?(?:mobile|cell|phone|landline|handy|móvil|portable|cellulare|line\b|zadzwo\w+|微信|电话|手机|携帯)"
)
DIGIT_RUN = re.compile(r"(?<![\w.,:/#-])(?:\+|\(\+?)?\d[\d ().\-–/]{4,24}\d(?![\w/]|[.,:-]\d)")
PLUS_NUMBER = re.compile(r"(?<![\w+])\(?\+\s?\d[\d ().\-/]{5,22}\d(?![\w])")
DATE = re.compile(
    r"(?:(?:19|20)\d\d[-./ ](?:0?\d|1[0-2])[-./ ][0-3]?\d|[0-3]?\d[-./][0-3]?\d[-./](?:19|20)?\d\d)(?:\s.*)?"
)
THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[ -]\d{3})+|(?:19|20)\d\d[- ]\d+")
NUMBER_WORD = re.compile(
    r"(?i)(?:version|release|port|issue|ticket|pr|id|error|code|build|commit|job|line|row|page|epoch|timestamp|seconds|ms|bytes|rows|limit|invoice|order|case|pid|uid|note|part|no|nr|sku|serial|rma|batch|tracking|isbn|contract|lot|article|item|model|reference|ref|customer|account|number of \w+)s?\W{0,3}\Z"
)


def phone_spans(reading: Reading) -> Iterator[Span]:
    """Numbers that are possible phone numbers: written with a plus, or grouped as phones are, or after a phone's word."""
    text = reading.text
    if reading.digits < 6:
        return
    for match in PLUS_NUMBER.finditer(text):
        if 7 <= _digits(match[0]) <= 15:
            yield match.span()
    for match in DIGIT_RUN.finditer(text):
        before = text[max(0, match.start() - 60) : match.start()]
        after = text[match.end() : match.end() + 24]
        if is_phone(match[0], before, PHONE_WORD.search(before) is not None or WORD_AFTER.match(after) is not None):
            yield match.span()


def is_phone(number: str, before: str, introduced: bool) -> bool:
    """Whether a run of digits is grouped as a phone number, or was `introduced` as one by the text `before` it."""
    count, groups = _digits(number), re.findall(r"\d+", number)
    if not 6 <= count <= 15 or DATE.fullmatch(number.strip("()+ ")) or NUMBER_WORD.search(before):
        return False
    if introduced:
        return count >= 7 or len(groups) > 1 or number.startswith("0")
    dotted = number.count(".") == len(groups) - 1 > 2
    if count < 8 or dotted or THOUSANDS.fullmatch(number):
        return False
    grouped = len(groups) >= 3 and all(2 <= len(group) <= 4 for group in groups[1:])
    # A trunk zero, an area and a subscriber's number, as in 06-12345678.
    trunk = number[0] == "0" and number[1] != "0" and len(groups) == 2 and 9 <= count <= 11 and len(groups[1]) >= 6
    return grouped or trunk or ("(" in number and len(groups) >= 2)


def _digits(number: str) -> int:
    return sum(map(str.isdigit, number))


CARD = re.compile(r"(?<![\w.-])(?:\d[ -]?){11,18}\d(?![\w]|-\d|\.\d)")
CARD_WORD = re.compile(
    r"(?i)\b(?:cards?|visa|master-?card|amex|american express|maestro|discover|charge[ds]?|credit|debit|karte|carte|tarjeta|cart[aã]o|carta|cvv|cvc|exp(?:iry|ires|\.)?)\b"
)


def luhn_fits(digits: str) -> bool:
    """The Luhn check (ISO/IEC 7812-1, annex B) over a string of decimal digits."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if position % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def card_spans(reading: Reading) -> Iterator[Span]:
    """12 to 19 digits in a card network's range whose Luhn digit fits, or that a card's word introduces."""
    for match in CARD.finditer(reading.text) if reading.digits >= 12 else ():
        around = reading.text[max(0, match.start() - 40) : match.end() + 30]
        if is_card("".join(filter(str.isdigit, match[0])), introduced=CARD_WORD.search(around) is not None):
            yield match.span()


def is_card(digits: str, *, introduced: bool) -> bool:
    in_range = digits[0] in "23456" or (digits[0] == "1" and len(digits) == 15)
    if not in_range or not 12 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    return (introduced and len(digits) >= 14) or (luhn_fits(digits) and (introduced or len(digits) > 12))


# Both cases spelled out: ignoring case, letters such as the Turkish dotted I would count as Latin ones.
IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d\d(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,4})?(?!\w)")


def iban_spans(reading: Reading) -> Iterator[Span]:
    """International bank account numbers whose two check digits fit (ISO 13616, mod 97), and domestic ones with a bank."""
    if reading.digits >= 9:
        yield from (match.span(match.lastgroup or 0) for match in DOMESTIC.finditer(reading.text))
    for match in IBAN.finditer(reading.text) if reading.digits >= 8 else ():
        compact = re.sub(r"[ -]", "", match[0]).upper()
        for length in range(len(compact), 14, -1):
            if _iban_fits(compact[:length]):
                yield match.span()
                break


DOMESTIC = re.compile(
    r"(?i)\b(?:routing|sort code|blz|bankleitzahl|bsb|aba|ifsc|swift|bic|bank|transit)\b[^\n]{0,40}?\b(?:account|acct|konto\w*|kto|rekening\w*|cuenta|compte|conto|conta)\b\.?\W{0,3}(?:no|nr|number|n[°º])?\.?\W{0,3}(?P<number>\d[\d -]{4,14}\d)"
    r"|\b(?:account|acct|konto(?:nummer|nr)?|kto|cuenta|compte|conto|conta)\b\.?\W{0,3}(?:no|nr|number|n[°º])?\.?\W{0,3}(?P<first>\d[\d -]{4,14}\d)[^\n]{1,20}\b(?:routing|sort code|blz|bankleitzahl|bsb|aba|ifsc|swift|bic)\b"
)


def _iban_fits(number: str) -> bool:
    return int("".join(str(int(letter, 36)) for letter in number[4:] + number[:4])) % 97 == 1


# Pattern, python-stdnum module, and whether a word for an id must stand near: formats of digits alone fit too much.
NATIONAL_IDS: tuple[tuple[str, str, bool], ...] = (
    (r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", "it.codicefiscale", False),
    (r"\d{8}[A-HJ-NP-TV-Z]", "es.dni", False),
    (r"[XYZ]\d{7}[A-Z]", "es.nie", False),
    (r"\d{6}-?[1-8]\d{6}", "kr.rrn", False),
    (r"\d{13}", "za.idnr", False),
    (r"[A-Z]{5}\d{4}[A-Z]", "in_.pan", False),
    (r"\d{4} ?\d{4} ?\d{4}", "in_.aadhaar", True),
    (r"\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}", "br.cpf", True),
    (r"\d{11}", "pl.pesel", True),
    (r"\d{6}[-+A]\d{3}[\dA-Y]", "fi.hetu", False),
    (r"(?:19|20)?\d{6}[-+]\d{4}", "se.personnummer", False),
    (r"\d{6}-\d{4}", "dk.cpr", True),
    (r"\d{11}", "no.fodselsnummer", True),
    (r"\d{2}\.?\d{2}\.?\d{2}[ -]?\d{3}[.-]?\d{2}", "be.nn", True),
    (r"\d{9}", "nl.bsn", True),
    (r"[12] ?\d{2} ?[01]\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}", "fr.nir", False),
    (r"\d{11}", "de.idnr", True),
    (r"\d{13}", "ro.cnp", True),
    (r"\d{6}/?\d{3,4}", "cz.rc", True),
    (r"\d{11}", "ee.ik", True),
    (r"\d{11}", "lt.asmens", True),
    (r"\d{11}", "hr.oib", True),
    (r"\d{10}", "bg.egn", True),
    (r"\d{11}", "tr.tckimlik", True),
    (r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}", "ch.ssn", False),
    (r"\d{17}[\dX]", "cn.ric", False),
    (r"\d{9}", "il.idnr", True),
    (r"\d{4} ?\d{4} ?\d{4}", "jp.in_", True),
    (r"\d{1,2}\.\d{3}\.\d{3}-[\dK]", "cl.rut", False),
    (r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d", "mx.curp", False),
    (r"\d{3}[ -]?\d{3}[ -]?\d{3}", "ca.sin", True),
    (r"\d{3} ?\d{3} ?\d{3}", "au.tfn", True),
    (r"\d{3} ?\d{3} ?\d{4}", "gb.nhs", True),
    (r"\d{7}[A-W][A-IW]?", "ie.pps", False),
    (r"\d{1}-\d{4}-\d{5}-\d{2}-\d{1}", "th.pin", False),
    (r"\d{8} ?\d[A-Z]{2}\d", "pt.cc", True),
    (r"\d{10}", "is_.kennitala", True),
    (r"\d{6}-\d{4}", "is_.kennitala", True),
    (r"\d{6}-?\d{2}-?\d{4}", "my.nric", True),
    (r"\d{16}", "id.nik", True),
    (r"\d{5}-\d{7}-\d", "pk.cnic", False),
    (r"\d{14}", "eg.tn", True),
    (r"\d{11}", "gr.amka", True),
    (r"\d{13}", "si.emso", True),
    (r"(?:20|2[3-7]|30|33)-?\d{8}-?\d", "ar.cuit", True),
    (r"\d{10}", "ec.ci", True),
    (r"\d{3}-?\d{7}-?\d", "do.cedula", True),
    (r"\d{10}", "ua.rntrc", True),
    (r"\d{4} ?\d{6}", "at.vnr", True),
    (r"[A-Z]{3}\d{7}", "in_.epic", True),
    (r"[A-Z]{4}\d{6}[A-Z\d]{3}", "mx.rfc", True),
    (r"\d{8,9}", "nz.ird", True),
)
ID_WORDS = (
    r"\b(?:national (?:id|identity)|identity (?:card|check|number|no)|identification|id (?:card|number|no\.?)|personal (?:id|code|number|identification)|social (?:security|insurance)|ssn|tax(?:payer)? (?:id|file|number|code)|passport|reisepass(?:nummer|-nr)?|pass-?nr|pasaporte|passeport|passaporto"
    r"|driver'?s?'? ?licen[cs]e|driving licen[cs]e|f[üu]hrerschein(?:nummer|-nr)?|patente|permis de conduire|licencia de conducir|pesel|cpf|aadhaar|aadhar|nhs|bsn|sin|tfn|nino|ni number|national insurance|personnummer|cpr|fødselsnummer|codice fiscale|steuer-?id\w*|steuernummer|rodné číslo|cnp|oib|egn|kimlik|tc no|medicare|voter|epic|pan (?:card|number|no)|permanent account|personalausweis|ausweis(?:nummer|-nr)?|kennzeichen|sort code|dl|dni|nie|curp|rut|mynumber|my number|身份证|住民|주민|מספר זהות|licen[cs]e plate|number plate|registration (?:plate|number)|plate|rrn|cuit|cuil|c[ée]dula|hkid|nik|ktp|emirates id|amka|inn|инн|снилс|паспорт\w*|id-?kaart|isikukood|kennitala|sozialversicherungsnummer|sv-?nr|ahv\w*|visa (?:no|number)|residence permit|green card|nhi|health insurance|kranken\w+|mykad|cnic|immatriculation|matr[íi]cula|targa|kenteken|nummerplade|nummerskylt|placa|госномер|rijksregister\w*|avs)\b"
)
ID_WORD = re.compile(ID_WORDS, re.I)
PLATE = re.compile(r"(?i)\w*\s?plate|kennzeichen|immatric|matr|targa|kenteken|nummer|placa|госн|registration")
# Imported here and not at first use: the first note with an id would otherwise wait for fifty imports.
COMPILED_IDS = tuple(
    (re.compile(rf"(?<![\w.-])(?:{pattern})(?![\w]|[.-]\d)"), import_module(f"stdnum.{module}"), needs_word)
    for pattern, module, needs_word in NATIONAL_IDS
)


def national_id_spans(reading: Reading) -> Iterator[Span]:
    """National ids of some forty countries whose check digit or date fits."""
    text = reading.text
    if reading.digits < 6:
        return
    introduced = ID_WORD.search(text) is not None
    for pattern, module, needs_word in COMPILED_IDS:
        if introduced or not needs_word:
            for match in pattern.finditer(text):
                if module.is_valid(match[0]):
                    yield match.span()


SOCIAL_SECURITY = re.compile(r"(?<![\w.-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
SHAPED_ID = re.compile(
    r"(?<![\w-])(?:[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]|[A-Z]{3}[ABCFGHLJPTKES][A-Z]\d{4}[A-Z]|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]"
    r"|[XYZ]-?\d{7}-?[A-Z]|[STFGM]\d{7}[A-Z]|[A-Z]{1,2}\d{6}\([\dA]\)|784-\d{4}-\d{7}-\d|\d{6}-[1-8]\d{6}|[A-Z9]{5}\d{6}[A-Z9]{2}\d[A-Z]{2})(?![\w-])"
)
NAMED_ID = re.compile(
    rf"(?:{ID_WORDS}|\blicen[cs]e number|\bpass)\W{{0,3}}(?:(?:is|was|id|no|nr|n[°º]|num(?:ber)?|número|numero|nummer|numéro|es|est|ist|é|van|of)(?!\w)[.:]?\W{{0,3}}){{0,3}}(?P<id>(?-i:(?=[\w -]{{0,8}}\d)[A-Z0-9](?:[A-Z0-9-]|\s(?=[A-Z0-9]*\d|[A-Z]{{1,3}}\b)){{4,20}}(?![a-z])))",
    re.I,
)


def named_id_spans(reading: Reading) -> Iterator[Span]:
    """Passport, licence and other numbers that their name introduces, and formats too telling to need one."""
    if reading.digits >= 2:
        yield from (match.span() for match in SHAPED_ID.finditer(reading.text))
        for match in NAMED_ID.finditer(reading.text):
            if _digits(match["id"]) >= 4 or PLATE.match(match[0]):
                yield match.span("id")


def social_security_spans(reading: Reading) -> Iterator[Span]:
    if reading.digits >= 9:
        yield from (match.span() for match in SOCIAL_SECURITY.finditer(reading.text))


ADDRESS = re.compile(
    r"(?<![\w.:/-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d)|(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}(?::|[0-9a-f]{1,4})(?:[0-9a-f:]{0,30})(?![\w:])",
    re.I,
)


def ip_spans(reading: Reading) -> Iterator[Span]:
    """Globally routable IP addresses; private, loopback and documentation ranges name no person."""
    if reading.text.count(".") < 3 and reading.text.count(":") < 2:
        return
    for match in ADDRESS.finditer(reading.text):
        try:
            address = ipaddress.ip_address(match[0])
        except ValueError:
            continue
        if address.is_global:
            yield match.span()
