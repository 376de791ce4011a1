"""Masking text that the user does not say about themselves, before patterns read the rest.

Masking keeps the length, so that offsets in the masked text are offsets in the original.
"""

from __future__ import annotations

import re

from memory.language import mail
from memory.language.lexicons import load_pairs
from memory.language.safety import secrets

MASK_CHARACTER = "\u2592"
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
        MASK_CHARACTER: " ",
    }
)

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,300}`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ ]*(?:>|\|).*$", re.MULTILINE)
_LINK = re.compile(
    r"\b(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}", re.IGNORECASE
)
# "Translate: I live in Rome": the text after the colon is material to work on.
_MATERIAL = re.compile(
    r"\b(?:translat\w*|rewrite|re-?phrase|paraphrase|proof-?read|correct|summari[sz]e|edit|improve|"
    r"fix|check|parse|analy[sz]e|grammar|spell\w*|sentences?|paragraph|e-?mail|letter|story|poem|"
    r"lyrics|text|bio|select|script|dialogue|quote|example|prompt|role-?play|transcript|"
    r"article|says?|"
    r"said)"
    r"\b[^.!?\n:]{0,80}:(?!\d|/)(?=.)",
    re.IGNORECASE,
)
_DOUBLE_QUOTED = re.compile(r'"[^"\n]{1,1000}"')
# "[shares a picture: a dog in the grass]": shown or done, not said.
_STAGED = re.compile(r"\[(?=[^\[\]\n]*\s\w)[^\[\]\n]{8,600}\]")
_SINGLE_QUOTED = re.compile(r"(?<![\w'])'(?=[^\s'])(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)")
# Characters after a secret that are masked too.
_AFTER_A_SECRET = 300
_SPEAKS = re.compile(r"\b(?:i|i'm|my|we|our|me)\b", re.IGNORECASE)


# Common typing errors in verbs, each corrected to the same number of letters.
_SLIPS = load_pairs("slips")
_SLIP = re.compile(rf"\b(?:{'|'.join(_SLIPS)})\b", re.IGNORECASE)
# No sentence continues after this many blanks; patterns would try again from each of them.
_LONG_BLANK = re.compile(r"\s{16,}")


def mask_text(text: str) -> str:
    """Return a text with quotes, captions, e-mails, code, links, material and secrets masked."""
    text = _LONG_BLANK.sub(
        lambda blank: MASK_CHARACTER * len(blank[0]), text.translate(_SAME_LENGTH)
    )
    text = _SLIP.sub(lambda slip: _SLIPS[slip[0].lower()], text)
    text = _hide_secrets(text)
    mails = [slice(*stretch) for stretch in mail.stretches(text)]
    text = _QUOTED_LINE.sub(_hide, _CODE.sub(_hide, text))
    for there in mails:
        text = text[: there.start] + _hidden(text[there]) + text[there.stop :]
    text = _STAGED.sub(_hide, _LINK.sub(_hide, text))
    text = _hide_material(text)
    for pattern in (_DOUBLE_QUOTED, _SINGLE_QUOTED):
        text = pattern.sub(_hide_speech, text)
    return text


def _hide(match: re.Match[str]) -> str:
    return _hidden(match[0])


def _hidden(text: str) -> str:
    return re.sub(r"[^\n]", MASK_CHARACTER, text)


def _hide_secrets(text: str) -> str:
    """Mask each secret and the rest of its line."""
    for start, end in list(secrets.find(text)):
        stop = min(mail.line_end(text, end), end + _AFTER_A_SECRET)
        text = text[:start] + _hidden(text[start:stop]) + text[stop:]
    return text


def _hide_speech(match: re.Match[str]) -> str:
    """Return the mask for quoted speech; quoted names ("call me 'Nicky'") stay, without quotes."""
    inside = match[0][1:-1]
    if len(inside.split()) <= 3 and not _SPEAKS.search(inside):
        return f" {inside} "
    return MASK_CHARACTER * len(match[0])


def _hide_material(text: str) -> str:
    """Mask the text after a colon: to the end of its line, or all of it if the line is empty."""
    match = _MATERIAL.search(text)
    if not match:
        return text
    end = mail.line_end(text, match.end())
    stop = end if text[match.end() : end].strip() else len(text)
    return text[: match.end()] + _hidden(text[match.end() : stop]) + text[stop:]
