"""Personal data: what names or reaches a person."""

import re
from collections.abc import Iterator

from memories.screening.personal_address import address_spans
from memories.screening.personal_life import LIFE_RULES
from memories.screening.personal_names import name_spans
from memories.screening.personal_numbers import (
    card_spans,
    iban_spans,
    ip_spans,
    named_id_spans,
    national_id_spans,
    phone_spans,
    social_security_spans,
)
from memories.screening.rule import LEAVE_OUT, Reading, Rule, Span

EMAIL = re.compile(
    r"(?<![\w.+-])(?:[\w.+%'-]{1,64}|\"[\w.+ -]{1,40}\")(?:@|＠|\s?(?:\[at\]|\(at\)|\{at\}|<at>)\s?)(?:[\w-]{1,63}\s?(?:\.|\[dot\]|\(dot\)|\{dot\}|<dot>| dot | punkt | punto | point )\s?){1,5}[^\W\d_]{2,24}(?![\w])"
    r"|(?<![\w.+-])[\w.+-]{2,40} (?:@|(?-i:AT|ÄT)) [\w-]{2,40}(?:\.|\s(?-i:DOT|PUNKT)\s)(?:[\w-]{2,20}\.)?[A-Za-z]{2,10}(?!\w)|(?<![\w.+-])[a-z]{2,20}_at_[a-z-]{2,20}\.[a-z]{2,10}(?!\w)",
    re.I,
)
SPELLED_DOTS = frozenset("dot punkt point punto ponto punt kropka tochka".split())
AT_SIGNS = ("@", "＠", "at]", "at)", "at}", "at>", " at ", "_at_", " ät ")
SPELLED_EMAIL = re.compile(
    r"\b\w{2,30}(?: (?:dot|punkt|point|punto|ponto|punt|kropka|tochka) \w{1,30}){0,2} (?:at|ät|arroba|arobase|chiocciola|apenstaartje|klammeraffe|małpa|sobaka|snabel-?a) \w{2,30}"
    r"(?: (?:dot|punkt|point|punto|ponto|punt|kropka|tochka) \w{2,20})? (?:dot|punkt|point|punto|ponto|punt|kropka|tochka) (?:com|org|net|io|de|fr|es|it|pt|br|nl|pl|ru|at|ch|be|uk|eu|se|dk|no|fi|cz|example|co|edu|gov|info|me|app|dev)\b"
)
NOT_A_MAILBOX = re.compile(r"(?:git|ssh)@|[0-9a-fA-F-]{16,}@")


def email_spans(reading: Reading) -> Iterator[Span]:
    """Addresses as typed, with `[at]` or spelled out; not decorators, URLs' user parts or message ids."""
    if not SPELLED_DOTS.isdisjoint(reading.words):
        yield from (match.span() for match in SPELLED_EMAIL.finditer(reading.lower))
    if any(sign in reading.lower for sign in AT_SIGNS):
        for match in EMAIL.finditer(reading.text):
            before = reading.text[: match.start()]
            if not before.endswith(("://", ":", "//")) and not NOT_A_MAILBOX.match(match[0]):
                yield match.span()


BORN = (
    r"born|date of birth|birth ?date|birthday|d\.?o\.?b|geboren|geb|geburts(?:datum|tag)|née?|date de naissance|naciment?o|nacid[oa]|nació|fecha de nacimiento|nat[oa]|data di nascita|nascid[oa]|data de nascimento"
    r"|geboortedatum|ur|urodzon[ya]|data urodzenia|född|født|fødselsdato|födelsedatum|syntynyt|narozen[aý]?|datum narození|született|doğum tarihi|doğumlu|дата рождения|родил\w+|γεννήθηκε|ημερομηνία γέννησης"
    r"|生年月日|生日|出生日期|出生|생년월일|תאריך לידה|تاريخ الميلاد|ngày sinh|sinh ngày|tanggal lahir|lahir|născut[ăa]?|data nașterii"
)
BIRTH = re.compile(
    rf"(?<!\w)(?:{BORN})(?!\w)[.]?\W{{0,4}}(?:(?:is|was|on|in|am|le|el|il|em|the|den|dne|dn|dnia|er|es|è|é|est|in \w{{2,20}})\W{{1,2}}){{0,3}}"
    r"(?:\d{1,4}(?:st|nd|rd|th)?[-./ ]\d{1,2}[-./ ]\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.|º|er)? (?:of |de )?[^\W\d]{3,10}\.?,?(?: de)? '?\d{2,4}|[^\W\d]{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{4}[年년]\s?\d{1,2}[月월]\s?\d{1,2})"
)


def birth_spans(reading: Reading) -> Iterator[Span]:
    """Dates that a word for birth introduces."""
    if reading.digits >= 3:
        yield from (match.span() for match in BIRTH.finditer(reading.lower))


RULES: tuple[Rule, ...] = (
    Rule(
        id="personal.email",
        severity="refuse",
        sentence=f"This carries an e-mail address. {LEAVE_OUT}",
        why="An address reaches a person and outlives the reason it was noted for.",
        good="Use @shared_task as a decorator; the image is pinned as worker@sha256 and cloned from git@github.com:team/app.git.",
        bad="Contact is mara.k@mail.example for this.",
        check=email_spans,
    ),
    Rule(
        id="personal.phone",
        severity="refuse",
        sentence=f"This carries what looks like a phone number. {LEAVE_OUT}",
        why="A number written as phones are, or introduced as one.",
        good="Port 5432, version 3.12.1, issue 35713 and 2026-02-28 09:15 are no phones.",
        bad="Call back on +44 20 7946 0123 after lunch.",
        check=phone_spans,
    ),
    Rule(
        id="personal.card",
        severity="refuse",
        sentence=f"This carries a payment card number. {LEAVE_OUT}",
        why="The check digit fits, or the text says that it is a card.",
        good="Job 4111 ran 1234567890123 ns.",
        bad="The card 4111 1111 1111 1111 was declined.",
        check=card_spans,
    ),
    Rule(
        id="personal.bank-account",
        severity="refuse",
        sentence=f"This carries a bank account number. {LEAVE_OUT}",
        why="An IBAN whose check digits fit, or an account's number beside its bank's.",
        good="Build DE00 1234 5678 failed.",
        bad="Refunds go to DE89 3704 0044 0532 0130 00.",
        check=iban_spans,
    ),
    Rule(
        id="personal.social-security",
        severity="refuse",
        sentence=f"This carries what looks like a US social security number. {LEAVE_OUT}",
        why="Three, two and four digits in the ranges that are issued.",
        good="Ticket 000-12-3456 and range 10-20-30.",
        bad="Identity check used 219-09-9999.",
        check=social_security_spans,
    ),
    Rule(
        id="personal.national-id",
        severity="refuse",
        sentence=f"This carries what looks like a national id number. {LEAVE_OUT}",
        why="Its layout and check digit fit a country's scheme.",
        good="Release 20260228 has 12345678 rows.",
        bad="The holder's number is 12345678Z.",
        check=national_id_spans,
    ),
    Rule(
        id="personal.named-id",
        severity="refuse",
        sentence=f"This carries an identity document's number. {LEAVE_OUT}",
        why="The text names the document: passport, licence, plate.",
        good="The passport page takes two minutes and the driver's license check was removed.",
        bad="Passport no. X4827361 is attached.",
        check=named_id_spans,
    ),
    Rule(
        id="personal.ip-address",
        severity="flag",
        sentence=f"This carries a public IP address, which may lead to a person. {LEAVE_OUT}",
        why="By policy only: many teams need addresses of servers.",
        good="The broker listens on 10.0.0.5 and 127.0.0.1.",
        bad="The login came from 81.2.69.142.",
        check=ip_spans,
    ),
    Rule(
        id="personal.date-of-birth",
        severity="refuse",
        sentence=f"This carries a date of birth. {LEAVE_OUT}",
        why="A birth date with a name identifies for life.",
        good="The release was born in a sprint of 2026.",
        bad="Account holder born 1971-10-21.",
        check=birth_spans,
    ),
    Rule(
        id="personal.name",
        severity="flag",
        sentence="This seems to name a person. Write the role or the account instead, unless the name must be known.",
        why="Names are personal data; titles, introductions and given names tell them.",
        good="Reported by Django Software Foundation; spoke with Redis Labs.",
        bad="Ms Okafor signed the order form.",
        check=name_spans,
    ),
    Rule(
        id="personal.postal-address",
        severity="flag",
        sentence="This seems to carry a postal address. Leave it out, or write the region instead.",
        why="A street and a number lead to a door.",
        good="Line 12 of the street module and 3 way handshakes.",
        bad="Ship it to 12 Example Street, Springfield.",
        check=address_spans,
    ),
    *LIFE_RULES,
)
