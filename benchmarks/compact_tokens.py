"""How many tokens the compact form of each kind of entry costs beside the same in sentences.

Counted by a real tokenizer (the vocabulary of Llama 2), the heading included. Beside it stand two
other forms: JSON, and sentences with the codes in place of their meaning.
"""

import argparse
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.support.markdown import table
from memory.language.text.token_count import count_tokens
from memory.namespaces import entry_text
from memory.namespaces.registry import NAMESPACES, Namespace, namespace_from

ENTRIES = Path(__file__).with_suffix(".toml")
# Other namespaces hold signals within their entries.
_SIGNALS = namespace_from(
    "benchmark.signals",
    {
        "purpose": "What a message gave away",
        "fields": {"kind": "signal", "strength": "share", "turn": "count"},
        "required": ["kind"],
        "defaults": {"strength": 1.0, "turn": 0},
        "sentences": [
            "at turn {turn} the person {kind}",
            "the strength of this signal is {strength}",
        ],
    },
)
KINDS: dict[str, Namespace] = {
    "patterns": NAMESPACES["altitude.patterns"],
    "history": NAMESPACES["altitude.history"],
    "people": NAMESPACES["shared.people"],
    "signals": _SIGNALS,
    "routing": NAMESPACES["reasoning.routing"],
    "profile": NAMESPACES["user.facts"],
    "notes": NAMESPACES["user.notes"],
}
# The share of tokens that each kind is to save.
AIMS = {"patterns": 0.70, "history": 0.65, "people": 0.75, "signals": 0.60, "routing": 0.70}
AIM = 0.65


@dataclass(frozen=True)
class Cost:
    """Tokens of one kind: as sentences, as JSON, compact."""

    kind: str
    entries: int
    prose: int
    as_json: int
    compact: int
    lossless: bool

    @property
    def saved(self) -> float:
        """The share of the sentences' tokens that the compact form does without."""
        return 1 - self.compact / self.prose


def measure() -> list[Cost]:
    """Count every kind of the file beside this module."""
    data = tomllib.loads(ENTRIES.read_text(encoding="utf-8"))
    as_of = data["as_of"]
    return [_cost(kind, namespace, data[kind], as_of) for kind, namespace in KINDS.items()]


def overall(costs: list[Cost]) -> float:
    """The share saved on average over the kinds, each counting the same."""
    return sum(cost.saved for cost in costs) / len(costs)


def _cost(kind: str, namespace: Namespace, rows: list[dict[str, Any]], as_of: Any) -> Cost:
    entries = [namespace.schema.model_validate(row) for row in rows]
    plain = [entry.model_dump(mode="json", exclude_none=True) for entry in entries]
    sentences = "\n".join(entry_text.sentences(namespace, entry) for entry in plain)
    return Cost(
        kind,
        len(entries),
        prose=count_tokens(sentences),
        as_json=count_tokens(json.dumps(plain, ensure_ascii=False, separators=(",", ":"))),
        compact=count_tokens(entry_text.block(namespace, plain, as_of)),
        lossless=not namespace.shorten,
    )


def report(_: argparse.Namespace) -> Iterator[str]:
    costs = measure()
    once = count_tokens(entry_text.preamble(date(2026, 11, 24)))
    prose = sum(cost.prose for cost in costs)
    compact = sum(cost.compact for cost in costs) + once
    saved = f"{1 - compact / prose:.1%}"
    yield table(
        ("kind", "entries", "sentences", "JSON", "compact", "saved", "aim"),
        [
            *map(_row, costs),
            ("one line above all", "", 0, "", once, "", ""),
            ("all together", "", prose, "", compact, saved, f"{AIM:.0%}"),
            ("average of the kinds", "", "", "", "", f"{overall(costs):.1%}", f"{AIM:.0%}"),
        ],
    )


def _row(cost: Cost) -> tuple[object, ...]:
    name = cost.kind if cost.lossless else f"{cost.kind} (shortened)"
    aim = f"{AIMS[cost.kind]:.0%}" if cost.kind in AIMS else ""
    return (
        name,
        cost.entries,
        cost.prose,
        cost.as_json,
        cost.compact,
        f"{cost.saved:.1%}",
        aim,
    )
