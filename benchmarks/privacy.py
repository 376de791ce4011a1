"""What a copy takes, and what an erasure leaves.

On a throw-away site of 50 people. One of them takes a copy with 1,000, 10,000 and 100,000 messages,
which is then restored into an empty account, each in a process of its own: seconds and how far its
memory grew. Then somebody with 10,000 messages, who has told ten markers in as many ways, deletes
the account: a dump of the whole database and every file beside it are searched for the markers, and
what others have is compared.
"""

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts import work
from accounts.database import owned
from accounts.database.ids import new_id
from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support import load
from benchmarks.support.markdown import table
from benchmarks.support.site import most_memory, result_of, start_apart
from benchmarks.support.talking import say
from config.backups import server
from config.processes.embedded import Cluster, binaries
from memory import manager, sharing
from memory.blocks import private_blocks
from memory.facts import revision
from memory.models import NamespaceEntry
from memory.namespaces import tiers
from memory.notes import note_store
from privacy import account_deletion, exporting
from privacy.models import Export, Restore
from privacy.restoring import making, requests

SIZES, OTHERS, MESSAGES, THEIRS = (1_000, 10_000, 100_000), 49, 10_000, 200
QUICK = ("--sizes=20", "--messages=20")
MARKERS = (
    "Qwertzfirm",
    "Alphaville",
    "Wilhelmina",
    "Xylophonia",
    "Thistlewick",
    "Brackenbury",
    "Zephyrsoft",
    "Marmaladia",
    "Quillonbee",
    "Osmoteria",
)


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    reader.add_argument("--messages", type=int, default=MESSAGES)


def report(namespace: argparse.Namespace) -> Iterator[str]:
    yield _copies(namespace.sizes)
    yield f"\n{_erasure(namespace.messages)}"


# --- Copies ---------------------------------------------------------------------------------------


def _copies(sizes: list[int]) -> str:
    rows = []
    for size, person in zip(sizes, load.fill(list(sizes)), strict=True):
        made = result_of(start_apart("benchmarks.privacy.copy", str(person.user_id)))
        put_back = result_of(start_apart("benchmarks.privacy.restore", str(person.user_id)))
        rows.append(
            (
                f"{size:,}",
                f"{made['seconds']:.1f}",
                f"{made['grew']:.0f}",
                f"{made['size']:.1f}",
                f"{put_back['seconds']:.1f}",
                f"{put_back['findable']:.1f}",
                f"{put_back['grew']:.0f}",
            )
        )
    load.empty()
    head = "messages|copied, s|grew by, MB|file, MB|restored, s|findable, s|grew by, MB"
    return table(head.split("|"), rows)


def copy(user_id: str) -> dict[str, float]:
    """Have a copy made, in a process of its own."""
    user = User.objects.get(pk=user_id)
    with acting_as(user):
        key = exporting.ask(user).pk
    before, begun = most_memory(), time.perf_counter()
    work.do_waiting_work()
    seconds = time.perf_counter() - begun
    with acting_as(user):
        export = Export.objects.get(pk=key)
    assert export.state == Export.State.READY, export.state
    return {"seconds": seconds, "grew": most_memory() - before, "size": export.size / 1e6}


def restore(user_id: str) -> dict[str, float]:
    """Put the newest copy of this person back into a new account, in a process of its own."""
    old = User.objects.get(pk=user_id)
    new = User.objects.create_user(f"{new_id()}@example.org")
    with tempfile.TemporaryFile() as file:
        with acting_as(old):
            export = exporting.newest(old.pk)
        assert export is not None
        file.writelines(exporting.pieces(old.pk, export.pk))
        with acting_as(new):
            key = requests.bring(new, file).pk
            requests.accept(new, key)
    before, begun, all_there = most_memory(), time.perf_counter(), 0.0
    go_on = making._make_findable

    def watched(*given: Any) -> bool:
        nonlocal all_there
        all_there = all_there or time.perf_counter() - begun
        return go_on(*given)

    making.__dict__["_make_findable"] = watched
    while work.do_waiting_work() or work.oldest_waiting():
        pass
    findable = time.perf_counter() - begun
    with acting_as(new):
        made = Restore.objects.get(pk=key)
    assert made.state == Restore.State.READY, (made.state, made.failure)
    return {"seconds": all_there, "findable": findable, "grew": most_memory() - before}


# --- An erasure -----------------------------------------------------------------------------------


def _erasure(messages: int) -> str:
    user_id, *others = [filled.user_id for filled in load.fill([messages, *[THEIRS] * OTHERS])]
    user = User.objects.get(pk=user_id)
    _plant(user)
    before = {key: _checksum(key) for key in others}
    there = _found()
    begun = time.perf_counter()
    receipt = account_deletion.delete(user)
    seconds = time.perf_counter() - begun
    left, changed = _found(), [key for key in others if _checksum(key) != before[key]]
    return (
        f"Deleted in {seconds:.1f} s, with {OTHERS} others on the site. Gone: {receipt.gone}.\n"
        f"Rows that name the person: {sum(receipt.left.values())}.\n"
        f"Markers found before: {sum(map(bool, there.values()))} of {len(MARKERS)};"
        f" after, in a dump of the database and in every file beside it:"
        f" {sum(map(bool, left.values()))}"
        f" {json.dumps({name: places for name, places in left.items() if places})}.\n"
        f"Others whose rows changed: {len(changed)} of {len(others)}."
    )


def _plant(user: User) -> None:
    """Each marker in another way: said, answered, written by hand, shared, kept by software."""
    user.name = MARKERS[0]
    user.save()
    for words in (
        f"I work at {MARKERS[1]}",
        f"My dog is called {MARKERS[2]}",
        f"My sister {MARKERS[3]} is 31 and vegetarian",
        f"I live in {MARKERS[4]}",
        f"I live in {MARKERS[5]}",
    ):
        say(user, words)
    with acting_as(user):
        note_store.write_by_hand(user.pk, f"Plays at the {MARKERS[6]} festival each summer")
        private_blocks.write(user, "human", f"Keeps bees at {MARKERS[7]}", 0)
        line = revision.write_by_hand(user.pk, "interests", "kite festivals")
        sharing.make(user.pk, MARKERS[8], [line.pk], days=7)
        manager.allow(user, "shared.people", on=True)
        person = {"name": MARKERS[9], "note": f"Grows figs at {MARKERS[9]} " * 4}
        manager.write(user.pk, "shared.people", "p", person, by=manager.By.SOFTWARE)
        rows = NamespaceEntry.objects.filter(user=user)
        for old in rows:
            long_ago = old.written_at - timedelta(days=90)
            rows.filter(pk=old.pk).update(written_at=long_ago, used_at=long_ago)
        tiers.tend(user.pk)


def _checksum(user_id: Any) -> str:
    """Of everything that a person has."""
    heard = hashlib.sha256()
    with acting_as(user_id):
        for label, rows in owned.export(user_id):
            for row in rows:
                heard.update(f"{label}{sorted(row.items())}".encode())
    return heard.hexdigest()


def _found() -> dict[str, list[str]]:
    """Where each marker stands, in a dump of the database or in a file beside it."""
    places: dict[str, list[str]] = {name: [] for name in MARKERS}
    for place, content in _everything():
        for name in MARKERS:
            if name.lower().encode() in content.lower():
                places[name].append(place)
    return places


def _everything() -> Iterator[tuple[str, bytes]]:
    folder = Path(settings.DATA_DIR)
    dump = folder / "everything.sql"
    database = server.Server(Cluster(folder).owner_environment())
    with database.client(str(binaries() / "pg_dump"), f"--file={dump}"):
        pass
    yield "database", dump.read_bytes()
    dump.unlink()
    # The database's own files hold what was deleted until their space is used again.
    for path in sorted(folder.rglob("*")):
        if path.is_file() and folder / "postgres" not in path.parents:
            yield str(path.relative_to(folder)), path.read_bytes()
