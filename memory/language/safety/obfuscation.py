"""Detecting hidden text: invisible characters, look-alikes, markup, encoded words."""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from memory.language.lazy_pattern import compile_lazily

_QUOTES = str.maketrans(
    {"’": "'", "‘": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
)
# Invisible between two Latin letters; joiners are used in other scripts.
_INVISIBLE = "\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff"
_INVISIBLE_ANY = compile_lazily(f"[{_INVISIBLE}\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_CUT_BY_NOTHING = compile_lazily(f"[A-Za-z][{_INVISIBLE}]+[A-Za-z]")
# Direction overrides, and the invisible tag alphabet.
_NEVER = compile_lazily("[\u202d\u202e\U000e0020-\U000e007f](?!\U000e007f)")
_FLAG = compile_lazily("\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
_FLOOD = compile_lazily(r"(?:\n[ \t]*){8}|(?:\\ ?n[ \t]*){5}")
_BLANKS = compile_lazily(r"[^\S\n]+")
_EMPTY_LINES = compile_lazily(r"(?: ?\n ?){3,}")
_SPACED = compile_lazily(r"(?<!\w)[^\W\d_](?:[ .\-_*]{1,2}[^\W\d_](?!\w)){7,}")
_UNSEEN_MARKUP = compile_lazily(
    r"<!--(.{0,2000}?)(?:-->|\Z)|"
    r"<[a-z]\w*[^<>]{0,300}?(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
    r"opacity\s*:\s*0|"
    r"color\s*:\s*(?:white|#fff)|\bhidden\b)[^<>]{0,300}>(.*?)(?:</|\Z)|"
    r"\[//\]: ?#? ?\(?(.*)|!?\[([^\]\n]{0,2000})\]\(|"
    r"\b(?:alt|title|content)=[\"']([^\"']*)",
    re.IGNORECASE | re.DOTALL,
)
_SENDS_AWAY = compile_lazily(
    r"!\[[^\]\n]{0,2000}\]\(\s*https?://[^)\s]{0,2000}?[?&][^)\s=]{1,200}=|"
    r"<img[^>]{1,2000}?src\s*=\s*[\"']?https?://[^>\s]*\?|"
    r"<script\b|javascript:|\bon(?:error|load|click)\s*=|\bdata:text/html",
    re.IGNORECASE,
)
_BASE64 = compile_lazily(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![\w+/=-])")
_HEX = compile_lazily(r"\b(?:[0-9a-fA-F]{2}[ :]?){12,}\b|(?:\\x[0-9a-fA-F]{2}){6,}")
_ENTITIES = compile_lazily(r"(?:&#x?[0-9a-fA-F]+;){5,}|(?:%[0-9a-fA-F]{2}.?){6,}")
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһԛԝνοαρτυικВЕКМНОРСТХАІ", "aeopcyxijsdhqwvoaptuikBEKMHOPCTXAI"
)
_MIXED = compile_lazily(r"\b(?=\w*[A-Za-z])(?=\w*[\u0370-\u03ff\u0400-\u04ff])\w{3,}\b")
# Fenced code, and lines that only a program has.
_PROGRAM = compile_lazily(
    r"```[\s\S]*?(?:```|\Z)|"
    r"^(?:[ ]{2,}(?=\S).*(?:[=;(){}\[\]<>]|:[ \t]*$)|[ \t]*(?:def \w+\(|class \w+[:({]|\}|"
    r"import [\w.{*]+(?: from| as|;|$)|else[ \t]*[:{]|try[ \t]*[:{]|function \w*\(|"
    r"(?:const|let|var) \w+[ \t]*=|@\w+[ \t]*$|@\w+[.(]|[\w.]+[ \t]*=[^=]|"
    r"[\w.\[\]]+\(.*\)[ \t]*[;:{]?[ \t]*$|</?\w[^>\n]*>[ \t]*$)).*$|"
    r"^.*[{};][ \t]*$",
    re.MULTILINE,
)
# Words that only occur in reversed text.
_BACKWARDS = compile_lazily(
    r"\b(?:eht|uoy|ruoy|rewsna|ylper|lla|dna|ylno|yas|etirw|erongi|siht|taht|"
    r"snoitcurtsni|tpmorp|tseuqer|txet|hsilgne|sdrow|rettel|"
    r"eid|red|sad|dnu|niek|twrotna|eniek|thcin|netrowtna|etrowtna|eglof)\b",
    re.IGNORECASE,
)
_BACKWARDS_ENOUGH = 2
_MOST = 20
"""Encoded pieces that are opened of one text."""


@dataclass(frozen=True)
class Concealed:
    """Hidden texts that were decoded, and whether the text is obfuscated beyond doubt."""

    texts: tuple[str, ...]
    unreadable: bool


def fold_text(text: str) -> str:
    """Return a text as a reader would see it, for matching.

    Without invisible characters, accents, case, curly quotes, repeated blanks and empty lines.
    """
    # ASCII text has no hidden characters.
    plain = text if text.isascii() else _without_accents(straight(text))
    return _EMPTY_LINES.sub("\n\n", _BLANKS.sub(" ", plain.casefold()))


def _without_accents(text: str) -> str:
    """Return a text without accents, with look-alike letters of other alphabets replaced."""
    text = _MIXED.sub(lambda word: word[0].translate(_LOOKALIKES), text)
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if not unicodedata.combining(c))


def straight(text: str) -> str:
    """Return a text with case, without invisible characters and with straight quotes."""
    return unicodedata.normalize("NFKC", _INVISIBLE_ANY.sub("", text)).translate(_QUOTES)


def without_programs(text: str) -> str:
    """Return a text without fenced code and program lines."""
    return _PROGRAM.sub(" ", text)


def concealed(text: str) -> Concealed:
    """Return what a text hides. Never raises."""
    unflagged = _FLAG.sub("", text)
    unreadable = any(
        pattern.search(unflagged) for pattern in (_NEVER, _CUT_BY_NOTHING, _FLOOD, _SPACED)
    )
    unreadable = unreadable or bool(_SENDS_AWAY.search(without_programs(unflagged)))
    unreadable = unreadable or any(_looks_alike(word[0]) for word in _MIXED.finditer(unflagged))
    return Concealed(tuple(_inner(unflagged)), unreadable)


def _looks_alike(word: str) -> bool:
    """Return whether a word with two alphabets looks like a Latin word."""
    return word.translate(_LOOKALIKES).isascii()


def _inner(text: str) -> Iterator[str]:
    for match in list(_UNSEEN_MARKUP.finditer(text))[:_MOST]:
        yield " ".join(group for group in match.groups() if group)
    for match in list(_BASE64.finditer(text))[:_MOST]:
        yield from _from_base64(match[0])
    for match in list(_HEX.finditer(text))[:_MOST]:
        yield from _readable(_from_hex(match[0]))
    if _ENTITIES.search(text):
        yield html.unescape(unquote(text))
    yield codecs.encode(text, "rot13")
    if len(_BACKWARDS.findall(text)) >= _BACKWARDS_ENOUGH:
        yield text[::-1].strip(" .!?")


def _from_base64(piece: str) -> Iterator[str]:
    plain = piece.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return
    yield from _readable(decoded)


def _from_hex(piece: str) -> bytes:
    digits = re.sub(r"\\x|[ :]", "", piece)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _readable(decoded: bytes) -> Iterator[str]:
    try:
        text = decoded.decode()
    except UnicodeDecodeError:
        return
    if text.isprintable() and " " in text:
        yield text
