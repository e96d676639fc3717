"""Credentials in their surroundings, and the many things that only look like one."""

import base64
import json
import zlib

import pytest

from memories.screening import screen
from memories.screening.credential import BASE62, checksum_fits
from memories.screening.shape import TokenFormat, example_of

SURROUNDINGS = (
    'acmeToken="{}"',
    "acme_token = '{}'",
    '"acme_api_key": "{}"',
    "<acmeToken>{}</acmeToken>",
    "acme_secret: {}",
    'var acmeToken string = "{}"',
    "acmeToken := `{}`",
    "'ACME_TOKEN' => '{}'",
    "export ACME_TOKEN={}",
    '$acmeToken .= "{}"',
    'System.setProperty("ACME_TOKEN", "{}")',
    "acme SECRET {}",
    "acme_key={}",
    "Authorization: Bearer {}",
    'curl -H "X-Api-Key: {}" https://api.acme.example',
    "--acme-token {}",
    "the acme api key is {}.",
    "acme-secret-{}",
    'if ("{}" == private_key) {{',
)
SHAPES = ("{h32}", "{a32}", "{A32}", "{h40}", "{A24}", "{A40}", "{U20}", "{h64}")


@pytest.mark.parametrize("surrounding", SURROUNDINGS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_random_value_named_as_a_secret_is_refused(surrounding, shape):
    assert screen("Seen in the log: " + surrounding.format(example_of(shape, 9))).decision == "refuse"


@pytest.mark.parametrize(
    "text",
    [
        "the password is " + "hunt" + "er2!",
        "password: " + "Tr0ub" + "4dor",
        "Das Passwort lautet " + "Wolke" + "77!",
        "la contraseña es " + "Nube" + "77!",
        "пароль: " + "Obla" + "ko77!",
        "密码是 " + "Yun" + "duo77!",
        'db_password = "' + "four" + 'teen"',
        "ALTER USER app IDENTIFIED BY '" + "s3cr" + "3tly'",
        "mysql -h db -u app -p" + "S3cr" + "3tly",
        "sshpass -p " + "S3cr" + "3tly ssh deploy@host",
        "postgres://app:" + "S3cr" + "3tly@db.internal/app",
        "Server=db;User Id=app;Password=" + "S3cr" + "3tly;",
        "curl -u deploy:" + "S3cr" + "3tly https://ci.example",
        "SECRET_KEY = '" + example_of("{w50}", 3) + "'",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + example_of("{b86}", 3) + "==",
        "[Peer] PresharedKey = " + example_of("{b43}", 3) + "=",
    ],
)
def test_passwords_and_keys_in_prose_commands_and_settings_are_refused(text):
    assert screen(text).decision == "refuse"


@pytest.mark.parametrize(
    "text",
    [
        "password: ${DB_PASSWORD}",
        'password = os.environ["DB_PASSWORD"]',
        "password: !vault |",
        'password: "{{ vault_db_password }}"',
        "const password = req.body.password;",
        "password: ********",
        'client_secret = "[removed]"',
        "API_KEY=your-api-key-here",
        'apikey: "put-yours-here"',
        "api_key = get_api_key()",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "curl -u username:password https://example.com",
        "amqp://guest:guest@localhost:5672//",
        "redis://cache.internal:6379/2",
        "token_ttl_minutes=15",
        "max_tokens=4096",
        "access_token_lifetime = timedelta(minutes=5)",
        "The password policy needs 12 characters, one digit and one symbol.",
        "Password reset links expire after 3 days.",
        "PBKDF2 hashes each password 600,000 times.",
        "commit " + example_of("{h40}") + " fixes the token refresh",
        "idempotency key " + example_of("{uuid}") + " was replayed",
        "trace_id=" + example_of("{h32}"),
        "image digest sha256:" + example_of("{h64}"),
        "integrity sha512-" + example_of("{b86}") + "==",
        "github.com/acme/lib v0.5.0/go.mod h1:" + example_of("{b43}") + "=",
        'checksum = "' + example_of("{h64}") + '"',
        "md5 " + example_of("{h32}"),
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + example_of("{b43}") + " ops",
        "Redis key celery-task-meta-" + example_of("{uuid}"),
        "S3 object key uploads/2024/03/14/report-991.pdf",
        "payload=" + base64.b64encode(b"nightly report done").decode(),
        "arn:aws:iam::123456789012:role/worker",
        "test_user_can_reset_password_with_valid_token_2",
        "-----BEGIN DSA " + "PRIVATE KEY----------END DSA PRIVATE KEY-----",
        "Unsigned JSON web tokens are turned down since 2.4",
        "register r12 holds 0x7ffd1a2b3c4d",
    ],
)
def test_what_only_looks_like_a_credential_is_not_refused(text):
    assert not [rule for rule in screen(text).rules if rule.startswith("credential.")]


def test_a_token_inside_base64_or_percent_encoding_is_found():
    token = "xox" + "b-" + example_of("{d12}") + "-" + example_of("{A24}")
    assert screen(base64.b64encode(f"token {token}".encode()).decode()).decision == "refuse"
    assert screen("".join(f"%{ord(letter):02X}" for letter in token)).decision == "refuse"


def test_decoys_do_not_hide_a_token_in_a_code():
    token = "xox" + "b-" + example_of("{d12}") + "-" + example_of("{A24}")
    code = base64.b64encode(f"token {token}".encode()).decode()
    assert screen(f"café a &amp; %61%62%63 \\x41\\x42\\x43 {code}").decision == "refuse"


def test_a_dotted_string_that_is_no_json_web_token_passes_as_none():
    header = base64.urlsafe_b64encode(b'{"colour":"red"}').decode().rstrip("=")
    assert "credential.json-web-token" not in screen(f"It said {header}.{header}.x once.").rules
    signed = base64.urlsafe_b64encode(json.dumps({"alg": "none"}).encode()).decode().rstrip("=")
    assert "credential.json-web-token" in screen(f"It said {signed}.{signed}. once.").rules


def test_a_fitting_checksum_is_told():
    body, value = example_of("{A30}", 8), zlib.crc32(example_of("{A30}", 8).encode())
    digits = ""
    for _ in range(6):
        value, rest = divmod(value, 62)
        digits = BASE62[rest] + digits
    token = "gh" + "p_" + body + digits
    assert checksum_fits(token)
    assert not checksum_fits(token[:-1] + ("a" if token[-1] != "a" else "b"))
    assert any("checksum fits" in sentence for sentence in screen(f"It used {token} today.").sentences)


def test_a_shape_makes_a_pattern_and_an_example_that_fit_each_other():
    token_format = TokenFormat("acme-key", "Acme", "acme_ acm_", "{A4}.{d2-3}-{h8+}")
    assert token_format.pattern == r"(?:acme_|acm_)[A-Za-z0-9]{4}\.[0-9]{2,3}\-[a-f0-9]{8,}"
    assert token_format.example(1) == token_format.example(1) != token_format.example(2)


@pytest.mark.parametrize(
    "text",
    [
        "The PIN of the SIM is 4402.",
        "Gate code: *2291#",
        "The combination for the safe is 18-32-07.",
        "Recovery code: 11aa-22bb-33cc",
        "Enter 883311 as one-time code.",
        "The switch takes root/Adm1n2020! as login.",
        "Our WLAN key is 8hJk29slPq",
        "The seed phrase is " + " ".join(["table", "river", "onion", "chair"] * 3) + ".",
    ],
)
def test_codes_that_open_something_are_refused(text):
    assert "credential.access-code" in screen(text).rules


@pytest.mark.parametrize(
    "text",
    [
        "The error code is 4821.",
        "PIN 4 of the connector is ground.",
        "The verification code expires after 600 seconds.",
        "Backup codes are 10 characters long.",
        "The seed is 42 for all tests.",
        "The code for the vault plugin lives in src/vault.",
    ],
)
def test_other_codes_are_not(text):
    assert screen(text).decision == "accept"


PASSWORD = "Regen" + "%" + "44xB"


@pytest.mark.parametrize(
    "text",
    [
        "Das Kennwort der Kasse lautet {}.",
        "Le mot de passe du coffre est désormais {}.",
        "La contraseña del router es {}.",
        "A senha da loja é {}.",
        "Het wachtwoord van de kassa is {}.",
        "Hasło do sejfu to {}.",
        "Пароль кассы: {}",
        "金库密码是{}。",
        "The till opens with {}.",
        "Use {} to unlock the till.",
        "The clerk signs in with {} as the password.",
        "Credentials: clerk / {}",
        "keytool -storepass {} -list",
        "auth=('clerk', '{}')",
    ],
)
def test_passwords_in_sentences_are_refused(text):
    assert (
        "credential.stated" in screen(text.format(PASSWORD)).rules or screen(text.format(PASSWORD)).decision == "refuse"
    )


@pytest.mark.parametrize(
    "text",
    [
        "The till's alarm PIN is 7716.",
        "Türcode: 90412",
        "El código del garaje es 3318.",
        "The gate takes 5-19-33.",
        "Unlock code for the tablet: 8841",
    ],
)
def test_codes_in_more_words_are_refused(text):
    assert screen(text).decision == "refuse"


@pytest.mark.parametrize(
    "text",
    [
        "The password is hashed with PBKDF2 and the login uses OAuth2.",
        "Use Node20.11 to unlock the new loader.",
        "Press Ctrl+Alt+T to sign in from the terminal.",
        "The secret is called shop-prod-2027 in arn:aws:secretsmanager:eu-west-1:210987654321:secret:shop-Ab12Cd.",
        "redis://:${CACHE_PASSWORD}@cache",
        "Logged in as clerk@mail.invalid at 09:15:22.",
        "The door sensor 7716 is offline and code 4411 means timeout.",
    ],
)
def test_talk_about_passwords_is_no_password(text):
    assert not [rule for rule in screen(text).rules if rule.startswith("credential.")]
