"""Hide what the person did not say about themselves before any pattern looks at the text.

Every step keeps the length, so that offsets into the prepared text are offsets into the original.
"""

from __future__ import annotations

import re

MASK = "\u2592"
"""Stands for a hidden character; no pattern matches across it."""

_SAME_LENGTH = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u02bc": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u00ab": '"',
        "\u00bb": '"',
        "\t": " ",
        "\u00a0": " ",
        "\r": "\n",
        MASK: " ",
    }
)

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,300}`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ ]*(?:>|\|).*$", re.MULTILINE)
# Everything below such a header is somebody's mail.
_MAIL = re.compile(
    r"^(?:-{2,} ?(?:original|forwarded) message|from: .+|on .{5,120} wrote:"
    r"|begin forwarded message)"
    r".*\Z",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(
    r"\b(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}", re.IGNORECASE
)
# "Translate: I live in Rome": what follows the colon is material to work on.
_MATERIAL = re.compile(
    r"\b(?:translat\w*|rewrite|re-?phrase|paraphrase|proof-?read|correct|summari[sz]e|edit|improve|"
    r"fix|check|parse|analy[sz]e|grammar|spell\w*|sentences?|paragraph|e-?mail|letter|story|poem|"
    r"lyrics|text|bio|script|dialogue|quote|example|prompt|role-?play|transcript|article|says?|said)"
    r"\b[^.!?\n:]{0,80}:(?!\d|/)(?=.)",
    re.IGNORECASE,
)
_DOUBLE_QUOTED = re.compile(r'"[^"\n]{1,1000}"')
_SINGLE_QUOTED = re.compile(r"(?<![\w'])'(?=[^\s'])(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)")
_SPEAKS = re.compile(r"\b(?:i|i'm|my|we|our|me)\b", re.IGNORECASE)

# Secrets are never read, whatever sentence they stand in: shapes first, then naming words.
_SECRET_SHAPE = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|hf|AIza|AKIA|ASIA)[-_A-Za-z0-9]{12,200}"
    r"|\beyJ[\w-]{10,500}\.[\w.-]{10,1000}"
    r"|\b\d{3}-\d{2}-\d{4}\b"
    r"|\b(?:\d[ -]?){12,18}\d\b"
    r"|\b(?=[A-Za-z0-9+/_-]{0,31}\d)[A-Za-z0-9+/_-]{32,200}={0,2}"
)
_SECRET_NAMED = re.compile(
    r"\b(?:pass ?word|passwort|pass ?phrase|pass ?code|pwd|pin(?: code| number)?|api[ _-]?keys?|"
    r"access[ _-]?(?:key|token)|secret(?:[ _-]?key)?|private key|auth token|bearer|credentials?|"
    r"log-?in is|cvv|cvc|social security number|ssn|credit card(?: number)?|iban|seed phrase|"
    r"recovery code|2fa code|otp)\b[^\n]{0,300}",
    re.IGNORECASE,
)


def holds_a_secret(text: str) -> bool:
    """Whether a password, a key, a card number or the naming of one stands in the text."""
    return bool(_SECRET_SHAPE.search(text) or _SECRET_NAMED.search(text))


def prepare(text: str) -> str:
    """The text with quotes, mail, code, links, material and secrets hidden; same length."""
    text = text.translate(_SAME_LENGTH)
    for pattern in (_SECRET_SHAPE, _SECRET_NAMED, _CODE, _QUOTED_LINE, _MAIL, _LINK):
        text = pattern.sub(_hide, text)
    text = _hide_material(text)
    for pattern in (_DOUBLE_QUOTED, _SINGLE_QUOTED):
        text = pattern.sub(_hide_speech, text)
    return text


def _hide(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", MASK, match[0])


def _hide_speech(match: re.Match[str]) -> str:
    """A quoted word or name ("call me 'Nicky'") stays, without its marks; quoted speech goes."""
    inside = match[0][1:-1]
    if len(inside.split()) <= 3 and not _SPEAKS.search(inside):
        return f" {inside} "
    return MASK * len(match[0])


def _hide_material(text: str) -> str:
    """Hide what follows the colon: to the end of its line, or all of it after a lone colon."""
    found = _MATERIAL.search(text)
    if not found:
        return text
    line_end = text.find("\n", found.end())
    rest_of_line = text[found.end() : line_end if line_end >= 0 else len(text)]
    stop = line_end if line_end >= 0 and rest_of_line.strip() else len(text)
    hidden = re.sub(r"[^\n]", MASK, text[found.end() : stop])
    return text[: found.end()] + hidden + text[stop:]
