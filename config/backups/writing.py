"""Making a backup from one database snapshot, with counts and checksums of all rows."""

import subprocess
import time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from psycopg import IsolationLevel
from psycopg.sql import SQL

from config.backups import contents, server
from config.backups.archive import (
    FORMAT,
    MANIFEST,
    SECTIONS,
    Manifest,
    Say,
    add_script,
    in_pieces,
    new_file,
    reported,
)
from config.backups.contents import Connection, Table, ask, ask_all
from config.backups.server import BackupError, Server

# Rights and owners are set anew on restoring; of extensions only pgvector is needed, and only a
# superuser could restore a comment on it.
_DUMP = ("--no-owner", "--no-privileges", "--no-comments", "--extension=vector")
# Only migrations lock a table; one would wait for the end of the backup itself.
_LOCKED = "--lock-wait-timeout=60s"
_REPORT_SECONDS = 5


def backup(path: Path, say: Say) -> Manifest:
    """Write the database to a file, while the site stays in use.

    Raises BackupError, leaving no file, if the role cannot see every row, or the file cannot be
    written.
    """
    source = server.for_backup()
    with source.connect() as connection:
        program = server.dump_program(connection.info.server_version // 10_000)
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        _refuse_what_is_no_site(connection)
        _refuse_filtered(connection)
        # Counting also locks the tables against changes of structure until they are copied.
        manifest = _describe(connection, say)
        snapshot = ask(connection, SQL("SELECT pg_export_snapshot()"))
        with new_file(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            for section in SECTIONS:
                what = ("--format=plain", f"--section={section}", f"--snapshot={snapshot}", _LOCKED)
                manifest.sha256[section] = _dump(
                    source, archive, section, (program, *what, *_DUMP), say
                )
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
    return manifest


def _refuse_what_is_no_site(connection: Connection) -> None:
    if ask(connection, SQL("SELECT to_regclass('public.django_migrations')")) is None:
        raise BackupError(
            "This database has no Throughline tables. Check that DATA_DIR or DATABASE_URL is right."
        )


def _refuse_filtered(connection: Connection) -> None:
    filtered = ask_all(connection, contents.FILTERED)
    if not filtered:
        return
    raise BackupError(
        f"The role {connection.info.user} cannot see every row of {len(filtered)} tables "
        f"(row-level security, or no right to read): {', '.join(filtered[:3])} … A backup made as "
        "this role would be missing what people said, so none was made. Run this once, as a "
        f"superuser on the server:\n\n{server.BACKUP_ROLE}\n\nThen set DATABASE_BACKUP_URL to this "
        "database as that role; see docs/deploy.md."
    )


def _describe(connection: Connection, say: Say) -> Manifest:
    """Return the counts and checksums of all tables in the current transaction."""
    say("Counting rows …")
    tables: dict[str, Table] = {}
    columns = connection.execute(contents.COLUMNS).fetchall()
    last = time.monotonic()
    for name, names in columns:
        tables[name] = contents.read_table(connection, name, names)
        if time.monotonic() - last > _REPORT_SECONDS:
            say(f"  {len(tables)} of {len(columns)} tables")
            last = time.monotonic()
    return Manifest(
        format=FORMAT,
        product=settings.VERSION,
        postgresql=ask(connection, SQL("SHOW server_version")),
        made_at=ask(connection, SQL("SELECT now()")),
        migrations=connection.execute(contents.MIGRATIONS).fetchall(),
        tables=tables,
        row_security=ask(connection, contents.ROW_SECURITY),
        sha256={},
    )


def _dump(
    source: Server, archive: ZipFile, section: str, command: tuple[str, ...], say: Say
) -> str:
    say(f"Writing {section} …")
    with source.client(*command, stdout=subprocess.PIPE) as dump:
        assert dump.stdout is not None
        return add_script(archive, section, reported(in_pieces(dump.stdout), say, section))
