"""Secrets as people tell them, every one made up, and what reads like one and is none.

The values of known shapes are drawn here and stand nowhere as a whole, so that nobody who looks
through the sources for keys takes them for real ones.
"""

import base64
import itertools
import random
import string
from typing import NamedTuple

_HEX, _DIGITS = "0123456789abcdef", string.digits
_MIXED = string.ascii_letters + string.digits
_LOTS = itertools.count()
_UPPER = string.ascii_uppercase + string.digits


class Told(NamedTuple):
    """A message, and what of it nobody may find anywhere else."""

    text: str
    secrets: tuple[str, ...]


def drawn(length: int, letters: str = _MIXED) -> str:
    """So many letters by lot, the same in every run, with a digit and with both cases if it can."""
    lots = random.Random(next(_LOTS))
    while True:
        made = "".join(lots.choices(letters, k=length))
        kinds = (str.isdigit, str.isupper, str.islower)
        if all(any(map(of, made)) or not any(map(of, letters)) for of in kinds):
            return made


def _one(text: str, *secrets: str) -> Told:
    """`text` with a `{}` for each secret."""
    return Told(text.format(*secrets), secrets)


def _pem(kind: str, before: str = "", head: str = "", after: str = "") -> Told:
    """A private key as programs write one into a file, four lines long."""
    lines = tuple(drawn(64, _MIXED + "+/") for _ in range(4))
    inside = head + "\n".join(lines)
    return Told(f"{before}-----BEGIN {kind}-----\n{inside}\n-----END {kind}-----{after}", lines)


def _part(length: int, **claims: str) -> str:
    plain = str(claims or drawn(length)).replace("'", '"').encode()
    return base64.urlsafe_b64encode(plain).decode().rstrip("=")


_JWT = ".".join((_part(0, alg="HS256", typ="JWT"), _part(0, sub="4711", name="N"), drawn(43)))
_SIGNED = drawn(64, _HEX)
_WALLET = "pepper garden music orbit silent magnet horse cotton lunar anchor wagon glide"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_HOOK = f"T{drawn(8, _UPPER)}/B{drawn(8, _UPPER)}/{drawn(24)}"
_BASIC = base64.b64encode(b"nick:open-sesame7").decode()
_YAML = "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: {}\n      TZ: UTC"

SAID: list[Told] = [
    # Passwords, as they are said.
    _one("My wifi password is {}, by the way", "blauerKessel77"),
    _one("The wifi password at my parents' place is {} and I live in Ghent.", "otterhausen"),
    _one("my netflix password was {} until yesterday", "popcorn-Friday"),
    _one("I changed my password to {} yesterday", "Gr33nTurtle!"),
    _one("I set the admin password to {} on the new router", "qwertz-Klee"),
    _one("I always use {} as my password", "maplefox19"),
    _one("You can log in with the user nick and the password {}.", "tangerine8"),
    _one("Log into the NAS with admin / {}", "Zeppelin%42"),
    _one("user: nick pass: {}", "kdjf83hs"),
    _one("my email is nick@example.org and the password for it is {}", "rowing4Life"),
    _one("password: {}", "correct-horse-battery"),
    _one("Password for the shared folder = '{}'", "Folder#2291"),
    _one("the root pw is {}", "toor4711x"),
    _one("The password to my laptop is still {}, I should change it.", "sunshine"),
    _one("My passphrase is {}.", "ripple lamp otter canyon velvet"),
    _one("use {} to unlock the zip, that's the password", "Zx9-unpack"),
    # In other languages.
    _one("Mein WLAN-Passwort ist {}", "Apfelkuchen22"),
    _one("Das Passwort für meinen Laptop lautet {}.", "regenbogen"),
    _one("Mein Kennwort war bisher {}", "Hamster-77"),
    _one("Meine Geheimzahl ist {}", "739146"),
    _one("Die PIN von meiner EC-Karte ist {}", "5528"),
    _one("Der Code für die Haustür ist {}", "4409"),
    _one("Le mot de passe du wifi est {}", "fromage-bleu"),
    _one("Mon mot de passe, c'est {}", "soleil42"),
    _one("mdp : {}", "tournesol9"),
    _one("Le code de ma carte est {}", "8823"),
    _one("La contraseña del wifi es {}", "gatito99"),
    _one("Mi contraseña de correo es {} desde ayer", "verano"),
    _one("El PIN de mi tarjeta es {}", "6617"),
    _one("Mi clave de acceso es {}", "luna1987"),
    _one("A senha do wifi é {}", "cachoeira8"),
    _one("La password del wifi è {}", "pizza4formaggi"),
    _one("Het wachtwoord is {}", "fietsbel12"),
    # Codes and numbers.
    _one("the PIN of my card is {}", "4921"),
    _one("My phone's unlock code is {}", "903311"),
    _one("The code for the front door is {}", "2580"),
    _one("the alarm code at the office is {}#", "7734"),
    _one("{} is the PIN for my debit card", "6042"),
    _one("My verification code is {}", "482913"),
    _one("Your one-time code is {}. It expires in 10 minutes.", "771204"),
    _one("G-{} is your Google verification code.", "620914"),
    _one("Dein Bestätigungscode lautet {}", "339017"),
    _one("Votre code de vérification est {}", "552108"),
    _one("Tu código de verificación es {}", "904417"),
    _one("my card is {} and it expires 04/29", "4539 5787 6362 1486"),
    _one("Charge it to {}, cvv {}", "5425233430109903", "881"),
    _one("my amex is {}", "3714 496353 98431"),
    _one("please wire it to {}", "DE89 3704 0044 0532 0130 00"),
    _one("Mon IBAN est {}", "FR14 2004 1010 0505 0001 3M02 606"),
    _one("IBAN: {}", "GB82WEST12345698765432"),
    _one("My social security number is {}", "219-09-9999"),
    _one("my backup codes: {} {}", "8f3k-29dk", "x92k-77aq"),
    # Keys of known shapes.
    _one("I deployed with {} in the config", "AKIA" + drawn(16, _UPPER)),
    _one("aws_secret_access_key = {}", drawn(40, _MIXED + "/+")),
    _one("the secret that goes with it is {}", drawn(40, _MIXED + "/+")),
    _one("my maps key is {}", "AIza" + drawn(35, _MIXED + "-_")),
    _one("client secret {}", "GOCSPX-" + drawn(28)),
    _one("I pushed with {}", "ghp_" + drawn(36)),
    _one("the new one is {}, valid until May", "github_pat_" + drawn(22) + "_" + drawn(59)),
    _one("git clone https://oauth2:{}@git.example.org/a/b.git", "glpat-" + drawn(20)),
    _one("the runner registered with {}", "glrt-" + drawn(20)),
    _one(
        "our bot uses {}", "xoxb-" + drawn(12, _DIGITS) + "-" + drawn(13, _DIGITS) + "-" + drawn(24)
    ),
    _one("It posts to https://hooks.slack.com/services/{}", _HOOK),
    _one("charge with {} for now", "sk_" + "live_" + drawn(24)),
    _one("and check the hook with {}", "wh" + "sec_" + drawn(32)),
    _one("OPENAI_API_KEY={}", "sk-proj-" + drawn(48)),
    _one("I use {} with Claude", "sk-ant-api03-" + drawn(80, _MIXED + "-_")),
    _one("npm login fails with {}", "npm_" + drawn(36)),
    _one("//registry.npmjs.org/:_authToken={}", "npm_" + drawn(36, _MIXED)),
    _one("twilio says the sid is AC{} and the token {}", drawn(32, _HEX), drawn(32, _HEX)),
    _one("the twilio key is {}", "SK" + drawn(32, _HEX)),
    _one("mails go out with {}", f"SG.{drawn(22)}.{drawn(43)}"),
    _one("my telegram bot token is {}", f"{drawn(10, '123456789')}:AA{drawn(33)}"),
    _one("the discord bot runs on {}", f"M{drawn(25)}.{drawn(6)}.{drawn(38)}"),
    _one("I upload with {}", "pypi-AgEIcHlwaS5vcmc" + drawn(90)),
    _one("pull the weights with {}", "hf_" + drawn(34)),
    _one("newsletter key {}", drawn(32, _HEX) + "-us12"),
    _one("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={};", drawn(86) + "=="),
    _one("droplets: {}", "dop_v1_" + drawn(64, _HEX)),
    _one("the vault token is {}", "hvs." + drawn(24)),
    _one("I log in with the cookie session={}", drawn(40, _MIXED)),
    _one("curl -H 'Authorization: Bearer {}' https://api.example.org", drawn(40, _MIXED)),
    _one("curl -u nick:{} https://api.example.org", "s3same!open"),
    _one("the request has Authorization: Basic {}", _BASIC),
    _one("this is what I get back: {}", _JWT),
    _one("https://files.example.org/a.zip?X-Amz-Signature={}", _SIGNED),
    _one("DATABASE_URL=postgres://nick:{}@db.local:5432/app", "v3ryqu13t"),
    _one("I connect to mongodb+srv://nick:{}@cluster0.example.net/app", "mongoose88"),
    _one("redis://:{}@cache.local:6379/0 is the broker", "redpanda7"),
    _one("Server=db;Database=app;User Id=sa;Password={};", "Tr4vel!light"),
    _one("mysql -u root -p{} app", "m0useTrap"),
    _one("sshpass -p {} ssh nick@host", "k1tchenSink"),
    _pem("RSA PRIVATE KEY", before="here it is\n"),
    _pem("OPENSSH PRIVATE KEY", after="\nI live in Rome"),
    _pem("PGP PRIVATE KEY BLOCK", head="Version: 1\n\n"),
    _one("seed phrase: {}", _WALLET),
    _one("my wallet's key is {}", "5" + "K" + drawn(49, _BASE58)),
    _one("the eth key is 0x{}", drawn(64, _HEX)),
    # Whole files and logs.
    _one(
        "why does this not start?\n\nDEBUG=false\nSECRET_KEY={}\nDB_HOST=db.local\nDB_PASSWORD={}\n"
        "SMTP_PASS={}\nPORT=8000\nSTRIPE_SECRET={}\n",
        "django-insecure-" + drawn(50, _MIXED + "#$%&*(-_=+)"),
        "nightingale",
        "mailbox",
        "rk_" + "live_" + drawn(24, _MIXED),
    ),
    _one(
        '{{"user": "nick", "password": "{}", "api_key": "{}", "theme": "dark"}}',
        "hollyhock",
        drawn(24, _MIXED),
    ),
    _one(_YAML, "dragonfly"),
    _one(
        "2024-05-03 12:00:01 INFO login user=nick password={} ip=10.0.0.7\n"
        "2024-05-03 12:00:02 DEBUG token={} refresh_token={}",
        "cinnamon",
        drawn(32, _MIXED),
        drawn(40, _MIXED),
    ),
    _one("machine api.example.org login nick password {}", "periwinkle"),
    _one("export GITHUB_TOKEN={}", drawn(40, _HEX)),
]

ORDINARY: list[str] = [
    "I forgot my password again, but I live in Ghent",
    "My password manager is Bitwarden",
    "I changed my password yesterday and it took 20 minutes",
    "My passwords are all in KeePass",
    "I set my password to expire every 90 days",
    "My password is 16 characters long",
    "my password was leaked in 2019",
    "Ich habe mein Passwort vergessen",
    "J'ai oublié mon mot de passe",
    "Olvidé mi contraseña otra vez",
    "I need a new PIN for my card, the bank sends it on 12 May",
    "I bought a bowling pin for 25 euros",
    "My zip code is 90210",
    "My discount code is SUMMER25",
    "the booking code is X7K2QP",
    "My order number is 302-4829183-1847362",
    "The ISBN is 978-3-16-148410-0",
    "My phone number is +49 171 1234567",
    "I fixed it in commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "The sha256 is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "the ticket is 123e4567-e89b-12d3-a456-426614174000",
    "I was born on 03-05-1990",
    "My flight is LH1234 on 12 May 2025, seat 14C",
    "The server has the address 192.168.178.24",
    "My car is a VW ID.3 with the plate B-AB 1234",
    "The key to my success is patience",
    "my favourite token is the blue one from 1998",
    "My card expires 04/29",
    "I paid with my credit card 3 times in 2024",
    "My user name is nick1987",
    "I work on password hashing at Google",
    "The video is https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "I live at 12 Elm Street, Leeds LS1 4AP",
    "The code for the project is on GitHub, 4200 lines",
    "My pass for the gym costs 40 euros",
    "Password: I forgot it again",
    "The class is called AbstractSingletonProxyFactoryBean42Test",
    "The transaction id is 4912837465018273",
    "I took 4111 1111 1111 1112 steps this year",
    "I have 3 keys: one for the house, two for the office",
    "My PIN was changed last week",
    "The alarm code at work changes every 30 days",
    "The door code is changed every Monday at 9:30",
    "I always use strong words as passwords",
    "My laptop password is longer than yours",
    "The wifi password is on the fridge",
]
"""Sentences with numbers, or with words for secrets, and no secret in any."""
