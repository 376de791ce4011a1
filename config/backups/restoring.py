"""Restoring a backup in one transaction, committed only if all counted rows are there."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

from django.conf import settings
from django.db.migrations.loader import MigrationLoader

from accounts.database.owned import owned_models
from config.backups import contents, server
from config.backups.archive import (
    FORMAT,
    SECTIONS,
    Manifest,
    Say,
    check_scripts,
    opened,
    pieces_of,
    reported,
)
from config.backups.contents import Connection, ask, ask_all
from config.backups.server import BackupError, Server

_PSQL = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--set=VERBOSITY=terse", "--file=-")
# Settings that pg_dump always writes, but servers before this version do not know.
_NEWER_SETTING, _SETTING_SINCE = b"SET transaction_timeout = 0;\n", 170_000


def restore(path: Path, *, replace: bool, say: Say) -> Manifest:
    """Restore a backup into an empty database, or with `replace` instead of its content.

    Raises BackupError, leaving the database unchanged, if the file is damaged or of a newer
    version, the database is not ready, or rows are missing afterwards.
    """
    with opened(path) as (archive, manifest):
        say(f"Checking {path} …")
        _refuse_newer(manifest)
        check_scripts(path, archive, manifest)
        target = server.for_restore()
        with target.connect() as connection:
            _refuse_unready(connection)
            _refuse_full(connection, replace=replace)
            version = connection.info.server_version
        _run(target, _script(archive, manifest, version, say))
        with target.connect() as connection:
            # Without statistics, the planner would scan whole tables at first.
            connection.autocommit = True
            connection.execute("ANALYZE")
    return manifest


def refuse_unsafe() -> None:
    """Raise BackupError if the application's role cannot use a table, or row-level security of a
    table is missing. Call it after migrating.
    """
    owned = [model._meta.db_table for model in owned_models()]
    with server.for_restore().connect() as connection:
        if open_to_all := ask_all(connection, contents.NOT_SECURED, owned):
            raise BackupError(
                f"Do not start the site: no row-level security protects {', '.join(open_to_all)}, "
                "either here or where the backup was made. As the owner of the tables, run this "
                "for each of them: alter table … enable row level security, force row level "
                "security; then run `manage.py erase_again`."
            )
        if closed := ask_all(connection, contents.CLOSED, settings.DATABASE_APP_ROLE):
            raise BackupError(
                f"The role {settings.DATABASE_APP_ROLE} may not use {', '.join(closed)}. Run "
                "`manage.py migrate` as the owner of the tables (DATABASE_OWNER_URL), then "
                "`manage.py erase_again`."
            )


def _refuse_newer(manifest: Manifest) -> None:
    known = MigrationLoader(None).disk_migrations
    unknown = [f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known]
    if unknown or manifest.format > FORMAT:
        raise BackupError(
            f"The backup was made by version {manifest.product}, which is newer than this one "
            f"({settings.VERSION}; unknown here: {', '.join(unknown[:3]) or 'its format'}). "
            "Install that version or a newer one, and restore with it."
        )


def _refuse_unready(connection: Connection) -> None:
    """Raise BackupError if the server lacks role or extension, or the database is in use."""
    role = settings.DATABASE_APP_ROLE
    if not ask(connection, contents.HAS_VECTORS):
        raise BackupError(
            "The database has no pgvector. As a superuser, run this in it: create extension vector;"
        )
    if not ask(connection, contents.HAS_ROLE, role):
        raise BackupError(
            f"The server has no role {role}, which the site connects as. Create it first; see "
            "docs/deploy.md."
        )
    if in_use := ask(connection, contents.CONNECTIONS, role):
        raise BackupError(
            f"The site is still using this database (connections: {in_use}). Stop its web "
            "processes, worker and beat first."
        )


def _refuse_full(connection: Connection, *, replace: bool) -> None:
    if not replace and ask(connection, contents.HAS_RELATIONS):
        raise BackupError(
            "This database is not empty, so nothing was restored. Name an empty one, or pass "
            "--replace --yes to delete everything in it and restore the backup in its place."
        )


def _script(archive: ZipFile, manifest: Manifest, version: int, say: Say) -> Iterator[bytes]:
    """Yield the SQL for psql. Rows are checked before policies hide them from the owner."""
    before, rows, after = SECTIONS
    yield f"BEGIN;\n{server.SESSION}\n{contents.EMPTY.as_string(None)}".encode()
    say("Creating tables …")
    yield from _for_server(version, pieces_of(archive, before))
    say(f"Restoring {manifest.rows:,} rows …")
    yield from reported(_for_server(version, pieces_of(archive, rows)), say, "restored")
    say("Checking rows, creating indexes, keys and policies …")
    yield contents.checks_of_rows(manifest.tables).encode()
    yield from _for_server(version, pieces_of(archive, after))
    yield contents.check_of_row_security(manifest.row_security).encode()
    yield b"COMMIT;\n"


def _for_server(version: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a script without the settings in its head that this server's version does not know."""
    for number, piece in enumerate(pieces):
        early = number == 0 and version < _SETTING_SINCE
        yield piece.replace(_NEWER_SETTING, b"", 1) if early else piece


def _run(target: Server, script: Iterator[bytes]) -> None:
    try:
        with target.client(server.psql_program(), *_PSQL, stdin=subprocess.PIPE) as psql:
            assert psql.stdin is not None
            for piece in script:
                psql.stdin.write(piece)
    except BackupError as error:
        raise BackupError(
            f"The backup was not restored, and the database is as it was before. {error}"
        ) from error
