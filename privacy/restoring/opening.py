"""Opening an uploaded export within limits, without unpacking it to disk."""

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import IO, Any

from django.conf import settings
from django.utils.dateparse import parse_datetime
from django.utils.timezone import now

from accounts.support.refusals import Refused
from privacy import parts
from privacy.archive import FORMAT, VERSION

_MANIFEST = "manifest.json"
_MB = 1024 * 1024
# Maximum sizes of a manifest, the list of members, and one row, in bytes.
_LONGEST_MANIFEST, _LONGEST_LIST, _LONGEST_LINE = _MB, 16 * _MB, 2 * _MB
_MOST_MEMBERS, _LONGEST_NAME = 50_000, 300
# Text compresses to about a tenth; a higher ratio indicates a ZIP bomb, except in small members.
_MOST_PACKED, _SMALL = 200, _MB
_ANEW = "Download the copy again and upload it unchanged."
# What reading a member of a damaged ZIP may raise: places before its beginning, names that are no
# text, and methods that are not there, too.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


class NotACopy(Refused):
    """Raised when a file cannot be restored; the message says what is wrong and what to do."""

    field = "file"


@dataclass(frozen=True)
class Copy:
    """The manifest of an export; only its form has been checked."""

    version: int
    made_at: datetime
    # Number of rows by table.
    rows: dict[str, int]


@dataclass(frozen=True)
class ZipBounds:
    """Limits on the content of a ZIP, and the exception and message if they are exceeded.

    `thing` names the kind with its article, `anew` says what to do, `takes` returns whether a
    member of that name is allowed.
    """

    raises: type[ValueError]
    thing: str
    anew: str
    takes: Callable[[str], bool]


def look(file: IO[bytes]) -> Copy:
    """Return the manifest of an uploaded export. Raises NotACopy."""
    with opened(file) as archive:
        return manifest(archive)


def opened(file: IO[bytes], bounds: ZipBounds | None = None) -> zipfile.ZipFile:
    """Open a ZIP within limits, by default those of an export. Raises the exception of `bounds`."""
    bounds = bounds or _OF_A_COPY
    most = settings.PRIVACY["restore_megabytes"]
    if file.seek(0, 2) > most * _MB:
        raise bounds.raises(too_large() if bounds is _OF_A_COPY else larger_than_taken())
    try:
        _bound_the_list(file, bounds)
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        if isinstance(error, bounds.raises):
            raise
        raise bounds.raises(f"This isn’t a ZIP file, or it is damaged. {bounds.anew}") from None
    _bound(archive, bounds)
    return archive


def larger_than_taken() -> str:
    """Return the message for a file above the maximum size."""
    most = settings.PRIVACY["restore_megabytes"]
    return f"This file is larger than the limit of {most} MB."


def too_large() -> str:
    """Return the message for an export above the maximum size, with what to do."""
    return f"{larger_than_taken()} Make a copy with fewer parts."


def _bound_the_list(file: IO[bytes], bounds: ZipBounds) -> None:
    """Check the size of the ZIP's list of members, which opening would read whole."""
    end = zipfile._EndRecData(file)  # type: ignore[attr-defined]
    if end is None:
        raise zipfile.BadZipFile
    if end[zipfile._ECD_SIZE] > _LONGEST_LIST:  # type: ignore[attr-defined]
        raise bounds.raises(_too_many(bounds))


def _too_many(bounds: ZipBounds) -> str:
    return f"This ZIP has too many files to be {bounds.thing}. {bounds.anew}"


def _bound(archive: zipfile.ZipFile, bounds: ZipBounds) -> None:
    members = archive.infolist()
    if len(members) > _MOST_MEMBERS or len({member.filename for member in members}) < len(members):
        raise bounds.raises(_too_many(bounds))
    for member in members:
        _bound_member(member, bounds)
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if unpacked > max(_SMALL, _MOST_PACKED * packed):
        raise bounds.raises(f"This ZIP is compressed too much to be {bounds.thing}. {bounds.anew}")
    most = settings.PRIVACY["restore_unpacked_megabytes"]
    if unpacked > most * _MB:
        raise bounds.raises(f"Unpacked, this is larger than the limit of {most} MB.")


def _bound_member(member: zipfile.ZipInfo, bounds: ZipBounds) -> None:
    if not bounds.takes(member.orig_filename):
        name = member.orig_filename[:80]
        raise bounds.raises(f"“{name}” doesn’t belong in {bounds.thing}. {bounds.anew}")
    plain = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if member.flag_bits & 1 or not plain:
        raise bounds.raises(
            f"{member.filename} is encrypted, or compressed in a way I can’t read. {bounds.anew}"
        )
    if member.file_size > _SMALL and member.file_size > _MOST_PACKED * max(1, member.compress_size):
        raise bounds.raises(
            f"{member.filename} is compressed too much to be part of {bounds.thing}. {bounds.anew}"
        )


def is_plain_path(name: str) -> bool:
    """Return whether the name of a ZIP member is a safe relative path."""
    odd = not name.isprintable() or "\\" in name or len(name) > _LONGEST_NAME
    return not odd and all(step not in ("", ".", "..") for step in name.split("/"))


def _is_of_a_copy(name: str) -> bool:
    if not is_plain_path(name):
        return False
    steps = name.split("/")
    if len(steps) == 1:
        return name in ("README.md", _MANIFEST)
    return steps[0] == "readable" or (steps[0] == "data" and len(steps) == 2)


_OF_A_COPY = ZipBounds(NotACopy, "a copy", _ANEW, _is_of_a_copy)


# --- The manifest ---------------------------------------------------------------------------------


def manifest(archive: zipfile.ZipFile) -> Copy:
    """Return the manifest, checked against the files and this version. Raises NotACopy."""
    manifest_data = _manifest_of(archive)
    if manifest_data.get("format") != FORMAT:
        raise NotACopy("This isn’t a copy that I made. Choose one that is.")
    version = manifest_data.get("version")
    if version != VERSION:
        raise NotACopy(
            f"This copy is version {str(version)[:20]}, but I can only restore version {VERSION}. "
            "Make a new copy once your other account’s site runs the same version of Throughline "
            "as this one."
        )
    try:
        made_at = parse_datetime(str(manifest_data.get("made_at")))
    except ValueError:
        made_at = None
    if made_at is None or made_at.tzinfo is None or made_at > now() + timedelta(days=1):
        raise NotACopy(f"This file doesn’t say when the copy was made. {_ANEW}")
    tables = manifest_data.get("tables")
    if not isinstance(tables, dict) or not tables:
        raise NotACopy(f"This file doesn’t say what is in the copy. {_ANEW}")
    rows = {table: _rows_of(table, about) for table, about in tables.items()}
    most = settings.PRIVACY["restore_rows"]
    if sum(rows.values()) > most:
        raise NotACopy(
            f"This copy has {sum(rows.values()):,} rows, but I can take at most {most:,}. Make a "
            "copy with fewer parts."
        )
    files = {name for name in archive.namelist() if name.startswith("data/")}
    if files != {file_of(table) for table in rows}:
        raise NotACopy(f"The files in this copy are not the ones it lists. {_ANEW}")
    return Copy(VERSION, made_at, rows)


def file_of(table: str) -> str:
    """Return the path of a table's rows in an export."""
    return f"data/{table}.jsonl"


def _manifest_of(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        with archive.open(_MANIFEST) as file:
            text = file.read(_LONGEST_MANIFEST + 1)
        manifest_data = json.loads(text) if len(text) <= _LONGEST_MANIFEST else None
    except KeyError:
        raise NotACopy(
            f"This ZIP isn’t a copy that I made: it has no {_MANIFEST}. Choose another."
        ) from None
    except (*DAMAGED, RecursionError):
        manifest_data = None
    if not isinstance(manifest_data, dict):
        raise NotACopy(f"I can’t read {_MANIFEST}. {_ANEW}")
    return manifest_data


def _rows_of(table: str, about: Any) -> int:
    known = {name for part in parts.PARTS.values() for name in part.tables}
    if table not in known:
        raise NotACopy(f"This copy has a part I don’t know: “{table[:60]}”. {_ANEW}")
    fits = isinstance(about, dict) and about.get("file") == file_of(table)
    if not fits or about.get("fields") != parts.describe(table):
        raise NotACopy(f"The part “{table}” doesn’t match version {VERSION}. {_ANEW}")
    rows = about.get("rows")
    if type(rows) is not int or rows < 0:
        raise NotACopy(f"This copy doesn’t say how many rows “{table}” has. {_ANEW}")
    return rows


# --- The rows -------------------------------------------------------------------------------------


def lines(archive: zipfile.ZipFile, table: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a table with their numbers from 1. Raises NotACopy."""
    name, number = file_of(table), 0
    try:
        with archive.open(name) as file:
            while line := file.readline(_LONGEST_LINE + 1):
                number += 1
                if len(line) > _LONGEST_LINE:
                    raise NotACopy(f"{name} looks damaged at line {number}. {_ANEW}")
                yield number, line
    except DAMAGED as error:
        if isinstance(error, NotACopy):
            raise
        raise NotACopy(f"{name} looks damaged after line {number}. {_ANEW}") from None
