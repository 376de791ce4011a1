"""Where a secret stands in a text: keys, passwords, codes, cards, accounts, wallets' words.

A secret is told by its shape, with its check digits where it has some, or by a name before a
value. The name alone ("I forgot my password") gives nothing away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile

from memory.language.lexicons import entries

Stretch = tuple[int, int]
Test = Callable[[str], bool]

# --- Shapes ------------------------------------------------------------------------------------

_MARKED = (
    r"(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?(?=[\w-]*\d)[A-Za-z0-9_-]{14,200}"
    r"|gh[opsur]_[A-Za-z0-9]{20,100}|github_pat_\w{20,120}|glpat-[\w-]{16,60}"
    r"|xox[abeprs]-(?=[\w-]*\d)[\w-]{10,200}|xapp-[\w-]{10,200}|hf_[A-Za-z0-9]{20,60}"
    r"|AIza[\w-]{30,60}"
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}|ya29\.[\w-]{20,300}|npm_[A-Za-z0-9]{30,50}"
    r"|SG\.[\w-]{16,40}\.[\w-]{16,60}|pypi-[\w-]{40,250}|do[opr]_v1_[a-f0-9]{40,80}"
    r"|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,60}|sq0\w{3}-[\w-]{20,60}|AGE-SECRET-KEY-1[A-Z0-9]{40,80}"
    r"|eyJ[\w-]{10,500}\.[\w-]{10,1000}(?:\.[\w-]{10,1000})?|(?:[a-z]{2,5}_)?whsec_\w{20,80}"
    r"|\d{8,10}:[\w-]{35}|[0-9a-f]{32}-us\d{1,2}|AccountKey=[A-Za-z0-9+/]{86}=="
    r"|hooks\.slack\.com/services/T\w{8,16}/B\w{8,16}/\w{20,40}"
)
_SHAPES = (
    re.compile(rf"(?<![\w-])(?:{_MARKED})"),
    re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,10}-----[A-Za-z0-9+/=\s]{0,8000}"),
    re.compile(r"\b[a-z][a-z0-9+]{1,20}://[^\s:/@]{1,80}:[^\s:/@]{1,120}@\S{1,200}"),
    re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])"),
    re.compile(
        r"(?<![\w/.=-])[a-fA-F0-9]{32}(?![\w/-])|(?<![\w/.=-])[a-fA-F0-9]{64,128}(?![\w/-])"
    ),
)
_DIGITS = re.compile(r"(?<![\w.,-])\d(?:[ -]?\d){12,18}(?![\w-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_TOKEN = re.compile(r"(?<![\w/.+:@=-])[A-Za-z0-9+_-]{32,200}={0,2}(?![\w/-])")
# A digest that a page or a package is checked with is public.
_PUBLIC = re.compile(r"^(?:sha\d{3}|md5)[-:]", re.IGNORECASE)
_WORDLIKE = re.compile(r"[a-z]{9}|[A-Z]{9}")
_CARDS_BEGIN = "23456"


def holds_a_secret(text: str) -> bool:
    """Whether a password, a key, a card number or the like stands in the text."""
    return next(find(text), None) is not None


def find(text: str) -> Iterator[Stretch]:
    """Where secrets stand, from the name before one to its end; in no order, may overlap."""
    for pattern in _SHAPES:
        for match in pattern.finditer(text):
            yield match.span()
    checked: tuple[tuple[re.Pattern[str], Test], ...] = (
        (_DIGITS, _is_card),
        (_IBAN, _is_iban),
        (_TOKEN, _is_token),
    )
    for pattern, is_one in checked:
        for match in pattern.finditer(text):
            if is_one(match[0]):
                yield match.span()
    for pattern, is_one in _NAMED:
        for match in pattern.finditer(text):
            if is_one(match["value"]):
                yield match.span()
    yield from _wallet_words(text)


def _is_card(written: str) -> bool:
    """Whether the check digit fits (Luhn), or sixteen digits stand in one piece."""
    digits = [int(digit) for digit in written if digit.isdigit()]
    if written[0] not in _CARDS_BEGIN:
        return False
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    fits = (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
    return fits or (written.isdigit() and len(digits) == 16)


def _is_iban(written: str) -> bool:
    """Whether the two check digits fit (ISO 7064, modulo 97)."""
    plain = written.replace(" ", "")
    turned = plain[4:] + plain[:4]
    return len(plain) >= 15 and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _is_token(written: str) -> bool:
    """Whether it looks drawn by lot: both cases, several digits, and no long word within."""
    return (
        not _PUBLIC.match(written)
        and any(c.islower() for c in written)
        and any(c.isupper() for c in written)
        and sum(c.isdigit() for c in written) >= 3
        and not _WORDLIKE.search(written)
    )


# --- Names before a value ------------------------------------------------------------------------

_FOR = r"(?:\s+(?:for|to|of|on|at|für|zu|de|del|para|pour|du|von)\s+[^\n:=.]{1,40}?)?"
_IS = (
    r"\s*(?:(?:is|was|are|ist|war|lautet|es|est|will be|has been)\s+(?:now\s+|still\s+|set\s+to\s+|"
    r"changed\s+to\s+|jetzt\s+|ahora\s+|maintenant\s+)?|[:=]|->|→)[ \t]*[\"'“`«]?"
)
_PHRASE = (
    r"(?:pass[ -]?words?|passwort|kennwort|pass[ -]?phrase|pass[ -]?code|passwd|pwd|pw|contraseña|"
    r"mot de passe|mdp|wachtwoord|senha)"
)
_KEY = (
    r"(?:(?:api|access|secret|private|auth|client|session|encryption|licen[cs]e|staff|admin|master|"
    r"root)[ _-]?(?:(?:access|api)[ _-]?)?(?:key|token|secret)"
    r"|(?:access|auth|bearer|refresh)[ _-]?token|client[ _-]?secret|apikey|schlüssel|clave|token)s?"
)
_CODE = (
    r"(?:pin(?:[ -]?(?:code|number))?|cvv2?|cvc|otp|tan|2fa[ -]code|one[ -]time[ -](?:code|"
    r"password)|"
    r"(?:security|verification|access|door|gate|alarm|entry|unlock|lock|safe|recovery|backup|login)"
    r"[ -]?(?:code|combination)s?|passcode|pass ?code|combination|geheimzahl|código|clave|"
    r"code (?:secret|d'accès)|(?:zugangs|sicherheits|alarm|tür|toegangs|deur|pin)code)"
)
_NUMBER = (
    r"(?:social security(?: number)?|ssn|passport(?: number| no\.?)?|(?:bank )?account(?: number|"
    r" no\.?)|"
    r"routing number|sort code|tax (?:id|number)|credit card(?: number)?|debit card(?: number)?|"
    r"card number|kontonummer|steuer(?:nummer|-?id)|personalausweis(?:nummer)?|dni|nif|driver'?s "
    r"licen[cs]e(?: number)?|national insurance(?: number)?)"
)
_VALUE = r"(?P<value>[^\s\"'”`»,;]{%d,200})"


def _named(name: str, between: str, value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){name}(?!\w){between}{value}", re.IGNORECASE)


# What is said of a password without saying it.
_SAID_OF_IT = entries("said_of_passwords")
_STANDS_FOR_ONE = re.compile(
    r"^(?:[*x.•_#-]+|<.*|\{.*|\$.*|%.*|your\b.*|your[_-].*|my[_-].*|the[_-].*|.*[_-]here|"
    r"example\w*|"
    r"changeme|placeholder|password\d?|secret|none|null|true|false|os\.\w.*|process\..*|"
    r"(?:str|string|char|varchar|text|self|user|request|data|form|config|settings|env)\b.*)$|"
    r"[(\[{]",
    re.IGNORECASE,
)


def _is_password(value: str) -> bool:
    bare = value.rstrip(".!?)")
    if len(bare) < 3 or _STANDS_FOR_ONE.search(bare):
        return False
    return bare.casefold() not in _SAID_OF_IT


def _is_key(value: str) -> bool:
    bare = value.rstrip(".!?)")
    return len(bare) >= 8 and any(c.isdigit() for c in bare) and not _STANDS_FOR_ONE.search(bare)


def _is_number(value: str) -> bool:
    return sum(c.isdigit() for c in value) >= 3


_DAY = re.compile(r"\d{1,2}[ /-]\d{1,2}[ /-](?:19|20)\d\d\b")
_WORD = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)", re.IGNORECASE)


def _is_of_a_document(value: str) -> bool:
    """Whether it is the number and no day: a passport may expire on 3 March 2027."""
    pieces = _WORD.split(_DAY.sub(" ", value))
    return any(
        _is_number(word) and not word.isdigit() for piece in pieces for word in piece.split()
    ) or any(sum(c.isdigit() for c in piece) >= 5 for piece in pieces)


def _is_mixed(value: str) -> bool:
    return _is_password(value) and any(c.isdigit() for c in value) and not value.isdigit()


# A word alone ends its sentence: "my password is rosebud", not "my password is older than me".
_ALONE = _VALUE % 3 + r"[\"'”`»]?(?=\s*(?:$|[.!?,;)\n]|and\b|but\b|for\b|on\b|und\b|y\b|et\b))"
_ODD = r"(?P<value>(?=\S*[\d!@#$%^&*])[^\s,;\"'”`»]{4,200})"
_WITH_DIGIT = r"(?P<value>(?=\S*\d)[^\s\"'”`»,;]{5,100})"
_DIGITS_OF_CODE = r"(?P<value>(?<![\d.,$€£])\d[\d -]{1,10}\d(?![\d.,]?\d|[ ]?%))"
_PAIR = r"(?P<value>[^\s/]{2,60}\s?/\s?[^\s/]{3,60})"
_SOON = r"[^\d\n.!?]{0,25}"
_NAMED: tuple[tuple[re.Pattern[str], Test], ...] = (
    (_named(_PHRASE, _FOR + rf"(?:{_IS}|['’]s\s+)", _ALONE), _is_password),
    (_named(_PHRASE, _FOR + _IS, _ODD), _is_password),
    (_named(_PHRASE, r"[ \t]+[\"'“`«]?", _WITH_DIGIT), _is_mixed),
    (_named("pass ?phrase", _FOR + _IS, r"(?P<value>\w+(?:[ -]\w+){3,11})"), bool),
    (_named(_KEY, _FOR + _IS, _VALUE % 8), _is_key),
    (_named(r"(?:bearer|authorization:\s*\w+)", r"[ \t]+", _VALUE % 16), _is_key),
    (_named(_CODE, _SOON, _DIGITS_OF_CODE), _is_number),
    (_named(_NUMBER, _SOON, r"(?P<value>[A-Z]{0,3}\d[\dA-Z /-]{4,30})"), _is_of_a_document),
    (_named(r"(?:recovery|backup)[ -]?codes?", _IS, _VALUE % 6), _is_key),
    (_named(r"log-?in(?: details| data)?", r"\s*(?:is|are|:|=)\s*", _PAIR), bool),
)

# --- A wallet's words ----------------------------------------------------------------------------

_WALLET = re.compile(
    r"\b(?:seed|recovery|mnemonic|backup|wallet|secret recovery)[ -]?(?:phrase|words?|seed)\b"
    r"[^\n]{0,30}?[:=-]?\s*(?P<words>[a-z]{3,8}(?:[ ,\n]+(?:\d{1,2}[.)] ?)?[a-z]{3,8}){7,23})\b",
    re.IGNORECASE,
)
_LINE = re.compile(r"^[ \t\"']*([a-z]{3,8}(?: [a-z]{3,8}){11,23})[ \t\"'.]*$", re.MULTILINE)
_FEWEST_WORDS = 8
_LENGTHS = frozenset({12, 15, 18, 21, 24})
# Words that no list of such words has, and hardly a sentence of twelve words lacks.
_SENTENCE = entries("never_in_wallets")


def _wallet_words(text: str) -> Iterator[Stretch]:
    for match in _WALLET.finditer(text):
        plain = takewhile(lambda word: word not in _SENTENCE, match["words"].casefold().split())
        if len(list(plain)) >= _FEWEST_WORDS:
            yield match.span()
    for match in _LINE.finditer(text):
        words = match[1].split()
        if (
            len(words) in _LENGTHS
            and len(set(words)) > len(words) / 2
            and not _SENTENCE & set(words)
        ):
            yield match.span()
