"""The file of a copy: a ZIP of JSON Lines for programs, and of Markdown for people.

    README.md            what lies where
    manifest.json        format, version, when, and for each table its file, fields and rows
    data/TABLE.jsonl     a row a line, in the order of keys
    readable/...         the same to be read

`VERSION` goes up when a field changes its meaning or goes away. Rows are read and written one by
one: memory stays the same however many there are.
"""

import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder

from privacy import parts, readable
from privacy.progress import Tell

FORMAT = "throughline.export"
VERSION = 3
# Told after so many rows; whoever hears it may stop the writing by an exception.
_EVERY = 200
_README = """# Your copy

Made on {day}.

- `readable/` is for you: what I know, what was said and what changed, as plain text.
- `data/` is for programs: one file per table, one row per line (JSON Lines, UTF-8).
- `manifest.json` gives the format ({format}, version {version}), and for each table its file, the
  type of each field and the number of rows.

Ids link rows across tables: a message has the id of its conversation, and a fact the id of the
message it comes from.
"""


class ExactEncoder(DjangoJSONEncoder):
    """Django's own cuts moments to the millisecond, and what happened in one has an order too."""

    def default(self, o: Any) -> Any:
        """A moment to the microsecond, everything else as Django writes it."""
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def write(file: IO[bytes], user_id: UUID, chosen: list[str], made_at: datetime, tell: Tell) -> None:
    """Write the parts into a file that is open for writing, in the person's open block.

    `tell` hears which part is gathered and how many rows are done by now, again and again.
    """
    done = 0

    def counted(part: str, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        nonlocal done
        tell(part, done)
        for row in rows:
            yield row
            done += 1
            if done % _EVERY == 0:
                tell(part, done)

    tables: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        about = _README.format(day=f"{made_at:%-d %B %Y}", format=FORMAT, version=VERSION)
        archive.writestr("README.md", about)
        for part, table in parts.tables(chosen):
            name = f"data/{table}.jsonl"
            rows = counted(part.name, parts.rows(user_id, table))
            tables[table] = {
                "file": name,
                "rows": _write_rows(archive, name, rows),
                "fields": parts.describe(table),
            }
        for name, lines in readable.files(user_id, chosen):
            with archive.open(f"readable/{name}", "w") as page:
                for line in lines:
                    page.write(line.encode())
            tell("", done)
        archive.writestr("manifest.json", _manifest(chosen, made_at, tables))


def total(user_id: UUID, chosen: list[str]) -> int:
    """How many rows there are to write, in the person's open block."""
    return sum(parts.count(user_id, table) for _, table in parts.tables(chosen))


def _write_rows(archive: zipfile.ZipFile, name: str, rows: Iterator[dict[str, Any]]) -> int:
    written = 0
    with archive.open(name, "w") as file:
        for row in rows:
            line = json.dumps(row, cls=ExactEncoder, ensure_ascii=False)
            file.write(line.encode() + b"\n")
            written += 1
    return written


def _manifest(chosen: list[str], made_at: datetime, tables: dict[str, dict[str, Any]]) -> str:
    told = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": made_at.isoformat(),
        "parts": chosen,
        "tables": tables,
    }
    return json.dumps(told, indent=2)
