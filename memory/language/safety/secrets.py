"""Finding secrets in a text: keys, passwords, codes, cards, accounts, wallet words.

A secret is recognised by its form, with check digits if it has any, or by a name beside it
(`secret_names.toml`). `mask_secrets` is the only place that hides secrets: everything derived from
a message has passed it, except the message itself in its own turn.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile

from memory.language.lexicons import load_lexicon
from memory.language.safety.pattern_file import PatternFile

Stretch = tuple[int, int]
Test = Callable[[re.Match[str]], bool]
HIDDEN = "▒"
"""Stands for a character of a secret; as long as the secret, so that no place in the text moves."""
LEFT_OUT = "(a secret, left out)"
"""What a model reads in the place of a secret."""
_RUN = re.compile(rf"{HIDDEN}+(?:\s+{HIDDEN}+)*")
# A value of this length is also masked where it occurs again without its name.
_TELLING = 4


def holds_a_secret(text: str) -> bool:
    """Return whether a text contains a password, a key, a card number or the like."""
    return next(find(text), None) is not None


def find(text: str) -> Iterator[Stretch]:
    """Yield the spans of secrets, including the name before; unordered, may overlap."""
    for begins, (_, end) in _find_secrets(text):
        yield begins, end


def find_secret_values(text: str) -> set[str]:
    """Return the secrets that are not a plain word, so that they count without a name, too."""
    secrets = (
        text[start:end].strip(".,;:!?)\"'") for _, (start, end) in _find_secrets(_as_read(text))
    )
    return {secret for secret in secrets if len(secret) >= _TELLING and not secret.isalpha()}


def mask_secrets(text: str, known: frozenset[str] | set[str] = frozenset()) -> str:
    """Return a text with each secret, and each value in `known`, masked with the same length."""
    read = _as_read(text)
    hidden = [stretch for _, stretch in _find_secrets(read)]
    for value in {read[start:end].strip(".,;:!?)\"'") for start, end in hidden} | known:
        if len(value) >= _TELLING:
            hidden += [match.span() for match in _bare(value).finditer(read)]
    if not hidden:
        return text
    letters = list(text)
    for start, end in hidden:
        letters[start:end] = (HIDDEN if not c.isspace() else c for c in letters[start:end])
    return "".join(letters)


def redact_secrets(
    text: str, known: frozenset[str] | set[str] = frozenset(), mark: str = LEFT_OUT
) -> str:
    """Return a text with each secret replaced by `mark`, for a language model."""
    hidden = mask_secrets(text, known)
    return _RUN.sub(mark, hidden) if hidden is not text else text


def _bare(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")


def _find_secrets(text: str) -> Iterator[tuple[int, Stretch]]:
    yield from _of_a_shape(text)
    if _HINT.search(text):
        yield from _beside_a_name(text)


def _as_read(text: str) -> str:
    """Return a text with full-width and similar characters replaced, of the same length."""
    if text.isascii():
        return text
    return "".join(_plain(letter) for letter in text)


def _plain(letter: str) -> str:
    plain = unicodedata.normalize("NFKC", letter)
    return plain if len(plain) == 1 else letter


# --- Forms ---------------------------------------------------------------------------------------

_WORDS = PatternFile("secret_names.toml")
_SHAPES = tuple(
    re.compile(_WORDS.composed(written)) for written in _WORDS.sections["shapes"]["all"]
)
_HEX, _DIGITS, _IBAN, _TOKEN, _BASE64 = (
    re.compile(_WORDS.part(name)) for name in ("hex", "card", "iban", "token", "base64")
)
# A checksum of a page, a package or a commit is public.
_PUBLIC = re.compile(r"^(?:sha\d{3}|md5)[-:]", re.IGNORECASE)
_SAYS_DIGEST, _SAYS_NUMBER = _WORDS.compiled("says_digest"), _WORDS.compiled("says_number")
_WORDLIKE = re.compile(r"[a-z]{9}|[A-Z]{9}")
_SHORT_WORDLIKE = re.compile(r"[a-z]{5}|[A-Z]{6}")
_LETTERS_IN_A_ROW = re.compile(r"[a-z]{7}|[A-Z]{7}")
# More separators than one per this many characters: a composed name.
_SEPARATED = 8
# Bits per character: about 4.7 for random text, below 4 for a path or name.
_DRAWN_BITS = 4.3
_CONTEXT = 60


def _of_a_shape(text: str) -> Iterator[tuple[int, Stretch]]:
    """Yield the start of a secret with what leads to it, and the span of the secret."""
    for pattern in _SHAPES:
        for match in pattern.finditer(text):
            yield match.start(), match.span("value")
    for pattern, is_one in _CHECKED:
        for match in pattern.finditer(text):
            if is_one(match):
                yield match.start(), match.span()
    yield from _wallet_words(text)


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - _CONTEXT) : match.start()]


def _is_private_hex(match: re.Match[str]) -> bool:
    return not _SAYS_DIGEST.search(_before(match))


def _is_card(match: re.Match[str]) -> bool:
    """Return whether a number is a card number: prefix, length and check digit (Luhn).

    Without a valid check digit: sixteen digits in one piece, not called another kind of number.
    """
    written = match["value"]
    digits = [int(digit) for digit in written if digit.isdigit()]
    plain = "".join(map(str, digits))
    if not _OF_A_CARD.match(plain):
        return False
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0:
        return True
    return written.isdigit() and len(digits) == 16 and not _SAYS_NUMBER.search(_before(match))


_OF_A_CARD = re.compile(r"(?:4\d{12}|3[068]\d{12}|3[47]\d{13}|[2-6]\d{15}|[56]\d{16,18})$")


def _is_iban(match: re.Match[str]) -> bool:
    """Return whether the two check digits fit (ISO 7064, modulo 97)."""
    plain = match["value"].replace(" ", "")
    turned = plain[4:] + plain[:4]
    return len(plain) >= 15 and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _is_token(match: re.Match[str]) -> bool:
    """Return whether a string looks random: both cases, several digits, no long word.

    The shorter it is, the shorter the words that it may contain.
    """
    written = match["value"]
    if _PUBLIC.match(written) or not _mixes(written, 1) or _SAYS_DIGEST.search(_before(match)):
        return False
    if sum(c in "_-+" for c in written) > len(written) / _SEPARATED:
        return False
    if len(written) >= 32:
        return not _WORDLIKE.search(written)
    return _mixes(written, 3) and not _SHORT_WORDLIKE.search(written)


def _is_base64(match: re.Match[str]) -> bool:
    written = match["value"]
    if not _mixes(written, 3) or _SAYS_DIGEST.search(_before(match)):
        return False
    return _bits_a_letter(written) > _DRAWN_BITS and not _LETTERS_IN_A_ROW.search(written)


def _mixes(written: str, cased: int) -> bool:
    """Return whether a string has so many letters of each case, and three digits."""
    return (
        sum(c.islower() for c in written) >= cased
        and sum(c.isupper() for c in written) >= cased
        and sum(c.isdigit() for c in written) >= 3
    )


def _bits_a_letter(written: str) -> float:
    """Return the Shannon entropy of a string in bits per character."""
    counts = Counter(written)
    return -sum(n / len(written) * math.log2(n / len(written)) for n in counts.values())


_CHECKED: tuple[tuple[re.Pattern[str], Test], ...] = (
    (_HEX, _is_private_hex),
    (_DIGITS, _is_card),
    (_IBAN, _is_iban),
    (_TOKEN, _is_token),
    (_BASE64, _is_base64),
)

# --- Wallet words --------------------------------------------------------------------------------

_WALLET = _WORDS.compiled("wallet")
_LINE = re.compile(r"^[ \t\"']*([a-z]{3,8}(?: [a-z]{3,8}){11,23})[ \t\"'.]*$", re.MULTILINE)
_FEWEST_WORDS = 8
_LENGTHS = frozenset({12, 15, 18, 21, 24})
# Words that are in no wallet word list, and in nearly every sentence of twelve words.
_SENTENCE = load_lexicon("never_in_wallets")


def _wallet_words(text: str) -> Iterator[tuple[int, Stretch]]:
    for match in _WALLET.finditer(text):
        plain = takewhile(lambda word: word not in _SENTENCE, match["words"].casefold().split())
        if len(list(plain)) >= _FEWEST_WORDS:
            yield match.start(), match.span("words")
    for match in _LINE.finditer(text):
        words = match[1].split()
        if (
            len(words) in _LENGTHS
            and len(set(words)) > len(words) / 2
            and not _SENTENCE & set(words)
        ):
            yield match.start(), match.span(1)


# --- Secrets beside a name -----------------------------------------------------------------------
#
# Composed of a name for a secret, a connection and a value. The name alone ("I forgot my password")
# is no secret, nor is a description of a password: a plain word counts only at the end.

_HINT = re.compile(_WORDS.part("hint"), re.IGNORECASE)
# Without a match of this there is no name in a text.


def _beside_a_name(text: str) -> Iterator[tuple[int, Stretch]]:
    """Yield the start of the name and the span of the secret beside it.

    A name after the secret is not included.
    """
    for pattern, is_secret in _NAMED:
        for match in pattern.finditer(text):
            if is_secret(match["value"]):
                yield min(match.start(), match.start("value")), match.span("value")


# --- Forms of a value ----------------------------------------------------------------------------

# Words that describe a password, and their endings.
_SAID_OF_IT = load_lexicon("said_of_passwords")
_SAYS_SOMETHING = re.compile(_WORDS.part("says_something"))
_STANDS_FOR_ONE, _LENGTH_OF_IT = _WORDS.compiled("stands_for_one"), _WORDS.compiled("length_of_it")
_IN_PROSE = _WORDS.compiled("in_prose")


def _without_mark(value: str) -> str:
    return value.rstrip(".!?)…:")


def _is_password(value: str) -> bool:
    bare = _without_mark(value)
    return len(bare) >= 3 and not _STANDS_FOR_ONE.search(bare)


def _is_said_alone(value: str) -> bool:
    """Return whether a value that stands alone is a password and not a word describing one."""
    plain = _without_mark(value).casefold()
    if not _is_password(value) or plain in _SAID_OF_IT:
        return False
    return not plain.isalpha() or not _SAYS_SOMETHING.search(plain)


def _is_made(value: str) -> bool:
    """Return whether a value mixes letters with digits or symbols and is no word or measure."""
    bare = _without_mark(value)
    if not _is_password(value) or _LENGTH_OF_IT.match(bare) or bare.casefold() in _SAID_OF_IT:
        return False
    return any(c.isalpha() for c in bare) and not _IN_PROSE.match(bare)


def _has_a_digit(value: str) -> bool:
    return _is_made(value) and any(c.isdigit() for c in value)


def _is_key(value: str) -> bool:
    bare = _without_mark(value)
    return len(bare) >= 8 and any(c.isdigit() for c in bare) and not _STANDS_FOR_ONE.search(bare)


def _is_number(value: str) -> bool:
    return sum(c.isdigit() for c in value) >= 3


_YEAR = re.compile(r"(?:19|20)\d\d$")


def _is_no_year(value: str) -> bool:
    return _is_number(value) and not _YEAR.match(value)


_DAY = re.compile(r"\d{1,2}[ /-]\d{1,2}[ /-](?:19|20)\d\d\b")
_PLAIN_WORD = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)", re.IGNORECASE)


def _is_of_a_document(value: str) -> bool:
    """Return whether a value is a document's number and no day ("expires on 3 March 2027")."""
    pieces = _PLAIN_WORD.split(_DAY.sub(" ", value))
    return any(
        _is_number(word) and not word.isdigit() for piece in pieces for word in piece.split()
    ) or any(sum(c.isdigit() for c in piece) >= 5 for piece in pieces)


# --- Names, connections and values together ------------------------------------------------------

_TESTS: dict[str, Callable[[str], bool]] = {
    "said_alone": _is_said_alone,
    "made": _is_made,
    "password": _is_password,
    "any": bool,
    "has_a_digit": _has_a_digit,
    "key": _is_key,
    "number": _is_number,
    "no_year": _is_no_year,
    "of_a_document": _is_of_a_document,
}
_NAMED = tuple(
    (re.compile(_WORDS.composed(written), re.IGNORECASE), is_secret)
    for what, is_secret in _TESTS.items()
    for written in _WORDS.sections["told"][what]
)
