"""What an import takes: peak memory and time to look at it, to write it, and to take it out again.

Exports of ChatGPT with 20 messages a conversation and every fault that such files have had are
imported, each step in a process of its own: memory must not grow with the size of the file, nor the
time a conversation takes. Reading what was said is measured for some seconds only. `--out` names a
folder: imports.md is written there.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support import chatgpt_export
from benchmarks.support.markdown import table
from benchmarks.support.site import most_memory, result_of, start_apart
from conversations.models import Conversation
from privacy.importing import counting, making, requests
from privacy.models import Import, ImportedRow

SIZES = (1_000, 10_000)
QUICK = ("--conversations=20", "--seconds=1")
STEPS = ("preview", "write", "read", "undo")


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--conversations", type=_sizes, default=SIZES, help="such as 1000,10000")
    reader.add_argument("--seconds", type=int, default=30, help="how long what was said is read")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """The figures of each size, and how much more the largest takes a conversation."""
    if namespace.out:
        namespace.out.mkdir(parents=True, exist_ok=True)
    measured = {
        size: _measured(size, namespace.seconds) for size in sorted(namespace.conversations)
    }
    page = "\n\n".join(filter(None, [_figures(measured), _ratios(measured)]))
    if namespace.out:
        (namespace.out / "imports.md").write_text(f"{page}\n", encoding="utf-8")
    yield page


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",")]


def _measured(size: int, seconds: int) -> dict[str, dict[str, Any]]:
    path = chatgpt_export.write(Path(settings.DATA_DIR) / f"{size}.zip", size)
    user = User.objects.create_user(f"import{size}@example.org")
    arguments = json.dumps({"user": str(user.pk), "file": str(path), "seconds": seconds})
    try:
        return {
            step: result_of(start_apart(f"benchmarks.imports.{step}", arguments)) for step in STEPS
        }
    finally:
        path.unlink()


# --- The steps, each in a process of its own ------------------------------------------------------


def preview(arguments: str) -> dict[str, float]:
    """Look at the file and bring it."""
    given = json.loads(arguments)
    user = User.objects.get(pk=given["user"])
    begun, before = time.perf_counter(), most_memory()
    with Path(given["file"]).open("rb") as file, acting_as(user):
        counts = counting.count(user.pk, file)
        seconds = time.perf_counter() - begun
        requests.bring(user, file)
    return _step(begun, before, counts.conversations, seconds=seconds, messages=counts.messages)


def write(arguments: str) -> dict[str, float]:
    """Write all that is in it."""
    user, row = _import_of(arguments)
    with acting_as(user):
        requests.accept(user, row.pk)
    claim = _claimed(row)
    begun, before = time.perf_counter(), most_memory()
    started = Import.begin(claim)
    assert started is not None
    with work.keeping(claim):
        making._write(claim, started)
    measured = _step(begun, before, row.conversations)
    with claim.acting():
        work.put_off(claim, seconds=0)
    return measured


def read(arguments: str) -> dict[str, float]:
    """Learn from what was said, for some seconds."""
    _, row = _import_of(arguments)
    claim = _claimed(row)
    begun, before, seconds = time.perf_counter(), most_memory(), json.loads(arguments)["seconds"]
    with work.keeping(claim):
        while time.perf_counter() - begun < seconds and making._learn_piece(claim, row):
            pass
    measured = _step(begun, before, row.done)
    with claim.acting():
        work.put_off(claim, seconds=0)
    return measured


def undo(arguments: str) -> dict[str, float]:
    """Take all of it out again."""
    user, row = _import_of(arguments)
    with acting_as(user):
        assert requests.cancel(user, row.pk) or requests.undo(user, row.pk)
    begun, before = time.perf_counter(), most_memory()
    while work.do_waiting_work() or work.oldest_waiting():
        pass
    measured = _step(begun, before, row.conversations)
    with acting_as(user):
        assert Import.objects.get(pk=row.pk).state == Import.State.UNDONE
        assert not ImportedRow.objects.filter(user=user).exists()
        assert not Conversation.objects.filter(user=user).exists()
    return measured


def _import_of(arguments: str) -> tuple[User, Import]:
    user = User.objects.get(pk=json.loads(arguments)["user"])
    with acting_as(user):
        return user, Import.objects.get(user=user)


def _claimed(row: Import) -> work.Claim:
    claim = work.claim(row.user_id, Import.KIND, row.pk)
    assert claim is not None
    return claim


def _step(begun: float, before: float, items: int, **more: float) -> dict[str, float]:
    taken = {"seconds": time.perf_counter() - begun, "items": items, **more}
    return {**taken, "peak": most_memory(), "before": before}


# --- The report -----------------------------------------------------------------------------------


def _figures(measured: dict[int, dict[str, dict[str, Any]]]) -> str:
    rows = [
        (
            f"{size:,}",
            step,
            f"{figures['seconds']:.1f}",
            f"{1_000 * figures['seconds'] / max(figures['items'], 1):.2f}",
            f"{figures['before']:.0f}",
            f"{figures['peak']:.0f}",
        )
        for size, steps in measured.items()
        for step, figures in steps.items()
    ]
    head = "conversations|step|seconds|ms each (read: a message)|MB before|MB at most"
    return table(head.split("|"), rows)


def _ratios(measured: dict[int, dict[str, dict[str, Any]]]) -> str:
    """What the largest takes as a multiple of the smallest."""
    if len(measured) < 2:
        return ""
    small, large = measured[min(measured)], measured[max(measured)]
    rows = [
        (step, _ratio(small[step], large[step]), _peaks(small[step], large[step])) for step in STEPS
    ]
    head = (f"{max(measured):,} against {min(measured):,}", "time each", "peak memory")
    return table(head, rows)


def _ratio(small: dict[str, Any], large: dict[str, Any]) -> str:
    each = [figures["seconds"] / max(figures["items"], 1) for figures in (small, large)]
    return f"× {each[1] / each[0]:.2f}"


def _peaks(small: dict[str, Any], large: dict[str, Any]) -> str:
    return f"× {large['peak'] / small['peak']:.2f}"
