"""The embedded PostgreSQL: it comes up from whatever state it was left in, and really goes away."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.processes import embedded
from config.processes.embedded import Cluster, EmbeddedPostgresError

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


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


def test_starting_twice_is_quiet_and_keeps_the_same_server(
    cluster: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    cluster.start()
    cluster.provision()
    first = cluster.status()
    cluster.start()
    cluster.provision()
    assert first.running
    assert cluster.status() == first
    assert capfd.readouterr().err == ""


def test_the_application_has_its_role_its_database_and_vectors(cluster: Cluster) -> None:
    cluster.start()
    cluster.provision()
    with connect(cluster) as connection:
        assert connection.execute("SELECT '[1,2]'::vector <-> '[1,2]'").fetchone() == (0.0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE DATABASE another")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SET ROLE postgres")


def test_powers_given_to_the_application_by_hand_are_taken_back(cluster: Cluster) -> None:
    cluster.start()
    cluster.provision()
    with connect(cluster, embedded.OWNER_ROLE) as connection:
        connection.execute("ALTER ROLE throughline BYPASSRLS")
        cluster.provision()
        row = connection.execute("SELECT rolbypassrls FROM pg_roles WHERE rolname='throughline'")
        assert row.fetchone() == (False,)


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


def test_a_path_too_long_for_a_socket_gets_a_short_private_place(place: Path) -> None:
    cluster = Cluster(place / ("long" * 30) / "data", fast=True)
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


def test_a_path_with_spaces_quotes_and_commas_works(place: Path) -> None:
    cluster = Cluster(place / "it's a, \u00e9 place", fast=True)
    try:
        cluster.start()
        cluster.provision()
        with connect(cluster) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        cluster.stop()


def test_stopping_really_stops_and_may_be_done_twice(cluster: Cluster) -> None:
    cluster.start()
    pid = cluster.pid()
    connection = psycopg.connect(
        host=str(cluster.socket_dir), user=embedded.OWNER_ROLE, dbname="postgres"
    )
    cluster.stop()
    assert not lives(pid)
    assert cluster.status() == (False, None, cluster.socket_dir)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    connection.close()
    cluster.stop()


def test_a_cut_off_creation_is_begun_again(cluster: Cluster) -> None:
    draft = cluster.data_dir / "postgres.new"
    draft.mkdir(parents=True)
    (draft / "half").write_text("")
    cluster.start()
    assert cluster.status().running
    assert not draft.exists()


def test_a_server_that_cannot_start_shows_what_its_log_says(cluster: Cluster) -> None:
    cluster.start()
    cluster.stop()
    with (cluster.directory / "postgresql.conf").open("a") as file:
        file.write("no_such_setting = on\n")
    with pytest.raises(EmbeddedPostgresError, match=r"no_such_setting"):
        cluster.start()


def test_what_people_wrote_stays_out_of_the_server_log(cluster: Cluster) -> None:
    cluster.start()
    cluster.provision()
    with connect(cluster, embedded.OWNER_ROLE) as connection:
        connection.execute("CREATE TABLE note (body text CHECK (body = ''))")
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("INSERT INTO note VALUES ('my secret')")
    assert "my secret" not in cluster.log.read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_ordinary_user_has_a_cluster_beside_that_of_root(cluster: Cluster, place: Path) -> None:
    cluster.start()
    theirs = place / "theirs"
    theirs.mkdir()
    place.chmod(0o755)
    os.chown(theirs, 65534, 65534)
    result = run_as(
        65534,
        f"cluster = Cluster(Path({str(theirs)!r}), fast=True);"
        "cluster.start(); cluster.provision(); assert cluster.status().running;"
        "cluster.stop(); assert not cluster.status().running",
    )
    assert result.returncode == 0, result.stderr
    assert (theirs / "postgres").stat().st_uid == 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_user_without_a_name_is_told_what_to_do(place: Path) -> None:
    place.chmod(0o777)
    result = run_as(54321, f"Cluster(Path({str(place / 'data')!r})).start()")
    assert "useradd --uid 54321" in result.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can open other people's directories")
def test_a_closed_directory_above_is_opened_for_passing_only(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    cluster = Cluster(closed / "data", fast=True)
    try:
        cluster.start()
    finally:
        cluster.stop()
    assert closed.stat().st_mode & 0o777 == 0o701
    assert f"chmod o+x {place} {closed}\n" in capfd.readouterr().out


def lives(pid: int | None) -> bool:
    """Whether the process runs; one that has ended may wait a while to be collected."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False


def as_user(uid: int, gid: int) -> dict[str, Any]:
    return {"user": uid, "group": gid, "extra_groups": []} if os.geteuid() == 0 else {}


def run_as(uid: int, code: str) -> "subprocess.CompletedProcess[str]":
    """Run a little Python as another user, with the modules of this one."""
    program = (
        "import sys; from pathlib import Path; from config.processes.embedded import Cluster; "
        + code
    )
    modules = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    return subprocess.run(
        [interpreter(), "-c", program],
        cwd="/",
        env={"PYTHONPATH": os.pathsep.join(modules), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        **as_user(uid, uid),
    )


def interpreter() -> str:
    """A Python of this version that anybody may run: root's own may lie in root's home."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (sys.executable, shutil.which(version, path="/usr/local/bin:/usr/bin")):
        if path and all(above.stat().st_mode & 0o001 for above in Path(path).resolve().parents):
            return path
    pytest.skip("this Python lies where only root can run it")
