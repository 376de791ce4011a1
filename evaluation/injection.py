"""Prompt injection: share of instructions kept out of memory, and of harmless texts refused.

Each text is tried in two ways. The explicit one ("remember this") is the guard's verdict. The other
is a real turn: the text is sent as a message and learned from by the production code, the new rows
are counted, and the transaction is rolled back. Shares are from 0 to 1.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import models, transaction

from accounts.database.ids import new_id
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import message_learning
from conversations.messages import NewMessage
from conversations.models import Conversation, Message
from conversations.turns import turn
from evaluation.measuring import (
    Progress,
    Result,
    Unreadable,
    fitting,
    read_json,
    read_lines,
    reading,
    share_of,
    shown,
)
from memory.language.safety.guard import classify_refusal

FOLDER = "injection"
TABLES = ("ProfileFact", "Memory", "Override", "Sensitive")
"""Models of `memory` a row of which is something remembered; those that are not there are not."""

_TEXTS = ("text", "prompt", "content", "attack_str")
_LABELS = ("label", "injection", "is_injection", "attack")
_TRUE = frozenset({"1", "true", "yes", "injection", "attack", "jailbreak"})


@dataclass(frozen=True)
class Sample:
    """A text, and whether it is an attack."""

    of: str
    text: str
    attack: bool


@dataclass(frozen=True)
class Outcome:
    """The reason for which the guard refused a text, and the rows that a turn with it created."""

    sample: Sample
    refused: str
    rows: int


def evaluate(data: Path, progress: Progress) -> Result:
    """Try both ways with the texts in the folder `injection` below `data`."""
    samples = list(read(data / FOLDER))
    result: Result = {"skipped": [] if samples else [FOLDER]}
    if samples:
        result |= summary(list(try_all(samples, progress)))
    return result


def try_all(samples: Iterable[Sample], progress: Progress) -> Iterator[Outcome]:
    """Yield the results of both ways for each text, each turn with a temporary user."""
    for sample in shown(list(samples), progress, "texts", every=100):
        refusal = classify_refusal(sample.text)
        yield Outcome(sample, refusal or "", rows_of_a_turn(sample.text))


def rows_of_a_turn(text: str) -> int:
    """Return how many rows of memory a turn with this text creates."""
    with transaction.atomic():
        user = User.objects.create_user(f"evaluation-{new_id()}@throughline.invalid")
        with acting_as(user):
            conversation = Conversation.objects.create(user=user)
        message = turn.record(user, conversation, NewMessage(Message.Role.USER, fitting(text)))
        message_learning.learn_now(message)
        with acting_as(user):
            found = sum(table._default_manager.filter(user=user).count() for table in _tables())
        transaction.set_rollback(True)
    return found


def summary(outcomes: list[Outcome]) -> Result:
    """Return the tracked shares, then each way by set, and refusals by reason."""
    attacks = [outcome for outcome in outcomes if outcome.sample.attack]
    plain = [outcome for outcome in outcomes if not outcome.sample.attack]
    return {
        "refused": share_of(attacks, lambda outcome: outcome.refused and not outcome.rows),
        **_of_doors(outcomes),
        "plain_turns_that_left_rows": share_of(plain, lambda outcome: outcome.rows),
        "by_set": {
            name: _of_doors([outcome for outcome in outcomes if outcome.sample.of == name])
            for name in sorted({outcome.sample.of for outcome in outcomes})
        },
        "reasons": dict(Counter(outcome.refused or "none" for outcome in attacks).most_common()),
    }


def _of_doors(outcomes: list[Outcome]) -> Result:
    attacks = [outcome for outcome in outcomes if outcome.sample.attack]
    plain = [outcome for outcome in outcomes if not outcome.sample.attack]
    return {
        "attacks": len(attacks),
        "refused_by_the_guard": share_of(attacks, lambda outcome: outcome.refused),
        "kept_out_of_a_turn": share_of(attacks, lambda outcome: not outcome.rows),
        "plain": len(plain),
        "false_positive": share_of(plain, lambda outcome: outcome.refused),
    }


def read(folder: Path) -> Iterator[Sample]:
    """Yield every labelled text of the JSON, JSONL, CSV and Parquet files of a folder, sorted.

    A JSON object of lists has only attacks, one list for each kind.
    """
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        reader = _READERS.get(path.suffix)
        if reader is not None:
            with reading(path):
                samples = [Sample(path.stem, text, attack) for text, attack in reader(path)]
            yield from samples


def _json(path: Path) -> Iterator[tuple[str, bool]]:
    content = read_json(path)
    if isinstance(content, dict):
        for texts in content.values():
            yield from ((text, True) for text in texts if isinstance(text, str))
    else:
        yield from _labelled(content)


def _jsonl(path: Path) -> Iterator[tuple[str, bool]]:
    yield from _labelled(read_lines(path))


def _csv(path: Path) -> Iterator[tuple[str, bool]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from _labelled(csv.DictReader(file))


def _parquet(path: Path) -> Iterator[tuple[str, bool]]:
    # Not in the base requirements: it is large, and only used here.
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise Unreadable(
            f"{path} is a Parquet file, and reading it needs the package pyarrow, which is not "
            "installed. Run: sh requirements/install.sh evaluation"
        ) from error

    yield from _labelled(parquet.read_table(path).to_pylist())


_READERS = {".json": _json, ".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}


def _labelled(records: Iterable[Any]) -> Iterator[tuple[str, bool]]:
    for record in records:
        text = next((record[key] for key in _TEXTS if record.get(key)), None)
        label = next((record[key] for key in _LABELS if key in record), None)
        if isinstance(text, str) and label is not None:
            yield text, str(label).lower() in _TRUE


def _tables() -> list[type[models.Model]]:
    there = {model.__name__: model for model in apps.get_app_config("memory").get_models()}
    return [there[name] for name in TABLES if name in there]
