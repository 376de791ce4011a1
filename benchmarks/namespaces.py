"""`python -m benchmarks.namespaces --out FILE.md`: entries under many processes, tiers, traces.

Three things, each on a throw-away site of its own database. 8 processes do 500 mixed operations
each on the same keys; the outcome is checked against a serial order, and the same number of plain
ORM writes is timed beside it. 100,000 entries are aged into the archive: sizes before and after,
whether they come back identical, and how long a read takes in each tier. And what tracing costs, as
a share of the same reads and writes with it.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from uuid import UUID

import numpy as np

from benchmarks.support.site import site

if TYPE_CHECKING:
    from accounts.models import User

KEYS = [f"k{number}" for number in range(10)]
PROCESSES, OPERATIONS, ENTRIES = 8, 500, 100_000
PLACE = "reasoning.strategies"


def main() -> None:
    """Read the command line, and do it: the whole, or one process's part of the first."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.namespaces", description=__doc__)
    reader.add_argument("--out", type=Path, help="the file for the results")
    reader.add_argument("--processes", type=int, default=PROCESSES)
    reader.add_argument("--operations", type=int, default=OPERATIONS)
    reader.add_argument("--entries", type=int, default=ENTRIES)
    reader.add_argument("--part", help=argparse.SUPPRESS)
    wanted = reader.parse_args()
    if wanted.part:
        _part(wanted.part)
        return
    with site():
        told = "\n\n".join(
            [
                _many_processes(wanted.processes, wanted.operations),
                _tiers(wanted.entries),
                _tracing(),
            ]
        )
    if wanted.out:
        wanted.out.write_text(f"{told}\n")
    print(told)


# --- Many processes -------------------------------------------------------------------------------


def _many_processes(processes: int, operations: int) -> str:
    user = _somebody("many@example.org")
    ours = _run(user.pk, "mixed", processes, operations)
    log = [line for lines in ours.lines for line in lines]
    checked = _check(user, log)
    plain = _run(user.pk, "plain", processes, operations)
    conflicts = sum(line["did"] == "conflict" for line in log)
    return (
        f"{processes} processes × {operations} operations on {len(KEYS)} keys: {len(log)} done,"
        f" {conflicts} refused because somebody else was faster, {checked}.\n\n"
        "| | operations a second |\n|---|--:|\n"
        f"| read, write over a version, change, remove by the manager | {ours.rate:,.0f} |\n"
        f"| the same number of reads and writes of one row by plain ORM | {plain.rate:,.0f} |\n"
        f"| ratio | {ours.rate / plain.rate:.2f} |"
    )


class _Ran:
    """What the processes printed, and how much they did a second together."""

    def __init__(self, lines: list[list[dict[str, Any]]], seconds: float, count: int) -> None:
        self.lines, self.rate = lines, count / seconds


def _run(user_id: UUID, kind: str, processes: int, operations: int) -> _Ran:
    # They begin together, once all are there.
    start = time.time() + 6 + processes
    parts = [
        {"user": str(user_id), "kind": kind, "count": operations, "seed": seed, "start": start}
        for seed in range(processes)
    ]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.namespaces", "--part", json.dumps(part)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ,
        )
        for part in parts
    ]
    printed = [process.communicate()[0] for process in running]
    assert not any(process.returncode for process in running), "a process failed"
    told = [json.loads(text) for text in printed]
    seconds = max(one["end"] for one in told) - start
    return _Ran([one["log"] for one in told], seconds, processes * operations)


def _part(asked: str) -> None:
    """One process's share: prints what it did and read, and when it was done."""
    import django

    django.setup()
    from accounts.database.isolation import acting_as
    from memory import manager

    part = json.loads(asked)
    user_id, dice = UUID(part["user"]), random.Random(part["seed"])
    do = _mixed if part["kind"] == "mixed" else _plain
    with acting_as(user_id):
        manager.read(user_id, PLACE, KEYS[0])
    time.sleep(max(0.0, part["start"] - time.time()))
    log = [do(user_id, dice, number) for number in range(part["count"])]
    print(json.dumps({"log": log, "end": time.time()}))


def _mixed(user_id: UUID, dice: random.Random, number: int) -> dict[str, Any]:
    """One operation, as a line: what it did, to which key, the version and value that came."""
    from accounts.database.isolation import acting_as
    from memory import manager
    from memory.manager import By, VersionConflict

    key, did = dice.choice(KEYS), dice.choice(["read", "change", "change", "over", "remove"])
    with acting_as(user_id):
        if did == "read":
            found = manager.read(user_id, PLACE, key)
            return _line(did, key, found)
        if did == "change":
            entry = manager.change(user_id, PLACE, key, _one_more, by=By.SOFTWARE).entry
            return _line(did, key, entry)
        found = manager.read(user_id, PLACE, key)
        version = found.version if found else 0
        try:
            if did == "over":
                data = {"code": "over", "worked": (found.data["worked"] if found else 0) + 1}
                entry = manager.write(
                    user_id, PLACE, key, data, by=By.SOFTWARE, expected=version
                ).entry
                return _line(did, key, entry)
            # Few, so that versions grow.
            if number % 10 == 0 and manager.remove(user_id, PLACE, key, expected=version):
                return _line(did, key, found)
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
    from accounts.database.isolation import acting_as
    from memory.models import NamespaceEntry

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


def _check(user: "User", log: list[dict[str, Any]]) -> str:
    """Whether some serial order explains it all: each key's writes are one chain of lives, each
    from version 1 upwards with no number missing, and each number counts one more than the one
    before it; what was read stands in the chain; what is there at the end is its end.
    """
    from accounts.database.isolation import acting_as
    from memory import manager

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
    return "a serial order of them checked"


# --- Tiers ----------------------------------------------------------------------------------------


def _tiers(count: int) -> str:
    from django.db import connection
    from django.utils.timezone import now

    from accounts.database.isolation import acting_as
    from memory.models import NamespaceEntry
    from memory.namespaces import entries, tiers
    from memory.namespaces.registry import NAMESPACES

    user, place = _somebody("tiers@example.org"), NAMESPACES["shared.people"]
    then = now() - timedelta(days=40)
    made = [
        NamespaceEntry(
            user=user,
            namespace=place.name,
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
    before, told = _sizes(), {entry.key: entry.data for entry in made}
    begun = time.perf_counter()
    with acting_as(user):
        moved = tiers.archive(user.pk, place)
    took = time.perf_counter() - begun
    after, asked = _sizes(), random.Random(1).sample(sorted(told), 300)
    with acting_as(user):
        rows = NamespaceEntry.objects.filter(user=user, namespace=place.name)
        alike = sum(row.content == told[row.key] for row in rows.iterator(2000))
        cold = _milliseconds(lambda key: entries.read(user.pk, place, key), asked)
        warm = _milliseconds(lambda key: entries.read(user.pk, place, key), asked)
        hot = _hot_milliseconds(user, asked[:200])
        with connection.cursor() as cursor:
            floor = _milliseconds(lambda _: cursor.execute("select 1"), asked)
    return (
        f"{moved:,} of {count:,} entries moved to the archive in {took:.0f} s; {alike:,} read back"
        " identical.\n\n"
        "| | data, bytes an entry | table with indexes, MB |\n|---|--:|--:|\n"
        f"| warm | {before[0] / count:.0f} | {before[1] / 1e6:.1f} |\n"
        f"| cold | {after[0] / count:.0f} | {after[1] / 1e6:.1f} |\n"
        f"| ratio | {after[0] / before[0]:.2f} | {after[1] / before[1]:.2f} |\n\n"
        "| read of one entry | median, ms | times `select 1` |\n|---|--:|--:|\n"
        + "\n".join(
            f"| {tier} | {taken:.2f} | {taken / floor:.1f} |"
            for tier, taken in (("hot", hot), ("warm", warm), ("cold, and back to warm", cold))
        )
    )


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
    from django.db import connection

    from config.grants import as_owner

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("vacuum full memory_namespaceentry")
        cursor.execute(
            "select sum(coalesce(length(packed), pg_column_size(data))),"
            " pg_total_relation_size('memory_namespaceentry') from memory_namespaceentry"
            " where namespace = 'shared.people'"
        )
        data, table = cursor.fetchone()
    return int(data), int(table)


def _milliseconds(ask: Callable[[str], Any], keys: list[str]) -> float:
    taken = []
    for key in keys:
        begun = time.perf_counter()
        ask(key)
        taken.append((time.perf_counter() - begun) * 1000)
    return float(np.median(taken))


def _hot_milliseconds(user: "User", keys: list[str]) -> float:
    from memory import manager
    from memory.namespaces import store
    from memory.namespaces.registry import NAMESPACES

    place = NAMESPACES["focus.fast"]
    for number, key in enumerate(keys):
        manager.write(user.pk, place.name, key, {"turn": number}, by=manager.By.SOFTWARE)
    return _milliseconds(lambda key: store.read(user.pk, place, key), keys)


# --- Traces ---------------------------------------------------------------------------------------


def _tracing() -> str:
    """A turn's work on memory with traces and without, in turns: both have the same day."""
    from accounts.database.isolation import acting_as
    from conversations import prompt
    from conversations.learning import message_learning
    from conversations.messages import Draft, append
    from conversations.models import Conversation, Message
    from memory.core import tracing

    user = _somebody("traces@example.org")
    said = [
        "I live in Rome and work at Google.",
        "My sister Anna loves hiking.",
        "Where do I live?",
    ]
    with acting_as(user):
        talk = Conversation.objects.create(user=user)

    def turn(number: int) -> float:
        with acting_as(user):
            draft = Draft(Message.Role.USER, f"{said[number % 3]} ({number})")
            (question,) = append(user, talk.pk, [draft])
        begun = time.perf_counter()
        with tracing.turn(question.pk), acting_as(user):
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
    return (
        "| a turn's work on memory | median, ms |\n|---|--:|\n"
        f"| traces saved | {on:.1f} |\n| not saved | {off:.1f} |\n"
        f"| traces cost | {(on / off - 1):.1%} |"
    )


def _save_nothing(_: object) -> None:
    pass


def _somebody(email: str) -> "User":
    """Somebody who lets everything be kept."""
    from accounts.database.isolation import acting_as
    from accounts.models import User
    from memory.namespaces import consent

    user = User.objects.create_user(email)
    with acting_as(user):
        for namespace in consent.all_with_consent():
            consent.grant(user, namespace)
    return user


if __name__ == "__main__":
    main()
