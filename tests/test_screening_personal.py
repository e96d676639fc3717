"""Personal data with and without check digits, and the numbers and names that are none."""

import pytest

from memories.screening import screen
from memories.screening.personal_numbers import luhn_fits


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Contact is mara.k@mail.example for this.", "personal.email"),
        ("Contact is mara dot k [at] mail.example here.", "personal.email"),
        ("It is mara dot k at mail dot com now.", "personal.email"),
        ("Call back on +44 20 7946 0958 after lunch.", "personal.phone"),
        ("Tel. (212) 555-0175 is the night shift.", "personal.phone"),
        ("Her mobile is 0412 345 678 now.", "personal.phone"),
        ("電話 03-1234-5678 です", "personal.phone"),
        ("The card 4111 1111 1111 1111 was declined.", "personal.card"),
        ("Amex 378282246310005 was charged twice.", "personal.card"),
        ("Refunds go to GB82 WEST 1234 5698 7654 32.", "personal.bank-account"),
        ("Identity check used 219-09-9999.", "personal.social-security"),
        ("DNI 12345678Z was shown.", "personal.national-id"),
        ("CPF 111.444.777-35 belongs to the owner.", "personal.national-id"),
        ("PESEL 44051401359 was entered.", "personal.national-id"),
        ("Personnummer 811228-9874 was masked.", "personal.national-id"),
        ("The codice fiscale is RCCMNL83S18D969H here.", "personal.national-id"),
        ("AHV 756.9217.0769.85 was stored.", "personal.national-id"),
        ("Passport no. X4827361 is attached.", "personal.named-id"),
        ("Driver's license number D1234567 was seen.", "personal.named-id"),
        ("Account holder born 1971-10-21.", "personal.date-of-birth"),
        ("The operator has pneumonia and is away.", "personal.health"),
        ("Spoke with Mrs Okafor about the upgrade.", "personal.name"),
        ("Maria Garcia wants the old theme back.", "personal.name"),
        ("Reported by Kwame Mensah in March.", "personal.name"),
        ("Contact: Виталий Князев is the owner.", "personal.name"),
        ("It was shipped to 12 Elm Road, Springfield.", "personal.postal-address"),
        ("The office is at 75 rue de Rivoli in Paris.", "personal.postal-address"),
        ("Die Firma sitzt in der Hauptstraße 5 dort.", "personal.postal-address"),
        ("La oficina está en Calle de Alcalá 45 ahora.", "personal.postal-address"),
        ("事務所は渋谷区神南2丁目3番", "personal.postal-address"),
    ],
)
def test_personal_data_is_found(text, rule):
    assert rule in screen(text).rules


@pytest.mark.parametrize(
    "text",
    [
        "Version 3.12.1 was released on 2024-03-14 at 09:15.",
        "Ticket ORB-2842 was closed in release 7.2.",
        "Port 6379 and port 5432 are open.",
        "Use @property and @shared_task(bind=True) there.",
        "The queue had 1234567 jobs and 10 000 000 rows.",
        "Timestamp 1700125413 is in 2023.",
        "Commit 1234567 broke build 20240314.1200.",
        "Order 12345678901 was refunded.",
        "The broker listens on 127.0.0.1 and 192.168.1.10.",
        "ISBN 978-3-16-148410-0 is the handbook.",
        "Redis Sentinel reported a failover.",
        "Visual Studio Code asked for a restart.",
        "San Francisco is the second region.",
        "Data lives in 3 regions and moved to Redis 7.",
        "The columns first_name and last_name were merged.",
        "The image is pinned as worker@sha256 and cloned from git@github.com:team/app.git.",
        "Phone numbers are masked since 3.1.",
        "Migrations 0041, 0042 and 0043 ran in order.",
    ],
)
def test_what_only_looks_personal_is_left_alone(text):
    assert not [rule for rule in screen(text).rules if rule.startswith("personal.")]


def test_the_check_digit_of_a_card_counts():
    assert luhn_fits("4111111111111111")
    assert not luhn_fits("4111111111111112")
    assert "personal.card" not in screen("Job 4111111111111112 has run.").rules


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("My brother Ahmed lives in Oslo.", "personal.relative"),
        ("The user's wife Carla is vegan.", "personal.relative"),
        ("The user votes for the Labour Party.", "personal.belief"),
        ("He is openly gay.", "personal.belief"),
        ("The home of the tester is located at 48.85837, 2.29448.", "personal.coordinates"),
        ("The tester answers at t.me/orbit_tester_9.", "personal.profile"),
        ("The tester's salary is 54,000 EUR.", "personal.finances"),
        ("The patient has type 2 diabetes.", "personal.health"),
    ],
)
def test_what_tells_about_a_life_is_flagged(text, rule):
    verdict = screen(text)
    assert rule in verdict.rules
    assert verdict.decision == "flag"


@pytest.mark.parametrize(
    "text",
    [
        "The wifi module is disabled.",
        "The traveler's daughter is allergic to nuts.",
        "The union of both indexes is sorted.",
        "Christian holidays are in the calendar plugin.",
        "The map shows coordinates with 4 decimals.",
        "The wallet service owes its speed to Redis.",
    ],
)
def test_things_have_no_private_life(text):
    assert screen(text).decision == "accept"


@pytest.mark.parametrize(
    "text",
    [
        "Fecha de nacimiento: 07/11/1969",
        "född 1969-11-07",
        "生年月日 1969年11月7日",
        "Konto 7712345, BLZ 20030000",
        "Kennzeichen KI-LM 77",
        "residence permit YB7654321",
        "lone dot clerk at shop dot example",
        "clerk (at) shop (dot) example",
        "0171-5550199 is his mobile",
    ],
)
def test_more_countries_forms_are_refused(text):
    assert screen(text).decision == "refuse"


@pytest.mark.parametrize(
    "text",
    [
        "Delivery note 77 1234 55 is lost.",
        "Part no. 80.44-2100 fits.",
        "HTTP 500 passes to the mail handler.",
        "Vexa Logistics prefers mornings.",
        "Quality Assurance found it.",
        "The clinic product was blind to errors.",
    ],
)
def test_more_look_alikes_pass(text):
    assert not [rule for rule in screen(text).rules if rule.startswith("personal.")]
