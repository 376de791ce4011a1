"""The file of a backup: a ZIP of SQL scripts and a manifest."""

import contextlib
import hashlib
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO
from zipfile import ZipFile

from pydantic import BaseModel, ValidationError

from config.backups.contents import Table
from config.backups.server import BackupError

FORMAT = 1
# In the order of execution: tables, rows; then indexes, keys, triggers and policies.
SECTIONS = ("pre-data", "data", "post-data")
MANIFEST = "manifest.json"
_PIECE = 1 << 20
_REPORT_SECONDS = 5

# Prints a line for the user of the command.
Say = Callable[[str], None]


class Manifest(BaseModel):
    """The content of a backup; `made_at` is the time of its database snapshot.

    `row_security` has a line for each table with policies, `sha256` a checksum for each script.
    """

    format: int
    product: str
    postgresql: str
    made_at: datetime
    migrations: list[tuple[str, str]]
    tables: dict[str, Table]
    row_security: str
    sha256: dict[str, str]

    @property
    def rows(self) -> int:
        """Return the number of rows in all tables."""
        return sum(table.rows for table in self.tables.values())


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file private to this user, renamed to `path` when complete. Raises BackupError."""
    if path.is_dir():
        raise BackupError(f"{path} is a directory. Name a file in it.")
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f"{path.name}.part-", delete=False
        ) as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise BackupError(
            f"{path} cannot be written: {error.strerror or error}. Choose a place with enough "
            "space where you can write. No partial file was left behind."
        ) from error


def add_script(archive: ZipFile, section: str, pieces: Iterable[bytes]) -> str:
    """Write a script to the archive; return its SHA-256."""
    checksum = hashlib.sha256()
    with archive.open(f"{section}.sql", "w", force_zip64=True) as member:
        for piece in pieces:
            checksum.update(piece)
            member.write(piece)
    return checksum.hexdigest()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """Open a backup and read its manifest. Raises BackupError if it is damaged."""
    with _refusing_damage(path):
        archive = ZipFile(path)
        manifest = Manifest.model_validate_json(archive.read(MANIFEST))
    with archive:
        yield archive, manifest


def check_scripts(path: Path, archive: ZipFile, manifest: Manifest) -> None:
    """Raise BackupError unless every script has its checksum."""
    if manifest.sha256.keys() != set(SECTIONS):
        raise BackupError(_damaged(path))
    for section, expected in manifest.sha256.items():
        checksum = hashlib.sha256()
        for piece in pieces_of(archive, section):
            checksum.update(piece)
        if checksum.hexdigest() != expected:
            raise BackupError(_damaged(path))


def pieces_of(archive: ZipFile, section: str) -> Iterator[bytes]:
    """Yield a script in pieces. Raises BackupError if it is damaged."""
    path = Path(str(archive.filename))
    with _refusing_damage(path), archive.open(f"{section}.sql") as member:
        yield from in_pieces(member)


def in_pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a stream in pieces."""
    while piece := stream.read(_PIECE):
        yield piece


def reported(pieces: Iterable[bytes], say: Say, what: str) -> Iterator[bytes]:
    """Yield the same pieces; print the megabytes so far every few seconds."""
    done, last = 0, time.monotonic()
    for piece in pieces:
        yield piece
        done += len(piece)
        if time.monotonic() - last > _REPORT_SECONDS:
            say(f"  {what}: {done / 1e6:,.0f} MB")
            last = time.monotonic()


@contextlib.contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValidationError) as error:
        raise BackupError(_damaged(path)) from error


def _damaged(path: Path) -> str:
    return (
        f"{path} is not a complete Throughline backup: it was cut off, changed or made by "
        "something else. Nothing was restored. Use another file."
    )
