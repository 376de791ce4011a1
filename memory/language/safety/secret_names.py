"""Secrets that are told by a name beside them: "my password is rosebud", "4921 is my PIN".

Composed of what names a secret, what ties it to a value, and what a value looks like
(`secret_names.toml`). The name alone ("I forgot my password") gives nothing away, nor does what is
said of a password: a plain word counts as one only where nothing goes on behind it.
"""

import re
from collections.abc import Callable, Iterator

from memory.language.lexicons import load_lexicon
from memory.language.safety.pattern_file import PatternFile

Stretch = tuple[int, int]
Test = Callable[[str], bool]

_WORDS = PatternFile("secret_names.toml")
HINT = re.compile(_WORDS.part("hint"), re.IGNORECASE)
"""Where nothing of this stands in a text, no name does."""


def find(text: str) -> Iterator[tuple[int, Stretch]]:
    """Where such secrets stand: where each begins with its name, and the secret. A name that stands
    behind it does not count to it.
    """
    for pattern, is_one in _NAMED:
        for match in pattern.finditer(text):
            if is_one(match["value"]):
                yield min(match.start(), match.start("value")), match.span("value")


# --- What a value looks like ---------------------------------------------------------------------

# What is said of a password without saying it; and the endings of words that say such things.
_SAID_OF_IT = load_lexicon("said_of_passwords")
_SAYS_SOMETHING = re.compile(
    r"(?:ed|ing|able|ible|less|ous|ive|isch|bar|lich|ée?|ado|ada|ido|ida)$"
    r"|^(?:ab|an|auf|aus|zurück|um|ein)?ge\w+(?:t|en)$|^(?:ver|be|ent|er|zer)\w+t$"
)
_STANDS_FOR_ONE = re.compile(
    r"^(?:[*x.•_#-]+|<.*|\{.*|\$.*|%.*|your\b.*|your[_-].*|my[_-].*|the[_-].*|.*[_-]here|"
    r"example\w*|changeme|placeholder|password\d?|secret|none|null|nil|true|false|redacted|"
    r"undefined|optional|required|string\b.*|"
    r"(?:str|char|varchar|text|self|this|user|request|req|args|opts|options|params|data|form|"
    r"config|settings|env|os|process)\b[.:,=)].*|str|char|varchar|text|[A-Za-z_][\w.]*[(\[{].*|"
    r"[a-z_]+(?:\.[a-z_]+)+|[a-z_]+\)+|(?:[a-z]+_)+(?:password|passwd|pwd|secret|token))$",
    re.IGNORECASE,
)
_LENGTH_OF_IT = re.compile(
    r"^\d+[-+%]?(?:\s?(?:char\w*|letters?|digits?|signs?|zeichen|years?|days?|words?|bits?|st|nd|rd|"
    r"th|x|k))?[%+]?$",
    re.IGNORECASE,
)


def _bare(value: str) -> str:
    return value.rstrip(".!?)…:")


def _is_password(value: str) -> bool:
    bare = _bare(value)
    return len(bare) >= 3 and not _STANDS_FOR_ONE.search(bare)


def _is_said_alone(value: str) -> bool:
    """A plain word, which could as well say how the password is."""
    plain = _bare(value).casefold()
    if not _is_password(value) or plain in _SAID_OF_IT:
        return False
    return not plain.isalpha() or not _SAYS_SOMETHING.search(plain)


def _is_made(value: str) -> bool:
    """Letters with digits or marks among them, and no word or measure that has some too."""
    bare = _bare(value)
    if not _is_password(value) or _LENGTH_OF_IT.match(bare) or bare.casefold() in _SAID_OF_IT:
        return False
    return any(c.isalpha() for c in bare) and not _IN_PROSE.match(bare)


# "case-sensitive", "nick@example.org", "2024-05-03", "don't", "and/or", "https://a.example".
_IN_PROSE = re.compile(
    r"(?:[a-z]+(?:[-/'’][a-z]+)+|[\w.+-]+@[\w-]+\.[\w.-]+|[\d./:-]+(?:am|pm|h|uhr)?|"
    r"(?:https?:|www\.|/|\./|~/)\S*|[a-z]+['’]?|\w+\.\w{2,4})$",
    re.IGNORECASE,
)


def _has_a_digit(value: str) -> bool:
    return _is_made(value) and any(c.isdigit() for c in value)


def _is_key(value: str) -> bool:
    bare = _bare(value)
    return len(bare) >= 8 and any(c.isdigit() for c in bare) and not _STANDS_FOR_ONE.search(bare)


def _is_number(value: str) -> bool:
    return sum(c.isdigit() for c in value) >= 3


_YEAR = re.compile(r"(?:19|20)\d\d$")


def _is_no_year(value: str) -> bool:
    return _is_number(value) and not _YEAR.match(value)


_DAY = re.compile(r"\d{1,2}[ /-]\d{1,2}[ /-](?:19|20)\d\d\b")
_WORD = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)", re.IGNORECASE)


def _is_of_a_document(value: str) -> bool:
    """Whether it is the number and no day: a passport may expire on 3 March 2027."""
    pieces = _WORD.split(_DAY.sub(" ", value))
    return any(
        _is_number(word) and not word.isdigit() for piece in pieces for word in piece.split()
    ) or any(sum(c.isdigit() for c in piece) >= 5 for piece in pieces)


# --- Names, ties and values together -------------------------------------------------------------

_VALUE = r"(?P<value>[^\s\"'”“`»«,;]{%d,200})"
_QUOTED = r"(?P<value>(?<=[\"“„«`'])[^\"“”„«»`'\n]{3,80}(?=[\"”“»`']))"
_ALONE = _VALUE % 3 + "{alone}"
_ODD = r"(?P<value>(?=\S{0,200}[\d!@#$%^&*])[^\s,;\"'”“`»«]{4,200})"
_WITH_DIGIT = r"(?P<value>(?=\S{0,100}\d)[^\s\"'”“`»«,;]{5,100})"
_DIGITS_OF_CODE = (
    r"(?P<value>(?<![\d.,$€£])(?:[A-Z]-)?\d[\d -]{1,10}\d[#*]?"
    r"(?![\d.,]?\d|\s?(?:%|€|\$|£|mg|k?g|ml|km?|euros?|dollars?|steps|words|people|years?|days|"
    r"hours?|minutes?|times|photos?)(?!\w)))"
)
_PAIR = r"(?P<value>[^\s/]{2,60}\s?/\s?[^\s/]{3,60})"
_SOON = r"[^\d\n.!?]{0,25}?"
# A whole value as it stands behind a sign in settings, a log or an address.
_SET = r"[\"']?[ \t]{0,4}(?:=|:=|:[ \t]|:(?=[\"'])|=>)[ \t]{0,4}"
_GLUED = r"(?P<value>(?<==)[^\s\"'`&;,]{3,300})"
_TO_THE_END = r"(?P<value>[^\s\"'`,;]{3,300})[\"'`]?[,;]?(?=[ \t]*(?:\n|$))"


def _secret_name_pattern(*parts: str, after: str = r"(?<![\w-])") -> re.Pattern[str]:
    return re.compile(after + _WORDS.composed("".join(parts)), re.IGNORECASE)


def _upper(*parts: str) -> re.Pattern[str]:
    """In capitals only: "PIN 4821", and not "I pin 1200 photos"."""
    return re.compile(r"(?<![\w-])" + "".join(parts))


_NAME = r"{password}(?!\w)"
_TIED = "{of}{is}"
_AT_A_BEGINNING = r"(?:(?<=^)|(?<=[.!?:;,\n(] )|(?<=[.!?:;,\n(\"'“„«`]))"
_LOCK = r"(?:{code}|{short_code}|{bare_code}(?={of_locked}))(?!\w)"

_NAMED: tuple[tuple[re.Pattern[str], Test], ...] = (
    # A name, then the value.
    (_secret_name_pattern(_NAME, _TIED, _ALONE), _is_said_alone),
    (_secret_name_pattern(_NAME, _TIED, _ODD), _is_made),
    (_secret_name_pattern(_NAME, _TIED, _QUOTED), _is_password),
    (_secret_name_pattern(_NAME, r"[ \t]+[\"'“„`«]?", _WITH_DIGIT), _has_a_digit),
    (_secret_name_pattern(r"pass ?phrase", _TIED, r"(?P<value>\w+(?:[ -]\w+){3,11})"), bool),
    (
        _secret_name_pattern(
            r"{changes}\s[^\n.!?]{0,30}?", _NAME, r"{of}\s+{into}\s+[\"'“„`«]?", _ALONE
        ),
        _is_said_alone,
    ),
    (
        _secret_name_pattern(
            r"{changes}\s[^\n.!?]{0,30}?", _NAME, r"{of}\s+{into}\s+[\"'“„`«]?", _ODD
        ),
        _is_made,
    ),
    (
        _secret_name_pattern(
            _NAME, r"{of}\s+auf\s+[\"'“„`«]?", _VALUE % 3, r"[\"'”`»]?\s+(?:geändert|gesetzt)"
        ),
        _is_password,
    ),
    (_secret_name_pattern(r"{key}(?!\w)", _TIED, _VALUE % 8), _is_key),
    (
        _secret_name_pattern(r"(?:bearer|basic|authorization:\s*\w+)", r"[ \t]+", _VALUE % 12),
        _is_key,
    ),
    (
        _secret_name_pattern(
            r"(?:recovery|backup|scratch)[ -]?codes?",
            "{is}",
            r"(?P<value>(?=\S{0,24}\d)[\w-]{5,24}(?:[ ,;\n]{1,3}(?=\S{0,24}\d)[\w-]{5,24}){0,19})",
        ),
        _is_number,
    ),
    (_secret_name_pattern(r"{code}(?!\w)", _SOON, _DIGITS_OF_CODE), _is_no_year),
    (_secret_name_pattern(r"(?:{code}|{short_code})(?!\w)", _TIED, _DIGITS_OF_CODE), _is_number),
    (_secret_name_pattern(r"{bare_code}{of_locked}", "{is}", _DIGITS_OF_CODE), _is_number),
    (_secret_name_pattern(r"{determiner}\s+(?:[\w-]+\s+)?pin\s+", _DIGITS_OF_CODE), _is_number),
    (_upper(r"(?:PIN|TAN|OTP)\s+", _DIGITS_OF_CODE), _is_number),
    (
        _secret_name_pattern(
            r"{number}(?!\w)", r"[^\d\n.!?]{0,25}", r"(?P<value>[A-Z]{0,3}\d[\dA-Z /-]{4,30})"
        ),
        _is_of_a_document,
    ),
    # The value, then a name.
    (
        _secret_name_pattern(
            _VALUE % 3, r"[\"'”`»]?\s+{is_mine}", _NAME, "{ends}", after=_AT_A_BEGINNING
        ),
        _is_said_alone,
    ),
    (
        _secret_name_pattern(
            r"(?P<value>(?:[A-Z]-)?\d[\d -]{1,8}\d)\s+{is_mine}", _LOCK, "(?:{of_locked})?"
        ),
        _is_no_year,
    ),
    (
        _secret_name_pattern(
            r"{uses}\s+[\"'“„`«]?", _VALUE % 3, r"[\"'”`»]?\s+{as_mine}", _NAME, "{ends}"
        ),
        _is_said_alone,
    ),
    (
        _secret_name_pattern(
            r"(?P<value>(?=\S{0,40}\d)[^\s\"'”“`»«,;]{5,40}+)[\"'”`»]?(?=[\s,])[^.!?\n]{0,60}?(?:that['’]?s|that\s+is|which\s+is|"
            r"das\s+ist|c['’]est|(?:eso\s+)?es)\s+{determiner}\s+(?:[\w'’-]+\s+)?",
            _NAME,
            "{ends}",
            after=r"(?:(?<!\S)|(?<=[\"'“„«`]))",
        ),
        _has_a_digit,
    ),
    # Whoever logs in: a name and a password beside it.
    (_secret_name_pattern(r"log-?in(?: details| data)?", r"\s*(?:is|are|:|=)\s*", _PAIR), bool),
    (
        _secret_name_pattern(
            r"(?:log|logs|logged|sign|signed)(?:\s|-)?in(?:to)?\s[^\n.!?]{0,40}?with\s+",
            r"\S{2,40}\s?/\s?",
            _VALUE % 4,
        ),
        _is_made,
    ),
    (
        _secret_name_pattern(
            r"(?:login|user(?:name)?|account|benutzer|usuario|utilisateur)[ \t]*:?[ \t]+\S{1,60}"
            r"[ \t,;/]+(?:and\s+)?"
            r"(?:password|passwd|pass|pw|passwort)[ \t]*:?[ \t]+",
            _VALUE % 4,
        ),
        _is_said_alone,
    ),
    # Settings, logs, code, addresses and commands.
    (_secret_name_pattern(r"{set_password}", _SET, r"[\"'`]?", _GLUED), _is_password),
    (_secret_name_pattern(r"{set_password}", _SET, r"[\"'`]?", _TO_THE_END), _is_said_alone),
    (
        _secret_name_pattern(r"{set_password}", _SET, r"[\"'`](?P<value>[^\"'`\n]{3,300})"),
        _is_password,
    ),
    (
        _secret_name_pattern(r"{set_key}", _SET, r"[\"'`]?", r"(?P<value>[^\s\"'`&;,]{8,400})"),
        _is_key,
    ),
    (_secret_name_pattern(r"--?(?:u|user)[ \t=]+[\"']?[\w.@-]{1,60}:", _VALUE % 3), _is_password),
    (
        _secret_name_pattern(
            r"--(?:password|passphrase|pass|token)[ \t=]+[\"']?", _VALUE % 3, after=r"(?<!\S)"
        ),
        _is_password,
    ),
    (
        _secret_name_pattern(
            r"(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|redis-cli)(?:\s+(?!-[pa])\S{1,60}){0,8}\s+-[pa]\s?[\"']?",
            _VALUE % 3,
            after=r"(?<![\w.-])",
        ),
        _is_password,
    ),
)
