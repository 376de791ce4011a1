"""The production start table: what a copy for others must not start with, at every real start."""

import os
import runpy
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from config.processes.starting import faults

KEY = "q7Zk2vT9-xW4mB8nR1sJ6dL3fH5gP0aYcEoUiKtQwMzXrVbNhSd"
LOCAL = ["localhost", "127.0.0.1", "[::1]"]
SITE = ["notes.example.org"]
WILDCARD, DEBUG, WEAK_KEY = "config.E001", "config.E002", "config.E003"
PUBLIC_DEMO_PEOPLE = "config.E004"


@pytest.mark.parametrize(
    ("debug", "key", "hosts", "embedded", "listen", "refused"),
    [
        # On one's own machine.
        (False, KEY, LOCAL, True, "127.0.0.1", []),
        (True, KEY, LOCAL, True, "127.0.0.1", []),
        (True, KEY, [*LOCAL, "notes.localhost"], True, "localhost", []),
        (False, KEY, ["*"], True, "127.0.0.1", [WILDCARD]),
        # `up` for others.
        (False, KEY, SITE, True, "0.0.0.0", []),
        (True, KEY, LOCAL, True, "0.0.0.0", [DEBUG]),
        (False, "short", LOCAL, True, "0.0.0.0", [WEAK_KEY]),
        # A server with a database of its own.
        (False, KEY, SITE, False, "", []),
        (True, KEY, SITE, False, "", [DEBUG]),
        (True, KEY, LOCAL, False, "", []),
        (False, KEY, ["*"], False, "", [WILDCARD]),
        (False, KEY, ["."], False, "", [WILDCARD]),
        (False, "a", SITE, False, "", [WEAK_KEY]),
        (False, "ab" * 40, SITE, False, "", [WEAK_KEY]),
        (False, f"django-insecure-{KEY}", SITE, False, "", [WEAK_KEY]),
        (True, "a", ["*"], False, "", [WILDCARD, DEBUG, WEAK_KEY]),
    ],
)
def test_the_production_start_table(
    debug: bool, key: str, hosts: list[str], embedded: bool, listen: str, refused: list[str]
) -> None:
    found = faults(debug=debug, secret_key=key, hosts=hosts, embedded=embedded, listen=listen)
    assert [reason.id for reason in found] == refused
    assert all(reason.hint for reason in found)
    assert key not in "".join(str(reason) for reason in found) or key == "a"


def test_a_command_that_checks_is_refused_with_the_reason(settings: Settings) -> None:
    settings.DEBUG, settings.ALLOWED_HOSTS = True, SITE
    with pytest.raises(SystemCheckError, match="DEBUG is on"):
        call_command("check")


PUBLIC_DEMO = [
    (["--demo", "--host", "0.0.0.0"], LOCAL),
    (["--demo"], [*LOCAL, "notes.example.org"]),
    (["--demo"], ["203.0.113.9"]),
]


@pytest.mark.parametrize(("words", "hosts"), PUBLIC_DEMO, ids=str)
def test_the_demo_people_are_refused_where_others_can_reach_the_copy(
    words: list[str], hosts: list[str], settings: Settings, tmp_path: Path
) -> None:
    settings.ALLOWED_HOSTS, settings.DATA_DIR = hosts, tmp_path / "data"
    settings.SECRET_KEY = KEY
    with pytest.raises(CommandError, match="The demo accounts can sign in and others can reach"):
        call_command("up", *words)
    assert not settings.DATA_DIR.exists()


@pytest.mark.parametrize(
    ("demo", "hosts", "listen", "refused"),
    [
        (True, LOCAL, "127.0.0.1", []),
        (True, SITE, "", [PUBLIC_DEMO_PEOPLE]),
        (True, LOCAL, "0.0.0.0", [PUBLIC_DEMO_PEOPLE]),
        (False, SITE, "0.0.0.0", []),
    ],
)
def test_every_start_asks_whether_the_demo_people_may_come_in(
    demo: bool, hosts: list[str], listen: str, refused: list[str]
) -> None:
    found = faults(
        debug=False, secret_key=KEY, hosts=hosts, embedded=True, demo=demo, listen=listen
    )
    assert [reason.id for reason in found] == refused


PROGRAMS = {
    "gunicorn": ["-m", "gunicorn", "config.asgi", "-k", "asgi", "--bind", "127.0.0.1:0"],
    "worker": ["-m", "celery", "-A", "config", "worker", "--concurrency", "1"],
    "worker of up": ["manage.py", "work"],
    "beat": ["-m", "celery", "-A", "config", "beat", "--schedule", "{data}/schedule"],
    "up": ["manage.py", "up", "--host", "0.0.0.0"],
}


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_real_start_is_refused(program: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": "postgres://throughline@127.0.0.1:1/none",
        "SECRET_KEY": "a",
        "ALLOWED_HOSTS": "*",
        "DEBUG": "1",
        "DEMO": "1",
    }
    ended = subprocess.run(
        [sys.executable, *(word.format(data=tmp_path) for word in PROGRAMS[program])],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode != 0
    for reason in ("ALLOWED_HOSTS accepts every name", "DEBUG is on", "SECRET_KEY has 1 char"):
        assert reason in ended.stdout + ended.stderr
    # `up` says itself whether they may come in.
    refused = "The demo accounts can sign in" in ended.stdout + ended.stderr
    assert refused is (program != "up")


@pytest.mark.slow
def test_a_site_set_up_as_the_guide_says_has_nothing_to_complain_about(tmp_path: Path) -> None:
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": "postgres://throughline@127.0.0.1:1/none",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "ALLOWED_HOSTS": "notes.example.org",
        "EMAIL_URL": "smtp://127.0.0.1:25",
        "DEBUG": "0",
    }
    ended = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert "no issues" in ended.stdout, ended.stderr
    assert ended.returncode == 0


def test_a_site_behind_tls_is_reached_by_it_alone_and_for_a_year(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://throughline@db/throughline")
    monkeypatch.setenv("SECRET_KEY", "x" * 50)
    monkeypatch.delenv("BEHIND_TLS", raising=False)
    made = runpy.run_path(str(settings.BASE_DIR / "config" / "settings.py"))
    for name in ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"):
        assert made[name] is True
    assert made["SECURE_HSTS_SECONDS"] >= 365 * 24 * 3600
    assert made["MODEL_PRIVATE_ADDRESSES"] is False
