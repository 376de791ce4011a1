"""A whole copy on a disk that fills up: it says so, loses nothing, goes on when there is room."""

import errno
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.running.copies import Copy, wait_for
from benchmarks.running.kills import AcceptedMessages, answer, left, say
from tests.live import a_copy

_BLOCK = 64 * 1024


@pytest.fixture
def copy() -> Iterator[Copy]:
    with tempfile.TemporaryDirectory(prefix="throughline-small-") as folder:
        Path(folder).chmod(0o711)
        mount = ["mount", "-t", "tmpfs", "-o", "size=400m,mode=711", "tmpfs", folder]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("a small filesystem cannot be mounted here")
        try:
            with Copy(answer, a_copy(Path(folder))) as running:
                yield running
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(place: Path) -> Path:
    """Take all the room there is; deleting the file gives it back.

    The copy goes on writing meanwhile, so how much room there is shows when there is none left.
    """
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(_BLOCK))
        except OSError as full:
            if full.errno != errno.ENOSPC:
                raise
    return filler


def test_what_was_accepted_is_there_when_there_is_room_again(copy: Copy) -> None:
    _, made = copy.ask("POST", "/api/v1/conversations", {})
    said = AcceptedMessages(made["id"])
    say(copy, said, "I enjoy rowing")
    filler = fill(copy.place)
    status, health = copy.ask("GET", "/healthz")
    assert (status, health["disk"]) == (503, "the disk is full")
    # A database that was writing just then begins anew, and takes a moment.
    wait_for(lambda: copy.ask("GET", "/readyz")[0] == 200, "a copy that answers")

    writers = [
        threading.Thread(target=say, args=[copy, said, f"I enjoy hobby{n}" + " very much" * 900])
        for n in range(6)
    ]
    for writer in writers:
        writer.start()
    # Some are accepted, some are refused and sent again; one of them has ended, or been refused.
    writers[0].join(5)
    filler.unlink()
    for writer in writers:
        writer.join()

    wait_for(copy.is_well, "a copy that is well")
    assert left(copy, said) == []
