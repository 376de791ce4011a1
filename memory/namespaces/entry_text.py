"""Entries as text: compact for a prompt, and in sentences for the user.

The compact form has a heading that names the fields, then one line per entry:

    people: name relation mentioned days_ago traits: note
    Anna_Maria work 5 12 blocks align: runs the release

Days count back from a day that `preamble` names once for the prompt; shares are out of 10. Codes
are English words, so there is no legend. Default values at the end are left out; phrases come last,
separated by bars. Different entries have different lines, except for shortened fields.
"""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from accounts.support.formatting import listed
from memory.language.text.compression import truncate_at_clause
from memory.namespaces.registry import Entry, FieldType, Namespace, Style

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_ALONE = str.maketrans(_ESCAPES)
_PHRASE = str.maketrans(_ESCAPES | {"|": "\\|"})
_ITEM = str.maketrans(_ESCAPES | {"|": "\\|", ",": "\\,"})
# Spaces in a word are written as underscores. A code has no spaces and is not escaped.
_WORD = str.maketrans(_ESCAPES | {" ": "_", "_": "\\_", ",": "\\,", ":": "\\:"})
_OPTIONAL = re.compile(r"\[(.*?)\]")
_FIELD = re.compile(r"\{([\w|]+)(?::([^}]*))?\}")


def preamble(as_of: date) -> str:
    """Return the first line of a prompt's entries, which applies to all blocks."""
    return f"Days count back from {as_of}; shares are out of 10."


def heading(namespace: Namespace) -> str:
    """Return the heading of a namespace: the names of its fields in order."""
    words = " ".join(
        namespace.fields[name].heading or name for name in _names(namespace, phrases=False)
    )
    phrases = " | ".join(_names(namespace, phrases=True))
    return ": ".join(part for part in (namespace.title, words, phrases) if part)


def block(namespace: Namespace, entries: Iterable[dict[str, Any]], as_of: date) -> str:
    """Return entries as text: the heading, and a line for each entry."""
    return "\n".join([heading(namespace), *(line(namespace, data, as_of) for data in entries)])


def line(namespace: Namespace, data: dict[str, Any], as_of: date) -> str:
    """Return an entry as one line; days count back from `as_of`."""
    entry = namespace.schema.model_validate(data)
    words, phrases = (_names(namespace, phrases=phrases) for phrases in (False, True))
    head = " ".join(
        _word(
            getattr(entry, name),
            namespace.fields[name].style,
            as_of,
            # The items of a list in the last field are separated by spaces.
            between=" " if name == words[-1] else ",",
        )
        for name in _without_usual(entry, words)
    )
    tail = [
        _phrase(_shortened(namespace, entry, name), _ALONE if len(phrases) == 1 else _PHRASE)
        for name in _without_usual(entry, phrases)
    ]
    if not tail:
        return head
    return f"{head}: {' | '.join(tail)}" if words else " | ".join(tail)


def sentences(namespace: Namespace, data: dict[str, Any]) -> str:
    """Return an entry in sentences; without templates, "field: value" for each field."""
    entry = namespace.schema.model_validate(data)
    if namespace.sentences:
        parts = [_filled(namespace, template, entry) for template in namespace.sentences]
    else:
        named = {name: getattr(entry, name) for name in namespace.fields}
        parts = [
            f"{name}: {_in_words(value, namespace.fields[name])}"
            for name, value in named.items()
            if not _is_empty(value)
        ]
    capitalized = [part[:1].upper() + part[1:] for part in parts if part]
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in capitalized)


# --- The compact form -----------------------------------------------------------------------------


def _names(namespace: Namespace, *, phrases: bool) -> list[str]:
    fields = namespace.fields.items()
    return [name for name, kind in fields if (kind.style is Style.PHRASE) is phrases]


def _without_usual(entry: Entry, names: list[str]) -> list[str]:
    """Return the field names without those at the end that have their default value."""
    fields, last = type(entry).model_fields, len(names)
    while last:
        info = fields[names[last - 1]]
        if info.is_required() or getattr(entry, names[last - 1]) != info.default:
            break
        last -= 1
    return names[:last]


_AS_WORD: dict[type, Callable[[Any, date], str]] = {
    bool: lambda flag, _: "yes" if flag else "no",
    float: lambda share, _: str(round(share * 10)),
    int: lambda number, _: str(number),
    date: lambda day, as_of: str((as_of - day).days),
    datetime: lambda moment, as_of: f"{(as_of - moment.date()).days}@{moment:%H%M}",
}


def _word(value: Any, style: Style, as_of: date, between: str) -> str:
    if _is_empty(value):
        return "-"
    if isinstance(value, list):
        return between.join(_word(item, style, as_of, between) for item in value)
    if not isinstance(value, str):
        return _AS_WORD[type(value)](value, as_of)
    if style is Style.CODE:
        return value
    return "\\-" if value == "-" else value.translate(_WORD)


def _shortened(namespace: Namespace, entry: Entry, name: str) -> Any:
    value = getattr(entry, name)
    if value and name in namespace.shorten:
        return truncate_at_clause(value, namespace.shorten[name]) or value
    return value


def _phrase(value: str | list[str] | None, escapes: dict[int, str]) -> str:
    if isinstance(value, list):
        return ", ".join(item.translate(_ITEM) for item in value)
    return (value or "").translate(escapes)


# --- Sentences ------------------------------------------------------------------------------------


def _filled(namespace: Namespace, template: str, entry: Entry) -> str:
    """Return a template with its fields filled in from an entry."""

    def value(names: str) -> tuple[Any, FieldType]:
        values = [(getattr(entry, name), namespace.fields[name]) for name in names.split("|")]
        return next((pair for pair in values if not _is_empty(pair[0])), values[-1])

    def part(match: re.Match[str]) -> str:
        named = [value(names)[0] for names, _ in _FIELD.findall(match[1])]
        return "" if any(map(_is_empty, named)) else match[1]

    def words(match: re.Match[str]) -> str:
        return _in_words(*value(match[1]), match[2] or "")

    return _FIELD.sub(words, _OPTIONAL.sub(part, template))


def _is_empty(value: Any) -> bool:
    return value is None or value == []


_WORDED: dict[type, Callable[[Any, str], str]] = {
    bool: lambda flag, wanted: (wanted or "yes|no").split("|")[0 if flag else 1],
    float: lambda share, _: f"{share:.2f}",
    int: lambda number, wanted: _times(number) if wanted == "times" else str(number),
    date: lambda day, _: _day(day),
    datetime: lambda moment, _: f"{_day(moment)} at {moment:%H:%M}",
}


def _in_words(value: Any, kind: FieldType, wanted: str = "") -> str:
    if _is_empty(value):
        return ""
    if isinstance(value, list):
        return listed([_in_words(item, kind) for item in value])
    if not isinstance(value, str):
        return _WORDED[type(value)](value, wanted)
    is_code = kind.style is Style.CODE
    return kind.words.get(value) or (value.replace("_", " ") if is_code else value)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
