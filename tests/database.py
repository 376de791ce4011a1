"""The database of a test run: a throw-away cluster that nothing of the person's own touches.

The tables are made by the owner, then the tests run as the application's role. So row-level
security is in force in every test, as it is on the site.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

# Where the cluster of this process lies, for the processes that it starts.
VARIABLE = "THROUGHLINE_TEST_DATA_DIR"
# Where what all processes of a run share lies: the directory of the one that started first.
SHARED_VARIABLE = "THROUGHLINE_TEST_SHARED_DIR"
PREFIX = "throughline-tests-"
# So many partitions each big table has, where the tests are to run on a divided database.
PARTITIONS = int(os.environ.get("THROUGHLINE_TEST_PARTITIONS", "0"))
BYTECODE = Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode"
# Set in each worker of pytest-xdist, which is a run of its own: it shares no server, no role, no
# queue and no file with its neighbour. What starts them runs no test.
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def use_a_directory_of_our_own() -> None:
    """Point the settings at a temporary place. Must run before anything imports them."""
    if "config.settings" in sys.modules:
        raise pytest.UsageError(
            "The settings were read before the tests could choose a place for their data. Unset "
            "DJANGO_SETTINGS_MODULE, in the environment and in the pytest options: "
            "tests/conftest.py sets it."
        )
    if IS_WORKER or VARIABLE not in os.environ:
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
        _directory().chmod(0o711)  # under root the server runs as somebody else
    if not IS_WORKER:
        os.environ[SHARED_VARIABLE] = os.environ[VARIABLE]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": os.environ[VARIABLE],
        # Empty, not absent: a .env file fills in only what is absent.
        **dict.fromkeys(("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EMAIL_URL"), ""),
        **dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "SECRET_KEY"), ""),
        "BROKER_URL": "",
        "DEBUG": "false",
    }


def keep_bytecode() -> None:
    """Compile each module once for all processes of a run, of which there are dozens.

    A shell that wants no bytecode beside the sources gets none there.
    """
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode = False
        sys.pycache_prefix = str(BYTECODE)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix


def pytest_configure(config: pytest.Config) -> None:
    """Clear up after killed runs. No server starts before a test asks for the database."""
    if not IS_WORKER:
        _remove_leftovers()
    if _only_starts_workers(config):
        # Each of them chooses its own place before it reads the settings.
        del os.environ["DJANGO_SETTINGS_MODULE"]


def pytest_unconfigure(config: pytest.Config) -> None:
    from config.processes.embedded import Cluster

    Cluster(_directory()).stop()
    shutil.rmtree(_directory(), ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: the one with the browser waits for pages half of its time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal out whole files, and all walks in a browser to one worker.

    They share two houses, each with servers of its own, and one window at a time is less to do for
    two cores.
    """
    from xdist.scheduler import LoadFileScheduling

    # In the order below, not by how many tests a file has: the longest have few.
    config.option.loadscopereorder = False

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = str(super()._split_scope(nodeid))
            return "browser" if _in_a_browser(file) else file

    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files when workers share tests: at the end one leaves others idle."""
    if IS_WORKER:
        items.sort(
            key=lambda item: (not _in_a_browser(item.path.name), _starts_no_site(item.nodeid))
        )


def _starts_no_site(nodeid: str) -> bool:
    return not nodeid.startswith(("tests/walks/", "tests/benchmarks/"))


def _in_a_browser(file: str) -> bool:
    return file.endswith("_browser.py")


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the test database to the end: it goes with its cluster."""
    return True


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix() -> None:
    """Name the test database alike in all workers, each of which has a cluster of its own."""


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Start the cluster; make the test database as its owner."""
    from config import grants
    from config.processes.embedded import Cluster

    cluster = Cluster(_directory(), fast=True)
    if IS_WORKER:
        with django_db_blocker.unblock():
            _take_tables_of_the_first(cluster)
    cluster.start()
    cluster.provision()
    with grants.as_owner():
        yield


def _take_tables_of_the_first(cluster: Any) -> None:
    """Copy the cluster of the worker that came first, which alone runs the migrations."""
    from django.db import connection

    from config import grants

    first, own = shared_directory() / "tables", _directory() / "postgres"
    with (shared_directory() / "tables.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not first.exists():
            cluster.start()
            cluster.provision()
            name = connection.settings_dict["NAME"]
            with grants.as_owner():
                connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
                connection.creation.destroy_test_db(name, verbosity=0, keepdb=True)
            cluster.stop()
            subprocess.run(["cp", "-a", "--reflink=auto", str(own), str(first)], check=True)
            return
    subprocess.run(["cp", "-a", "--reflink=auto", str(first), str(own)], check=True)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Once it is made, connect as the application does."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from config import grants

    with django_db_blocker.unblock():
        if PARTITIONS:
            call_command("partition", "--partitions", str(PARTITIONS), verbosity=0)
        allow_emptying(connection)
    owner = {key: connection.settings_dict[key] for key in grants.KEYS}
    grants.switch(connection, {"USER": settings.DATABASE_APP_ROLE, "PASSWORD": ""})
    yield
    grants.switch(connection, owner)


def allow_emptying(connection: Any) -> None:
    """A transactional test empties the tables behind itself, which the site never does.

    Afterwards Django writes down anew which rights and kinds of rows there are.
    """
    from django.conf import settings

    from config import grants

    grants.grant(connection, "TRUNCATE")
    with connection.cursor() as cursor:
        cursor.execute(
            "GRANT INSERT, UPDATE, DELETE ON auth_permission, django_content_type "
            f"TO {settings.DATABASE_APP_ROLE}"
        )


def _directory() -> Path:
    return Path(os.environ[VARIABLE])


def shared_directory() -> Path:
    """A place that all workers of this run see, gone with it."""
    return Path(os.environ[SHARED_VARIABLE])


def _only_starts_workers(config: pytest.Config) -> bool:
    return not IS_WORKER and bool(config.getoption("numprocesses", None))


def _remove_leftovers() -> None:
    """Stop and delete the cluster of a test run that was killed."""
    from config.processes.embedded import Cluster, EmbeddedPostgresError

    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = path.name.removeprefix(PREFIX).split("-")[0]
        if Path("/proc", owner).exists() or path.stat().st_uid != os.geteuid():
            continue
        try:
            Cluster(path).stop()
        except EmbeddedPostgresError:
            continue
        shutil.rmtree(path, ignore_errors=True)
