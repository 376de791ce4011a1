"""The file of a backup: a ZIP of SQL scripts and a manifest of what they hold."""

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
# In the order in which they are run: tables, rows; then indexes, keys, triggers and policies.
SECTIONS = ("pre-data", "data", "post-data")
MANIFEST = "manifest.json"
_PIECE = 1 << 20
_REPORT_SECONDS = 5

# Shows a line to whoever ran the command.
Say = Callable[[str], None]


class Manifest(BaseModel):
    """What a backup holds; `made_at` is when its snapshot of the database was taken.

    `row_security` has a line for each table behind it, `sha256` a checksum for each script.
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
        """How many there are in all tables together."""
        return sum(table.rows for table in self.tables.values())


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a file for its owner's eyes alone, which gets its name when it is whole and on disk.

    Raises BackupError when it cannot be written; nothing of it is left then.
    """
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
    """Pack a script into the file; returns its SHA-256."""
    checksum = hashlib.sha256()
    with archive.open(f"{section}.sql", "w", force_zip64=True) as member:
        for piece in pieces:
            checksum.update(piece)
            member.write(piece)
    return checksum.hexdigest()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """Open a backup and read its manifest. Raises BackupError when it is damaged."""
    with _refusing_damage(path):
        archive = ZipFile(path)
        manifest = Manifest.model_validate_json(archive.read(MANIFEST))
    with archive:
        yield archive, manifest


def check_scripts(path: Path, archive: ZipFile, manifest: Manifest) -> None:
    """Raise BackupError unless every script is byte by byte what was written."""
    if manifest.sha256.keys() != set(SECTIONS):
        raise BackupError(_damaged(path))
    for section, expected in manifest.sha256.items():
        checksum = hashlib.sha256()
        for piece in pieces_of(archive, section):
            checksum.update(piece)
        if checksum.hexdigest() != expected:
            raise BackupError(_damaged(path))


def pieces_of(archive: ZipFile, section: str) -> Iterator[bytes]:
    """A script, some of it at a time. Raises BackupError when it is damaged."""
    path = Path(str(archive.filename))
    with _refusing_damage(path), archive.open(f"{section}.sql") as member:
        yield from in_pieces(member)


def in_pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """What a stream holds, some of it at a time."""
    while piece := stream.read(_PIECE):
        yield piece


def reported(pieces: Iterable[bytes], say: Say, what: str) -> Iterator[bytes]:
    """The same pieces; says every few seconds how many megabytes have passed."""
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
