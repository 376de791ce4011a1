"""The embedded PostgreSQL: it comes up from whatever state it was left in, and really goes away."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.processes import embedded
from config.processes.embedded import Cluster, EmbeddedPostgresError

pytestmark = pytest.mark.slow


@pytest.fixture
def place() -> Iterator[Path]:
    """A short path: pytest's own temporary directories are too long for a socket."""
    with tempfile.TemporaryDirectory(prefix="tl-") as path:
        yield Path(path)


@pytest.fixture
def cluster(place: Path) -> Iterator[Cluster]:
    cluster = Cluster(place / "data", fast=True)
    yield cluster
    cluster.stop()


def connect(cluster: Cluster, role: str = embedded.APP_ROLE) -> "psycopg.Connection[Any]":
    login = embedded.database(cluster.data_dir)
    return psycopg.connect(
        host=login["HOST"], port=login["PORT"], dbname=login["NAME"], user=role, autocommit=True
    )


def kill(cluster: Cluster) -> None:
    pid = cluster.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def test_the_application_has_its_role_its_database_and_vectors(cluster: Cluster) -> None:
    cluster.start()
    cluster.provision()
    with connect(cluster) as connection:
        assert connection.execute("SELECT '[1,2]'::vector <-> '[1,2]'").fetchone() == (0.0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE DATABASE another")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SET ROLE postgres")
    with connect(cluster, embedded.OWNER_ROLE) as connection:
        # Powers that were given by hand are taken back, and no value stands in the log.
        connection.execute("ALTER ROLE throughline BYPASSRLS")
        cluster.provision()
        row = connection.execute("SELECT rolbypassrls FROM pg_roles WHERE rolname='throughline'")
        assert row.fetchone() == (False,)
        connection.execute("CREATE TABLE note (body text CHECK (body = ''))")
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("INSERT INTO note VALUES ('my secret')")
    assert "my secret" not in cluster.log.read_text()


def test_a_killed_server_comes_back_with_every_committed_row(place: Path) -> None:
    cluster = Cluster(place / "data")
    try:
        cluster.start()
        cluster.provision()
        with connect(cluster, embedded.OWNER_ROLE) as connection:
            connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
            kill(cluster)
        cluster.start()
        with connect(cluster, embedded.OWNER_ROLE) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (1000,)
    finally:
        cluster.stop()


def test_a_pid_file_that_names_somebody_else_is_no_obstacle(cluster: Cluster) -> None:
    cluster.start()
    pid_file = cluster.directory / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    kill(cluster)
    # Somebody else of the same system user, whom PostgreSQL by itself would take for a server.
    owner = cluster.directory.stat()
    other = subprocess.Popen(["sleep", "60"], **as_user(owner.st_uid, owner.st_gid))
    try:
        pid_file.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
        assert not cluster.status().running
        assert cluster.pid() is None
        cluster.stop()
        assert other.poll() is None
        cluster.start()
        assert cluster.status().running
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_long_path_of_any_characters_gets_a_short_private_place(place: Path) -> None:
    cluster = Cluster(place / "it's a, \u00e9 place" / ("long" * 30) / "data", fast=True)
    short = Path(embedded.database(cluster.data_dir)["HOST"])
    assert short == Path(embedded.database(cluster.data_dir)["HOST"])
    try:
        cluster.start()
        cluster.provision()
        with connect(cluster) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert short.stat().st_mode & 0o777 == 0o700
    finally:
        cluster.stop()
    assert not short.exists()


def test_a_short_place_that_belongs_to_somebody_else_is_not_used(place: Path) -> None:
    cluster = Cluster(place / ("long" * 30) / "data", fast=True)
    cluster.socket_dir.mkdir()
    cluster.socket_dir.chmod(0o777)
    try:
        with pytest.raises(EmbeddedPostgresError, match=r"only .* can enter"):
            cluster.start()
    finally:
        cluster.socket_dir.rmdir()


def test_a_cut_off_creation_is_begun_again(cluster: Cluster) -> None:
    draft = cluster.data_dir / "postgres.new"
    draft.mkdir(parents=True)
    (draft / "half").write_text("")
    cluster.start()
    assert cluster.status().running
    assert not draft.exists()


def as_user(uid: int, gid: int) -> dict[str, Any]:
    return {"user": uid, "group": gid, "extra_groups": []} if os.geteuid() == 0 else {}
