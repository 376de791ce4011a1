"""A backup holds every row or is not made, and a restore keeps every row or nothing."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts.database.owned import owned_models
from accounts.models import User
from benchmarks.running.copies import wait_for
from tests.accounts.test_isolation_tables import fill_the_notebook_of
from tests.external import OWNER, SITE, ExternalServer, command, how, manage

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
PEOPLE = ("alice", "bob", "cleo")
TABLES = (
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
)
ROWS = "select md5(coalesce(string_agg(r::text, '|' order by r::text collate \"C\"), '')) from {} r"


@pytest.fixture(scope="module")
def external() -> Iterator[ExternalServer]:
    with tempfile.TemporaryDirectory(prefix="tl-") as place:
        Path(place).chmod(0o711)
        with ExternalServer(Path(place) / "server") as running:
            yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("backups")


@pytest.fixture(scope="module")
def source(django_db_setup: None, django_db_blocker: DjangoDbBlocker, folder: Path) -> Path:
    """A backup of a site with three people who have rows in every table."""
    file = folder / "source.zip"
    login = connection.settings_dict
    url = f"postgres://{{}}@/{login['HOST']}/{login['NAME']}"
    with django_db_blocker.unblock():
        try:
            for name in PEOPLE:
                fill_the_notebook_of(User.objects.create_user(f"{name}@example.org", name=name))
            connection.close()
            succeed(
                "backup",
                file,
                DATABASE_URL=url.format(SITE),
                DATABASE_BACKUP_URL=url.format("postgres"),
            )
        finally:
            call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    return file


@pytest.fixture(scope="module")
def site(external: ExternalServer, source: Path, folder: Path) -> str:
    """The site of the three people on the external server, made by restoring the backup."""
    external.make_database("site")
    restore(external, "site", source, folder)
    return "site"


@pytest.fixture
def empty(external: ExternalServer) -> str:
    external.make_database("target")
    return "target"


def succeed(*words: object, **environment: str) -> str:
    done = manage(*words, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words: object, **environment: str) -> str:
    """What a command said that ended with an error, in sentences."""
    done = manage(*words, **environment)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


def restore(external: ExternalServer, name: str, file: Path, folder: Path, *words: str) -> str:
    erased = folder / "erased.jsonl"
    erased.touch()
    return succeed("restore", file, *words, ERASED_LIST=str(erased), **external.environment(name))


def sums(external: ExternalServer, name: str) -> dict[str, str]:
    """A checksum of every table's rows, by another rule than that of backups."""
    with external.connect(name) as asked:
        tables = [table for (table,) in asked.execute(TABLES).fetchall()]
        return {table: asked.execute(ROWS.format(table)).fetchone()[0] for table in tables}  # type: ignore[index]


def is_empty(external: ExternalServer, name: str) -> bool:
    return not sums(external, name)


# --- There and back -------------------------------------------------------------------------------


def test_every_row_of_three_people_comes_back_by_the_documented_roles(
    external: ExternalServer, site: str, empty: str, folder: Path
) -> None:
    file = folder / "of the site.zip"
    told = succeed("backup", file, **external.environment(site))
    assert file.stat().st_mode & 0o777 == 0o600
    assert f"{len(sums(external, site))} tables" in told
    assert "restore is complete" in restore(external, empty, file, folder)
    assert sums(external, empty) == sums(external, site)
    with external.connect(empty) as asked:
        for model in owned_models():
            row = asked.execute(f"select count(distinct user_id) from {model._meta.db_table}")
            assert row.fetchone() == (len(PEOPLE),), model
        row = asked.execute("select count(*) from memory_passage where embedding is not null")
        assert row.fetchone() != (0,)


def test_the_application_sees_one_person_at_a_time_in_a_restored_database(
    external: ExternalServer, site: str
) -> None:
    with psycopg.connect(external.url(SITE, site), autocommit=True) as asked:
        count = "select count(distinct user_id) from memory_memory"
        assert asked.execute(count).fetchone() == (0,)
        with external.connect(site) as all_rows:
            first = all_rows.execute("select user_id from memory_memory limit 1").fetchone()
        (person,) = first  # type: ignore[misc]
        asked.execute("select set_config('app.user_id', %s, false)", [str(person)])
        assert asked.execute(count).fetchone() == (1,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            asked.execute("delete from django_migrations")
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
            asked.execute("delete from accounts_auditevent")
    with psycopg.connect(external.url(OWNER, site), autocommit=True) as asked:
        assert asked.execute("select count(*) from memory_memory").fetchone() == (0,)


def test_what_was_erased_since_the_backup_is_erased_again(
    external: ExternalServer, source: Path, empty: str, folder: Path, tmp_path: Path
) -> None:
    restore(external, empty, source, folder)
    with external.connect(empty) as asked:
        user, note = asked.execute("select user_id, id from memory_memory limit 1").fetchone()  # type: ignore[misc]
    line = {"at": "2100-01-01T00:00:00+00:00", "user": user, "kind": "note", "subject": note}
    (tmp_path / "erased.jsonl").write_text(json.dumps(line, default=str) + "\n")
    told = restore(external, empty, source, tmp_path, "--replace", "--yes")
    assert "Erased again: 1 note." in told
    with external.connect(empty) as asked:
        left = asked.execute("select count(*) from memory_memory where id = %s", [note])
        assert left.fetchone() == (0,)
        assert asked.execute("select count(*) from memory_memory").fetchone() != (0,)


def test_a_backup_of_an_older_version_is_migrated(
    external: ExternalServer, source: Path, empty: str, folder: Path
) -> None:
    last = "select max(name) from django_migrations where app = 'privacy'"
    external.make_database("older")
    owner = external.environment("older")
    restore(external, "older", source, folder)
    with external.connect("older") as asked:
        newest = asked.execute(last).fetchone()
        succeed("migrate", "privacy", "0004", **owner)
        assert asked.execute(last).fetchone() != newest
    succeed("backup", folder / "older.zip", **owner)
    restore(external, empty, folder / "older.zip", folder)
    with external.connect(empty) as asked:
        assert asked.execute(last).fetchone() == newest


# --- A backup that would lack rows is not made ----------------------------------------------------


@pytest.mark.parametrize("role", [OWNER, SITE])
def test_a_role_that_rows_are_hidden_from_is_refused_and_no_file_is_made(
    external: ExternalServer, site: str, tmp_path: Path, role: str
) -> None:
    address = external.url(role, site)
    said = refused(
        "backup",
        tmp_path / "b.zip",
        **external.environment(site) | {"DATABASE_BACKUP_URL": address},
    )
    assert f"The role {role} cannot see every row" in said
    assert "create role throughline_backup login password '…' bypassrls;" in said
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_file(external: ExternalServer, site: str, tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", str(tmp_path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small filesystem cannot be mounted here")
    try:
        said = refused("backup", tmp_path / "b.zip", **external.environment(site))
        assert "b.zip cannot be written: No space left on device" in said
        assert list(tmp_path.iterdir()) == []
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_backup_that_is_killed_leaves_the_one_before_it(
    external: ExternalServer, site: str, tmp_path: Path
) -> None:
    file = tmp_path / "b.zip"
    file.write_text("of yesterday")
    writing = subprocess.Popen(command("backup", file), **how(external.environment(site)))
    wait_for(lambda: list(tmp_path.glob("*.part-*")) or writing.poll() is not None, "a part")
    writing.send_signal(signal.SIGKILL)
    assert writing.wait() == -signal.SIGKILL
    assert file.read_text() == "of yesterday"


# --- A restore keeps every row or nothing ---------------------------------------------------------


def test_a_database_that_is_not_empty_is_left_alone_unless_it_is_said_twice(
    external: ExternalServer, site: str, source: Path
) -> None:
    before = sums(external, site)
    environment = external.environment(site)
    said = refused("restore", source, "--nothing-erased", **environment)
    assert "This database is not empty, so nothing was restored" in said
    said = refused("restore", source, "--nothing-erased", "--replace", **environment)
    assert "--replace --yes" in said
    assert sums(external, site) == before


def test_without_a_list_of_erasures_nothing_is_restored(
    external: ExternalServer, empty: str, source: Path, tmp_path: Path
) -> None:
    missing = str(tmp_path / "erased.jsonl")
    said = refused("restore", source, ERASED_LIST=missing, **external.environment(empty))
    assert f"There is no list of erasures at {missing}" in said
    assert is_empty(external, empty)


def cut(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def flip(file: Path) -> None:
    """Change one byte of the rows."""
    with zipfile.ZipFile(file) as archive:
        start = archive.getinfo("data.sql").header_offset + 2_000
    with file.open("r+b") as opened:
        opened.seek(start)
        (byte,) = opened.read(1)
        opened.seek(start)
        opened.write(bytes([byte ^ 1]))


def rewrite(file: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Change the members of a backup, whose checksums hold afterwards."""
    with zipfile.ZipFile(file) as archive:
        members = {name: change(name, archive.read(name)) for name in archive.namelist()}
    manifest = json.loads(members["manifest.json"])
    for section in manifest["sha256"]:
        manifest["sha256"][section] = hashlib.sha256(members[f"{section}.sql"]).hexdigest()
    members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def drop(name: str, words: bytes) -> Callable[[Path], None]:
    """Leave out the one line of a script that holds these words."""

    def change(member: str, content: bytes) -> bytes:
        if member != name:
            return content
        lines = content.splitlines(keepends=True)
        (gone,) = [line for line in lines if words in line]
        return content.replace(gone, b"", 1)

    return lambda file: rewrite(file, change)


def exchange(file: Path) -> None:
    """Change a script and nothing else."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["data.sql"] += b"DROP TABLE public.memory_memory;\n"
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def tell_of_the_future(file: Path) -> None:
    def change(member: str, content: bytes) -> bytes:
        if member != "manifest.json":
            return content
        manifest = json.loads(content)
        manifest["migrations"].append(["memory", "9999_telepathy"])
        return json.dumps(manifest | {"product": "9.9"}).encode()

    rewrite(file, change)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut, "is not a complete Throughline backup"),
        (flip, "is not a complete Throughline backup"),
        (exchange, "is not a complete Throughline backup"),
        (lambda file: file.write_text("PGDMP"), "is not a complete Throughline backup"),
        (Path.unlink, "No such file"),
        (tell_of_the_future, "made by version 9.9, which is newer than this one"),
    ],
    ids=["cut", "flipped", "exchanged", "another", "missing", "newer"],
)
def test_a_damaged_or_newer_file_is_refused_before_a_server_is_asked(
    source: Path, tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    file = Path(shutil.copy(source, tmp_path))
    damage(file)
    with pytest.raises(CommandError, match=words):
        call_command("restore", str(file), nothing_erased=True, stdout=StringIO())


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            drop("data.sql", b"bob@example.org\t"),
            "accounts_user does not contain the rows",
        ),
        (
            drop("post-data.sql", b"CREATE POLICY memory_memory_owner "),
            "row-level security has changed",
        ),
        (
            drop("pre-data.sql", b"ONLY public.memory_memory FORCE ROW LEVEL SECURITY"),
            "row-level security has changed",
        ),
    ],
    ids=["a person", "a policy", "a force"],
)
def test_what_lacks_anything_that_was_counted_is_not_kept(
    external: ExternalServer,
    empty: str,
    source: Path,
    tmp_path: Path,
    damage: Callable[[Path], None],
    words: str,
) -> None:
    file = Path(shutil.copy(source, tmp_path))
    damage(file)
    said = refused("restore", file, "--nothing-erased", **external.environment(empty))
    assert words in said
    assert "the database is as it was before" in said
    assert is_empty(external, empty)


def test_a_site_without_row_security_is_said_to_be_closed_for_now(
    external: ExternalServer, site: str, empty: str, tmp_path: Path
) -> None:
    with external.connect(site) as asked:
        asked.execute("alter table memory_memory no force row level security")
    try:
        succeed("backup", tmp_path / "b.zip", **external.environment(site))
    finally:
        with external.connect(site) as asked:
            asked.execute("alter table memory_memory force row level security")
    said = refused("restore", tmp_path / "b.zip", "--nothing-erased", **external.environment(empty))
    assert "Do not start the site: no row-level security protects memory_memory" in said


def test_a_restore_that_is_killed_leaves_the_database_empty(
    external: ExternalServer, empty: str, source: Path
) -> None:
    sessions = "select count(*) from pg_stat_activity where datname = %s"
    restoring = subprocess.Popen(
        command("restore", source, "--nothing-erased"), **how(external.environment(empty))
    )
    with external.connect("postgres") as asked:
        psql = f"{sessions} and application_name = 'psql'"
        wait_for(
            lambda: asked.execute(psql, [empty]).fetchone() != (0,) or restoring.poll() is not None,
            "a restore that has begun",
        )
        restoring.send_signal(signal.SIGKILL)
        assert restoring.wait() == -signal.SIGKILL
        wait_for(lambda: asked.execute(sessions, [empty]).fetchone() == (0,), "no session")
    assert is_empty(external, empty)
