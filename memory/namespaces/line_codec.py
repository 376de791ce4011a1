"""Entries in few tokens: a heading that names the fields once, then one line an entry.

    people: name relation mentioned days_ago traits: note
    Anna_Maria work 5 12 blocks coordinate: runs the release

Days count back from a day that `preamble` names above, once for all; shares are out of 10. Codes
are English words, so the heading is all the legend there is. Fields at the end that have their
usual value are left out; phrases come last, divided by bars where there are several. Reading a line
back gives the same entry; what a codec shortens beforehand is declared in `shortened`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from functools import cached_property
from typing import Any, Generic, TypeVar, get_args, get_origin

from pydantic.fields import FieldInfo

from memory.namespaces.schemas import Bare, Entry, Phrase

E = TypeVar("E", bound=Entry)

_NOTHING = "-"
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_PHRASE_ESCAPES = _ESCAPES | {"|": "\\|"}
_ITEM_ESCAPES = _PHRASE_ESCAPES | {",": "\\,"}
# A word may hold a space, which is written as an underscore. A code has none, and keeps its own.
_CODE_ESCAPES: dict[str, str] = {}
_WORD_ESCAPES = _ESCAPES | {" ": "_", "_": "\\_", ",": "\\,", ":": "\\:"}
_UNESCAPED = {"n": "\n", "r": "\r"}


def preamble(as_of: date) -> str:
    """The line above all blocks of a prompt, which holds for each of them."""
    return f"Days count back from {as_of}; shares are out of 10."


class NotALine(ValueError):
    """A text that no entry was written as."""


@dataclass(frozen=True)
class LineCodec(Generic[E]):
    """How entries of a schema are written as lines; only `shortened` phrases lose words."""

    title: str
    schema: type[E]
    shortened: Mapping[str, Callable[[str], str]] = field(default_factory=dict)

    @property
    def is_lossless(self) -> bool:
        """Whether reading a line gives back the entry with every word."""
        return not self.shortened

    @cached_property
    def heading(self) -> str:
        """The line above the others: which fields, in which order."""
        words = " ".join(_heading_of(name, info) for name, info in self._words.items())
        phrases = " | ".join(self._phrases)
        return ": ".join(part for part in (self.title, words, phrases) if part)

    def block(self, entries: Iterable[E], as_of: date) -> str:
        """The heading and a line for each entry."""
        return "\n".join([self.heading, *(self.line(entry, as_of) for entry in entries)])

    def line(self, entry: E, as_of: date) -> str:
        """One entry as one line; days count back from `as_of`."""
        entry = self.reduced(entry)
        words = [self._word(entry, name, as_of) for name in self._without_usual(entry, self._words)]
        phrases = [
            _phrase(getattr(entry, name), alone=len(self._phrases) == 1)
            for name in self._without_usual(entry, self._phrases)
        ]
        head, tail = " ".join(words), " | ".join(phrases)
        if not phrases:
            return head
        return f"{head}: {tail}" if self._words else tail

    def parse(self, line: str, as_of: date) -> E:
        """The entry that a line was written from. Raises NotALine or pydantic's ValidationError."""
        head, tail = _split(line) if self._words else ("", line)
        words = head.split(" ") if head else []
        if self._rest and len(words) >= len(self._words):
            last = len(self._words) - 1
            words[last:] = [",".join(words[last:])]
        alone = len(self._phrases) == 1
        parts = [] if tail is None else [tail] if alone else _parts(tail, "|")
        if len(words) > len(self._words) or len(parts) > len(self._phrases):
            raise NotALine(f"A line of {self.title} has fewer fields: {self.heading}")
        found: dict[str, Any] = {}
        for word, (name, info) in zip(words, self._words.items(), strict=False):
            found[name] = _value(word, info, as_of)
        for part, (name, info) in zip(parts, self._phrases.items(), strict=False):
            found[name] = _unphrased(part, info)
        return self.schema.model_validate(found)

    def reduced(self, entry: E) -> E:
        """The entry as far as its line keeps it; the entry itself where nothing is shortened."""
        if self.is_lossless:
            return entry
        texts = {name: getattr(entry, name) for name in self.shortened}
        fewer = {name: self.shortened[name](text) or text for name, text in texts.items() if text}
        return entry.model_copy(update=fewer)

    @cached_property
    def _phrases(self) -> dict[str, FieldInfo]:
        """The fields that are written last, in the writer's own words."""
        fields = self.schema.model_fields
        return {name: info for name, info in fields.items() if _is_marked(info, Phrase)}

    @cached_property
    def _words(self) -> dict[str, FieldInfo]:
        """The fields that are written as one word each, in their order."""
        fields = self.schema.model_fields
        return {name: info for name, info in fields.items() if name not in self._phrases}

    @cached_property
    def _rest(self) -> str:
        """A list that comes last of them: each of its items is a word. '' for none."""
        name, info = list(self._words.items())[-1] if self._words else ("", FieldInfo())
        return name if get_origin(info.annotation) is list else ""

    def _word(self, entry: E, name: str, as_of: date) -> str:
        escapes = _CODE_ESCAPES if _is_marked(self._words[name], Bare) else _WORD_ESCAPES
        between = " " if name == self._rest else ","
        return _word(getattr(entry, name), as_of, escapes, between)

    def _without_usual(self, entry: E, fields: Mapping[str, FieldInfo]) -> list[str]:
        """Their names, without those at the end that have their usual value."""
        names = list(fields)
        while names:
            info = fields[names[-1]]
            usual = info.get_default(call_default_factory=True)
            if info.is_required() or getattr(entry, names[-1]) != usual:
                break
            names.pop()
        return names


def _is_marked(info: FieldInfo, mark: type) -> bool:
    inner = [getattr(arg, "__metadata__", ()) for arg in get_args(info.annotation)]
    return any(mark in marks for marks in [info.metadata, *inner])


def _heading_of(name: str, info: FieldInfo) -> str:
    kind = _kind(info)
    if kind in (date, datetime):
        return "days_ago" if kind is date else "days_ago@time"
    return name


def _kind(info: FieldInfo) -> type:
    """The plain type of a field: without `| None`, of a list the type of its items."""
    kind: Any = info.annotation
    while get_args(kind):
        kind = next(arg for arg in get_args(kind) if arg is not type(None))
    assert isinstance(kind, type)
    return kind


def _phrase(value: str | list[str] | None, *, alone: bool) -> str:
    if isinstance(value, list):
        return ", ".join(_escaped(item, _ITEM_ESCAPES) for item in value)
    return _escaped(value or "", _ESCAPES if alone else _PHRASE_ESCAPES)


def _unphrased(part: str, info: FieldInfo) -> Any:
    if get_origin(info.annotation) is list:
        return [_plain(item) for item in _parts(part, ",")] if part else []
    return _plain(part) if part or info.is_required() else None


def _word(  # noqa: PLR0911 - a line a type
    value: Any, as_of: date, escapes: Mapping[str, str], between: str
) -> str:
    match value:
        case None | []:
            return _NOTHING
        case list():
            return between.join(_word(item, as_of, escapes, between) for item in value)
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case float():
            return str(round(value * 10))
        case date():
            clock = f"@{value:%H%M}" if isinstance(value, datetime) else ""
            day = value.date() if isinstance(value, datetime) else value
            return f"{(as_of - day).days}{clock}"
        case str():
            word = _escaped(value, escapes)
            return f"\\{word}" if word == _NOTHING else word
    return str(value)


def _value(word: str, info: FieldInfo, as_of: date) -> Any:
    is_list = get_origin(info.annotation) is list
    if word == _NOTHING:
        return [] if is_list else None
    bare = _is_marked(info, Bare)
    if is_list:
        return [_single(part, _kind(info), as_of, bare=bare) for part in _cut(word, ",")]
    return _single(word, _kind(info), as_of, bare=bare)


def _single(word: str, kind: type, as_of: date, *, bare: bool) -> Any:
    try:
        if kind is bool:
            return {"yes": True, "no": False}[word]
        if kind is float:
            return int(word) / 10
        if kind is datetime:
            days, _, clock = word.partition("@")
            time_of_day = time(int(clock[:2]), int(clock[2:]), tzinfo=UTC)
            return datetime.combine(as_of - timedelta(days=int(days)), time_of_day)
        if kind is date:
            return as_of - timedelta(days=int(word))
    except (KeyError, ValueError, OverflowError) as error:
        raise NotALine(f"{word!r} is not a valid value for the field.") from error
    return word if bare or issubclass(kind, Enum) else _plain(_spaced(word))


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(letter, letter) for letter in text)


def _cut(text: str, sign: str) -> list[str]:
    """The parts of a text between those signs that no backslash stands before."""
    parts, begin, position = [], 0, 0
    while position < len(text):
        if text[position] == "\\":
            position += 1
        elif text[position] == sign:
            parts.append(text[begin:position])
            begin = position + 1
        position += 1
    return [*parts, text[begin:]]


def _parts(text: str, sign: str) -> list[str]:
    """The same without the space that is written around a sign, or behind a comma."""
    first, *others = _cut(text, sign)
    parts = [first, *(part.removeprefix(" ") for part in others)]
    if sign == "|":
        parts[:-1] = [part.removesuffix(" ") for part in parts[:-1]]
    return parts


def _spaced(word: str) -> str:
    """A word with its spaces again, which were written as bare underscores."""
    return " ".join(_cut(word, "_"))


def _plain(text: str) -> str:
    """What stands behind the backslashes."""
    letters = iter(text)
    out = []
    for letter in letters:
        after = next(letters, "\\") if letter == "\\" else ""
        out.append(_UNESCAPED.get(after, after) or letter)
    return "".join(out)


def _split(line: str) -> tuple[str, str | None]:
    """The words before the first bare colon, and the text behind it; None where there is none."""
    head = _cut(line, ":")[0]
    return (head, None) if head == line else (head, line[len(head) + 1 :].removeprefix(" "))
