"""Entries of namespaces under many processes, in their tiers, and what traces cost.

Three things, each on a throw-away site of its own database. 8 processes do 500 mixed operations
each on the same keys; the outcome is checked against a serial order, and the same number of plain
ORM writes is timed beside it. 100,000 entries are aged into the archive: sizes before and after,
whether they come back identical, and how long a read takes in each tier. And what tracing costs, as
a share of the same reads and writes with it.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID

import numpy as np
from django.db import connection
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support.markdown import table
from benchmarks.support.site import result_of, start_apart
from benchmarks.support.timing import milliseconds, shortest
from config.grants import as_owner
from conversations import prompt
from conversations.learning import message_learning
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from memory import manager
from memory.core import tracing
from memory.core.tracing import traced_turn
from memory.manager import NAMESPACES, By, VersionConflict
from memory.models import NamespaceEntry
from memory.namespaces import tiers
from memory.namespaces.registry import Namespace

KEYS = [f"k{number}" for number in range(10)]
PROCESSES, OPERATIONS, ENTRIES = 8, 500, 100_000
QUICK = ("--processes=2", "--operations=20", "--entries=50")
PLACE = "reasoning.strategies"


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--processes", type=int, default=PROCESSES)
    reader.add_argument("--operations", type=int, default=OPERATIONS)
    reader.add_argument("--entries", type=int, default=ENTRIES)


def report(namespace: argparse.Namespace) -> Iterator[str]:
    yield from _many_processes(namespace.processes, namespace.operations)
    yield from _tiers(namespace.entries)
    yield _tracing()


# --- Many processes -------------------------------------------------------------------------------


def _many_processes(processes: int, operations: int) -> Iterator[str]:
    user = _somebody("many@example.org")
    ours = _run(user.pk, "mixed", processes, operations)
    _check(user, ours.log)
    plain = _run(user.pk, "plain", processes, operations)
    conflicts = sum(line["did"] == "conflict" for line in ours.log)
    yield (
        f"{processes} processes × {operations} operations on {len(KEYS)} keys: {len(ours.log)}"
        f" done, {conflicts} refused because somebody else was faster, a serial order of them"
        " checked.\n"
    )
    yield table(
        ("", "operations a second"),
        [
            ("read, write over a version, change, remove by the manager", f"{ours.rate:,.0f}"),
            (
                "the same number of reads and writes of one row by plain ORM",
                f"{plain.rate:,.0f}",
            ),
            ("ratio", f"{ours.rate / plain.rate:.2f}"),
        ],
    )


@dataclass(frozen=True)
class _Ran:
    """What the processes did, and how much a second together."""

    log: list[dict[str, Any]]
    rate: float


def _run(user_id: UUID, kind: str, processes: int, operations: int) -> _Ran:
    # They begin together, once all are there.
    start = time.time() + 6 + processes
    parts = [
        {"user": str(user_id), "kind": kind, "count": operations, "seed": seed, "start": start}
        for seed in range(processes)
    ]
    running = [start_apart("benchmarks.namespaces.part", json.dumps(part)) for part in parts]
    results = [result_of(process) for process in running]
    seconds = max(result["end"] for result in results) - start
    return _Ran(
        [line for result in results for line in result["log"]], processes * operations / seconds
    )


def part(asked: str) -> dict[str, Any]:
    """One process's share: what it did and read, and when it was done."""
    wanted = json.loads(asked)
    user_id, dice = UUID(wanted["user"]), random.Random(wanted["seed"])
    do = _mixed if wanted["kind"] == "mixed" else _plain
    with acting_as(user_id):
        manager.read(user_id, PLACE, KEYS[0])
    time.sleep(max(0.0, wanted["start"] - time.time()))
    log = [do(user_id, dice, number) for number in range(wanted["count"])]
    return {"log": log, "end": time.time()}


def _mixed(user_id: UUID, dice: random.Random, number: int) -> dict[str, Any]:
    """One operation, as a line: what it did, to which key, the version and value that came."""
    key, did = dice.choice(KEYS), dice.choice(["read", "change", "change", "over", "remove"])
    with acting_as(user_id):
        if did == "read":
            entry = manager.read(user_id, PLACE, key)
            return _line(did, key, entry)
        if did == "change":
            entry = manager.change(user_id, PLACE, key, _one_more, by=By.SOFTWARE).entry
            return _line(did, key, entry)
        entry = manager.read(user_id, PLACE, key)
        version = entry.version if entry else 0
        try:
            if did == "over":
                data = {"code": "over", "worked": (entry.data["worked"] if entry else 0) + 1}
                entry = manager.write(
                    user_id, PLACE, key, data, by=By.SOFTWARE, expected=version
                ).entry
                return _line(did, key, entry)
            # Few, so that versions grow.
            if number % 10 == 0 and manager.remove(user_id, PLACE, key, expected=version):
                return _line(did, key, entry)
        except VersionConflict:
            return {"did": "conflict", "key": key}
    return {"did": "nothing", "key": key}


def _one_more(data: dict[str, Any] | None) -> dict[str, Any]:
    return {"code": "change", "worked": (data["worked"] if data else 0) + 1}


def _line(did: str, key: str, entry: Any) -> dict[str, Any]:
    if entry is None:
        return {"did": did, "key": key, "version": 0, "worked": 0}
    return {"did": did, "key": key, "version": entry.version, "worked": entry.data["worked"]}


def _plain(user_id: UUID, dice: random.Random, number: int) -> dict[str, Any]:
    """A read, or a write of a row that is there, by the ORM alone, in the same kind of block."""
    key = f"plain-{dice.choice(KEYS)}"
    with acting_as(user_id):
        rows = NamespaceEntry.objects.filter(user_id=user_id, namespace=PLACE, key=key)
        row = rows.first()
        if row is None:
            NamespaceEntry.objects.bulk_create(
                [NamespaceEntry(user_id=user_id, namespace=PLACE, key=key, data={"worked": 0})],
                ignore_conflicts=True,
            )
        elif dice.random() > 0.2:
            row.data = {"worked": row.content["worked"] + 1}
            row.save()
    return {"did": "plain", "key": key}


def _check(user: User, log: list[dict[str, Any]]) -> None:
    """Assert that some serial order explains it all: each key's writes are one chain of lives, each
    from version 1 upwards with no number missing, and each number counts one more than the one
    before it; what was read stands in the chain; what is there at the end is its end.
    """
    for key in KEYS:
        done = [line for line in log if line["key"] == key]
        written: dict[int, int] = defaultdict(int)
        for line in done:
            if line["did"] in ("change", "over"):
                written[line["version"]] += 1
                # A life begins with 1 and every write counts one more: no write was lost.
                assert line["worked"] == line["version"], line
            elif line["did"] in ("read", "remove"):
                assert line["worked"] == line["version"], line
        lives = sorted((line["version"] for line in done if line["did"] == "remove"), reverse=True)
        with acting_as(user):
            last = manager.read(user.pk, PLACE, key)
        ends = [*lives, last.version] if last else lives
        # Each version was made once in each life that reached it.
        for version, times in written.items():
            reached = sum(end >= version for end in ends)
            assert times == reached, (key, version, times, ends)


# --- Tiers ----------------------------------------------------------------------------------------


def _tiers(count: int) -> Iterator[str]:
    user, namespace = _somebody("tiers@example.org"), NAMESPACES["shared.people"]
    contents = _fill(user, namespace, count)
    before = _sizes()
    begun = time.perf_counter()
    with acting_as(user):
        moved = tiers.archive(user.pk, namespace)
    took = time.perf_counter() - begun
    after, asked = _sizes(), random.Random(1).sample(sorted(contents), min(300, len(contents)))
    with acting_as(user):
        rows = NamespaceEntry.objects.filter(user=user, namespace=namespace.name)
        alike = sum(row.content == contents[row.key] for row in rows.iterator(2000))
        # The first read of an archived entry brings it back.
        cold = _median(lambda key: tiers.fetch(user.pk, namespace, key), asked)
        warm = _median(lambda key: tiers.fetch(user.pk, namespace, key), asked)
        hot = _of_hot_entries(user, asked[:200])
        floor = _median(lambda _: shortest(), asked)
    yield (
        f"\n{moved:,} of {count:,} entries moved to the archive in {took:.0f} s; {alike:,} read"
        " back identical.\n"
    )
    yield table(
        ("", "data, bytes an entry", "table with indexes, MB"),
        [
            ("warm", f"{before[0] / count:.0f}", f"{before[1] / 1e6:.1f}"),
            ("cold", f"{after[0] / count:.0f}", f"{after[1] / 1e6:.1f}"),
            ("ratio", f"{after[0] / before[0]:.2f}", f"{after[1] / before[1]:.2f}"),
        ],
    )
    yield ""
    yield table(
        ("read of one entry", "median, ms", "times `select 1`"),
        [
            (tier, f"{taken:.2f}", f"{taken / floor:.1f}")
            for tier, taken in (("hot", hot), ("warm", warm), ("cold, and back to warm", cold))
        ],
    )


def _fill(user: User, namespace: Namespace, count: int) -> dict[str, Any]:
    """So many entries that were last used long ago; their data by their keys."""
    then = now() - timedelta(days=40)
    made = [
        NamespaceEntry(
            user=user,
            namespace=namespace.name,
            key=f"p{number}",
            data=_person(number),
            written_by="software",
            written_at=then,
            used_at=then,
        )
        for number in range(count)
    ]
    with acting_as(user):
        NamespaceEntry.objects.bulk_create(made, batch_size=2000)
    return {entry.key: entry.data for entry in made}


def _person(number: int) -> dict[str, Any]:
    dice = random.Random(number)
    names = ["Anna", "John", "Priya", "Luis", "Mei", "Omar", "Ruth", "Tom"]
    return {
        "name": f"{dice.choice(names)} {number}",
        "relation": dice.choice(["work", "family", "friend", "client"]),
        "mentioned": dice.randint(1, 90),
        "last_mentioned": f"2026-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}",
        "traits": dice.sample(["blocks", "align", "helps", "coach", "late"], 2),
        "note": f"Runs the {dice.choice(['sales', 'data', 'design'])} team in office {number % 97},"
        " and wants to hear of changes a week before they are made.",
    }


def _sizes() -> tuple[int, int]:
    """Bytes of the data itself, and of the table with its indexes, once it is tidied up."""
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("vacuum full memory_namespaceentry")
        cursor.execute(
            "select sum(coalesce(length(packed), pg_column_size(data))),"
            " pg_total_relation_size('memory_namespaceentry') from memory_namespaceentry"
            " where namespace = 'shared.people'"
        )
        data, table = cursor.fetchone()
    return int(data), int(table)


def _median(ask: Callable[[str], object], keys: list[str]) -> float:
    return float(np.median([milliseconds(lambda key=key: ask(key)) for key in keys]))  # type: ignore[misc]


def _of_hot_entries(user: User, keys: list[str]) -> float:
    namespace = NAMESPACES["focus.fast"]
    for number, key in enumerate(keys):
        manager.write(user.pk, namespace.name, key, {"turn": number}, by=By.SOFTWARE)
    return _median(lambda key: tiers.fetch(user.pk, namespace, key), keys)


# --- Traces ---------------------------------------------------------------------------------------


def _tracing() -> str:
    """A turn's work on memory with traces and without, in turns: both have the same day."""
    user = _somebody("traces@example.org")
    said = [
        "I live in Rome and work at Google.",
        "My sister Anna loves hiking.",
        "Where do I live?",
    ]
    with acting_as(user):
        conversation = Conversation.objects.create(user=user)

    def turn(number: int) -> float:
        with acting_as(user):
            draft = NewMessage(Message.Role.USER, f"{said[number % 3]} ({number})")
            (question,) = append(user, conversation.pk, [draft])
        begun = time.perf_counter()
        with traced_turn(question.pk), acting_as(user):
            message_learning._learn(question, lambda _: None)
            prompt.build(question)
        return (time.perf_counter() - begun) * 1000

    taken = {"with": list[float](), "without": list[float]()}
    saves = {"with": tracing._save_later, "without": _save_nothing}
    for number in range(20):
        turn(number)
    for number in range(200):
        kind = "with" if number % 2 else "without"
        with patch.object(tracing, "_save_later", saves[kind]):
            taken[kind].append(turn(number))
    on, off = (float(np.median(taken[kind])) for kind in ("with", "without"))
    rows = [
        ("traces saved", f"{on:.1f}"),
        ("not saved", f"{off:.1f}"),
        ("traces cost", f"{on / off - 1:.1%}"),
    ]
    return "\n" + table(("a turn's work on memory", "median, ms"), rows)


def _save_nothing(_: object) -> None:
    pass


def _somebody(email: str) -> User:
    """Somebody who lets everything be kept."""
    user = User.objects.create_user(email)
    with acting_as(user):
        for namespace in NAMESPACES.values():
            if namespace.needs_consent:
                manager.allow(user, namespace.name, on=True)
    return user
