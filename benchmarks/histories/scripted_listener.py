"""A scripted model that returns annotated operations (`benchmarks.histories.gold`) in the schema of
the product: it finds the lines and the short ids in the prompt, as a model would.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz

from benchmarks.histories.gold import alike, messages_of

_LINE = re.compile(r'<line n="(\d+)" by="person"([^>]*)>(.*?)</line>')
_ITEM = re.compile(r'<item id="(\w+)"(?: slot="(\w+)")?[^>]*>(.*?)</item>')
_LIKE = 70.0
"""How alike (of 100) a known item and what the script knows of its target must be."""
_MATTERS = {
    "health": "health", "money": "money", "relationships": "relationships", "belief": "belief",
    "law": "law", "gender": "sexuality",
}  # fmt: skip
_SENTENCE = "I see."


@dataclass
class ScriptedListener:
    """Answers chats with the recorded answers, and readings with the annotated operations.

    `lies` are offered beside the true operations, each from its message on; every `dropped`-th true
    operation is left out, and every `paraphrased`-th has a quote in other words.
    """

    history: Mapping[str, Any]
    lies: bool = False
    dropped: int = 0
    paraphrased: int = 0
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)
    _count: int = 0

    def __post_init__(self) -> None:
        self._messages = {_plain(each["text"]): each for each in messages_of(dict(self.history))}
        self._told_by = {
            each["id"]: _plain(each["text"]) for each in messages_of(dict(self.history))
        }
        self._answers = dict(_answers(self.history))

    def __call__(self, prompt: list[dict[str, Any]]) -> str:
        """Return the answer to one request."""
        data = str(prompt[-1]["content"])
        if "<conversation " not in data:
            return self._answers.get(_plain(data), _SENTENCE)
        lines = [(int(n), marks, text) for n, marks, text in _LINE.findall(data)]
        fresh = [text for _, marks, text in lines if "read=" not in marks]
        operations = [
            operation
            for text in fresh
            for message in [self._messages.get(_plain(text))]
            if message is not None
            for operation in self._operations(message, lines, _ITEM.findall(data))
        ]
        return json.dumps({"operations": operations, "summary": ""})

    def _operations(
        self, message: Mapping[str, Any], lines: Sequence[Any], items: Sequence[Any]
    ) -> Iterator[dict[str, Any]]:
        for given in message.get("gold", ()):
            self._count += 1
            left_out = self.dropped and self._count % self.dropped == 0
            written = None if left_out else self._written(given, lines, items)
            if written is not None:
                if self.paraphrased and self._count % self.paraphrased == 0:
                    written["quotes"][0]["words"] = _in_other_words(given["quote"])
                yield written
            self._remember(given)
        for given in self.history.get("lies", ()) if self.lies else ():
            if given["false_from"] == message["id"]:
                written = self._written(given, lines, items)
                if written is not None:
                    yield written

    def _written(
        self, given: Mapping[str, Any], lines: Sequence[Any], items: Sequence[Any]
    ) -> dict[str, Any] | None:
        """Return an operation in the product's schema; None where its target is not known."""
        op, target = given["op"], ""
        before = self._known.get(given.get("target", ""), {})
        if op != "add":
            wanted = given.get("resolves") or given["target"]
            target = _id_of(self._known.get(wanted, before), items)
            if not target and op != "update":
                return None
            op = op if target else "add"
            op = "confirm" if target.startswith("c") else op
        kind = given.get("kind") or before.get("kind", "")
        slot = (given.get("slot") or before.get("slot", "")) if op == "add" else ""
        text = given.get("text") or ""
        value = given.get("value") or ""
        if given.get("resolves"):
            value = value or before.get("value", "")
        return {
            "op": op,
            "target": target or "none",
            "slot": _slot_of(given, slot) if kind == "fact" and slot else "none",
            "value": value,
            "text": text or ("" if kind == "fact" else value),
            "category": "fact",
            "reason": given.get("why", "none") if op == "update" else "none",
            "day": given.get("when") or given.get("until") or "",
            "since": "",
            "scope": given.get("scope", "everywhere"),
            "sensitive": _matter(given),
            "confidence": 0.9,
            "quotes": [{"line": self._line(given, lines), "words": given["quote"]}],
        }

    def _line(self, given: Mapping[str, Any], lines: Sequence[Any]) -> int:
        """Return the number of the line that holds the quote, the last first."""
        said = self._told_by.get(given["quote_msg"], "")
        holding = [
            number
            for number, _, text in lines
            if _plain(text) and (_plain(text) in said) and _plain(given["quote"]) in _plain(text)
        ]
        return int(holding[-1] if holding else lines[-1][0])

    def _remember(self, given: Mapping[str, Any]) -> None:
        key = given.get("target") if given["op"] in ("update", "confirm") else given.get("id")
        before = self._known.get(given.get("target", ""), {})
        if key:
            new = {name: value for name, value in given.items() if value}
            self._known[key] = {**before, **self._known.get(key, {}), **new}


def _id_of(known: Mapping[str, Any], items: Sequence[Any]) -> str:
    """Return the short id of what a script knows of an item, '' where nothing is like it."""
    wanted = _plain(known.get("text") or known.get("value") or "")
    initial = "c" if known.get("op") == "conflict" and known.get("kind") == "fact" else ""
    initial = initial or ("f" if known.get("kind") == "fact" else "n")
    best, score = "", _LIKE
    for name, slot, text in items:
        if not name.startswith(initial) or not _may_be_of(slot, known):
            continue
        # The sentence of a fact says more than its value.
        alike_of = fuzz.partial_ratio if initial == "f" else fuzz.token_sort_ratio
        ratio = alike_of(wanted, _plain(text))
        if ratio > score:
            best, score = name, ratio
    return best


def _may_be_of(slot: str, known: Mapping[str, Any]) -> bool:
    return not slot or not known.get("slot") or alike(slot, known["slot"])


def _slot_of(given: Mapping[str, Any], slot: str) -> str:
    """Return a slot of the annotations as the product calls it: who somebody's husband is is no
    private matter.
    """
    if slot == "relationships" and not given.get("sensitive"):
        return "family"
    return {"communication_style": "preferences", "person": "family"}.get(slot, slot)


def _matter(given: Mapping[str, Any]) -> str:
    if given.get("confidential"):
        return "confidential"
    return _MATTERS.get(str(given.get("sensitive") or ""), "none")


def _answers(history: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each message of the person with the answer that was recorded behind it."""
    for conversation in history["conversations"]:
        said = ""
        for message in conversation["messages"]:
            if message["role"] == "user":
                said = _plain(message["text"])
            elif said:
                yield said, message["text"]


def _in_other_words(quote: str) -> str:
    """Return a quote that says about the same, and was not said so."""
    words = quote.split()
    return " ".join(["apparently", *reversed(words)])


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
