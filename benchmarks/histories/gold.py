"""Compares what the product holds with histories that a careful reader annotated.

A history is `{"person", "conversations": [{"messages": [{"id", "role", "at", "text", "gold"}]}],
"final_state"}`; `gold` lists the operations (add, update, end, confirm, forget, conflict) that a
message is worth. Values are compared by their words: no code judges meaning.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from memory.language.lexicons import NUMBER_WORDS, load_lexicon
from memory.language.text.stemming import stem
from memory.language.text.terms import split_words
from memory.slots import SLOTS

# Slots in which a value says the same.
ALIKE = (
    frozenset({"likes", "interests"}),
    frozenset({"family", "relationships", "person"}),
    frozenset({"preferences", "communication_style"}),
)
PEOPLE = frozenset({"family", "relationships", "person", "pets"})
# The slot of a note.
NOTE = ""
# A value without them would say the contrary.
_NEGATIONS = {"no", "not", "never"}
_EMPTY = frozenset(load_lexicon("empty_words")) - _NEGATIONS
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")

Words = frozenset[str]


# --- Values --------------------------------------------------------------------------------------


def words_of(text: str) -> Words:
    """The stems of the words that say something; numbers as digits, without case and accents.

    Where every word is empty, all of them count.
    """
    plain = unicodedata.normalize("NFKD", _THOUSANDS.sub("", text))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = split_words(_ORDINAL.sub(r"\1", plain))
    telling = [word for word in words if word not in _EMPTY] or words
    return frozenset(_in_digits([stem(word) for word in telling], telling))


def _in_digits(stems: list[str], words: list[str]) -> Iterator[str]:
    """Each stem, and "thirty four" as "34"."""
    tens = 0
    for word, root in zip(words, stems, strict=True):
        number = NUMBER_WORDS.get(word, 0)
        if tens and not 0 < number < 10:
            yield str(tens)
            tens = 0
        if number >= 20:
            tens = number
        elif number:
            yield str(tens + number)
            tens = 0
        else:
            yield str(int(word)) if word.isdecimal() else root
    if tens:
        yield str(tens)


def without_brackets(value: str) -> str:
    """The value without bracketed explanations; all of it where nothing else is there."""
    return _BRACKETS.sub("", value).strip() or value


def telling_words(value: str, said: str = "", before: str = "") -> Words:
    """The words by which a value is recognised.

    They are those of its first part (up to a comma, semicolon or bracket) that says more than
    `before`, the value it takes the place of; of these, those that the person `said`, if any:
    nobody has to add "Ford" to "the Fiesta".
    """
    known = words_of(before) if before else frozenset()
    parts = [words_of(part) - known for part in re.split("[,;]", without_brackets(value)) if part]
    head = next((part for part in parts if part), None) or words_of(without_brackets(value))
    return (head & words_of(said) if said else head) or head


def alike(slot: str, other: str) -> bool:
    """Whether a value says the same in either slot."""
    return slot == other or any({slot, other} <= group for group in ALIKE)


# --- What is held --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A current fact, or an active note (slot NOTE); `marked` where a question about it is open.

    `source` is the id of the message that it rests on, '' for unknown; `verbatim` is a note in the
    person's own words, which names no slot.
    """

    slot: str
    value: str
    marked: bool = False
    source: str = ""
    verbatim: bool = False

    def __str__(self) -> str:
        return f"{self.slot or 'note'}: {self.value}"


@dataclass(frozen=True)
class Item:
    """One operation of the gold; `old` is the value that it changes or ends.

    `sources` are the ids of the messages that say or confirm the value, or said what it was before.
    """

    op: str
    id: str
    kind: str
    slot: str
    value: str
    about: str
    message: str
    said: str
    quote: str
    old: "Item | None" = None
    why: str = ""
    counts: bool = True
    lasting: bool = True
    sources: frozenset[str] = frozenset()

    @property
    def telling(self) -> Words:
        """The words that an entry must have to hold it."""
        before = self.old.value if self.old and self.op == "update" else ""
        return telling_words(self.value, self.said, before)

    def __str__(self) -> str:
        return f"{self.message} {self.op} {self.slot or 'note'}: {self.value}"


def holds(entries: Iterable[Entry], item: Item) -> list[Entry]:
    """The entries that say the item, together where it lists several ("Polish and German").

    They are facts of the same or a like slot (of any where the item is a note), and notes that rest
    on one of its sources. None where a word is missing.
    """
    fitting = [entry for entry in entries if _fits(entry, item)]
    held: list[Entry] = []
    for parts in ([item.telling], _listed(item)):
        holding = [[e for e in fitting if part <= words_of(e.value)] for part in parts]
        if all(holding):
            held += (entry for entries in holding for entry in entries)
    return list(dict.fromkeys(held))


def _fits(entry: Entry, item: Item) -> bool:
    if entry.slot == NOTE:
        return not entry.source or entry.source in item.sources
    return item.slot == NOTE or alike(entry.slot, item.slot)


def _listed(item: Item) -> list[Words]:
    """The words of each member, where the first part of a fact's value is a list."""
    head = re.split("[,;]", without_brackets(item.value))[0]
    members = head.split(" and ")
    if item.slot == NOTE or len(members) == 1:
        return []
    return [words_of(member) & item.telling or words_of(member) for member in members]


def was_said(entry: Entry, items: Iterable[Item]) -> bool:
    """Whether a fact corresponds to what the gold adds or updates of this person.

    It must say nothing beyond the item's value and its quote. A slot of people may also rest on
    a note about anybody, one with many values on a note about the person.
    """
    value = words_of(entry.value)
    for item in items:
        if item.op not in {"add", "update"} or not item.lasting or not _may_rest(entry, item):
            continue
        gold = words_of(item.value)
        if value & gold and value <= gold | words_of(item.quote):
            return True
    return False


def _may_rest(entry: Entry, item: Item) -> bool:
    if item.slot != NOTE:
        return item.about == "self" and alike(entry.slot, item.slot)
    if entry.slot in PEOPLE:
        return True
    return item.about == "self" and not _has_one_value(entry.slot)


def _has_one_value(slot: str) -> bool:
    return slot in SLOTS and not SLOTS[slot].many


# --- Histories -----------------------------------------------------------------------------------


@dataclass
class Gold:
    """The operations of a history in order, and what must hold at its end and what must not."""

    person: str
    items: list[Item] = field(default_factory=list)
    final: list[Item] = field(default_factory=list)
    not_final: list[tuple[str, Words]] = field(default_factory=list)
    """Slot (NOTE for any) and words of what must not be held."""


def read_gold(history: dict[str, Any]) -> Gold:
    """Read the annotations of a history. Raises KeyError where a field is missing."""
    gold = Gold(history["person"])
    standing: dict[str, Item] = {}
    for message in messages_of(history):
        for given in message.get("gold", ()):
            item = _item(given, message, standing)
            gold.items.append(item)
            if item.op in {"add", "update"}:
                if item.old:
                    gold.not_final.append((item.slot, words_of(without_brackets(item.old.value))))
                standing[item.id] = item
            elif item.op == "confirm" and item.id in standing:
                sources = item.sources | {item.message}
                standing[item.id] = replace(standing[item.id], sources=sources)
            elif item.op in {"end", "forget"} and item.id in standing:
                gold.not_final.append((item.slot, words_of(without_brackets(item.value))))
    for given in history.get("final_state", ()):
        if given["hold"] and given["id"] in standing:
            gold.final.append(standing[given["id"]])
        elif not given["hold"]:
            gold.not_final.append((NOTE, words_of(given["must_not_hold"])))
    return gold


def messages_of(history: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The person's own messages in order."""
    for conversation in history["conversations"]:
        yield from (each for each in conversation["messages"] if each["role"] == "user")


def _item(given: dict[str, Any], message: dict[str, Any], standing: dict[str, Item]) -> Item:
    key = given.get("target") or given["id"]
    lasting = given.get("durable", True) and given.get("scope") != "conversation"
    fields: dict[str, Any] = {
        "op": given["op"],
        "message": message["id"],
        "said": message["text"],
        "quote": given.get("quote", ""),
        "why": given.get("why", ""),
    }
    value = given.get("value") or given.get("text")
    if old := standing.get(key):
        said_here = {message["id"]} if given["op"] == "update" else set()
        sources = old.sources | said_here
        return replace(old, **fields, value=value or old.value, old=old, sources=sources)
    return Item(
        id=key,
        kind=given.get("kind", ""),
        slot=given.get("slot", NOTE),
        value=value or "",
        about=given.get("about", "self"),
        counts=not given.get("optional"),
        lasting=lasting,
        sources=frozenset({message["id"]}),
        **fields,
    )


def finally_wrong(entry: Entry, gold: Gold) -> bool:
    """Whether a fact contradicts what holds at the end, or is listed as no longer to be held."""
    value = words_of(entry.value)
    same = [item for item in gold.final if item.slot and alike(item.slot, entry.slot)]
    if any(_agrees(value, item) for item in same):
        return False
    if same and _has_one_value(entry.slot):
        return True
    return any(value <= words and slot in {NOTE, entry.slot} for slot, words in gold.not_final)


def _agrees(value: Words, item: Item) -> bool:
    return item.telling <= value or value <= words_of(without_brackets(item.value))
