"""Hide what the person did not say about themselves before any pattern looks at the text.

Every step keeps the length, so that offsets into the prepared text are offsets into the original.
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
# "Translate: I live in Rome": what follows the colon is material to work on.
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
# "[shares a picture: a dog in the grass]": what is shown or done, and not what is said.
_STAGED = re.compile(r"\[(?=[^\[\]\n]*\s\w)[^\[\]\n]{8,600}\]")
_SINGLE_QUOTED = re.compile(r"(?<![\w'])'(?=[^\s'])(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)")
# Whoever gives a secret away goes on about it.
_AFTER_A_SECRET = 300
_SPEAKS = re.compile(r"\b(?:i|i'm|my|we|our|me)\b", re.IGNORECASE)


# Slips of the fingers in the verbs that tell most, each with as many letters as it is put right to.
_SLIPS = load_pairs("slips")
_SLIP = re.compile(rf"\b(?:{'|'.join(_SLIPS)})\b", re.IGNORECASE)
# No sentence goes on after so many blanks; patterns would try again from each of them.
_LONG_BLANK = re.compile(r"\s{16,}")


def mask_text(text: str) -> str:
    """Return the text with quotes, captions, mail, code, links, material and secrets hidden."""
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
    """Hide each secret and what follows it on its line: whatever sentence it stands in."""
    for start, end in list(secrets.find(text)):
        stop = min(mail.line_end(text, end), end + _AFTER_A_SECRET)
        text = text[:start] + _hidden(text[start:stop]) + text[stop:]
    return text


def _hide_speech(match: re.Match[str]) -> str:
    """Return the text without quoted speech; a quoted word or name ("call me 'Nicky'") stays,
    without its marks.
    """
    inside = match[0][1:-1]
    if len(inside.split()) <= 3 and not _SPEAKS.search(inside):
        return f" {inside} "
    return MASK_CHARACTER * len(match[0])


def _hide_material(text: str) -> str:
    """Hide what follows the colon: to the end of its line, or all of it after a lone colon."""
    match = _MATERIAL.search(text)
    if not match:
        return text
    end = mail.line_end(text, match.end())
    stop = end if text[match.end() : end].strip() else len(text)
    return text[: match.end()] + _hidden(text[match.end() : stop]) + text[stop:]
