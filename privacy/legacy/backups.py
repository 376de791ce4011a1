"""Copies of the files of a store, each as it was at one moment, though it is being written to."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.utils.timezone import now

from privacy.legacy.stores import SUFFIXES, NotAStore


@dataclass(frozen=True)
class FileCopy:
    """Where a file was copied to; whether as SQLite copies, or as it lay there, being damaged."""

    path: Path
    consistent: bool


def back_up(path: Path, into: Path | None = None) -> Iterator[FileCopy]:
    """Copy the files one by one, under their own names; yields after each.

    Without `into` they lie below DATA_DIR, in a directory of this moment. Raises NotAStore where
    there is none, and FileExistsError for a directory that has something in it.
    """
    if not path.exists():
        raise NotAStore(f"There is no {path.name}. Name a file or a directory that exists.")
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    files = [file for file in files if file.suffix in SUFFIXES and file.is_file()]
    if not files:
        raise NotAStore(
            f"{path.name} contains no database files. Name a file, or a directory that contains "
            "some."
        )
    into = into or Path(settings.DATA_DIR) / "legacy-backups" / f"{now():%Y%m%dT%H%M%S%fZ}"
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(into.iterdir()):
        raise FileExistsError(f"{into} is not empty. Name a new directory.")
    for file in files:
        yield _copied(file, into / file.name)


def _copied(file: Path, into: Path) -> FileCopy:
    os.close(os.open(into, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    address = f"file:{quote(str(file.resolve()))}?mode=ro"
    try:
        with (
            closing(sqlite3.connect(address, uri=True)) as there,
            closing(sqlite3.connect(into)) as here,
        ):
            there.backup(here)
            # Read from elsewhere without files beside it.
            here.execute("pragma journal_mode = delete")
    except sqlite3.DatabaseError:
        shutil.copyfile(file, into)
        return FileCopy(into, consistent=False)
    return FileCopy(into, consistent=True)
