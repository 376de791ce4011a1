"""What `manage.py up` starts: the web server, as it is told to run."""

import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as our_settings
from pytest_django import Settings

from config.management.commands import up
from config.processes.supervisor import Child
from config.processes.system_user import SystemUser
from tests.live import free_port

FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}


@pytest.fixture
def web(settings: Settings, tmp_path: Path) -> list[str]:
    """The command that starts the web server, with an application that tells who asks it."""
    settings.DATA_DIR = tmp_path
    settings.PORT = free_port()
    server = next(child for child in up._children("127.0.0.1", demo=True) if child.name == "web")
    assert "config.asgi:application" in server.command
    return [
        "tests.fakes.telling:application" if word == "config.asgi:application" else word
        for word in server.command
    ]


@contextmanager
def running(command: list[str]) -> Iterator[None]:
    process = subprocess.Popen(command, cwd=our_settings.BASE_DIR, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def asked_through_a_proxy() -> Any:
    url = f"http://127.0.0.1:{our_settings.PORT}/"
    until = time.monotonic() + 300
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=FORWARDED)) as answer:
                return json.load(answer)
        except urllib.error.URLError:
            assert time.monotonic() < until, "the web server did not start"
            time.sleep(0.05)


@pytest.mark.slow
def test_the_web_server_believes_nobody_who_forwards_a_visit(web: list[str]) -> None:
    with running(web):
        assert asked_through_a_proxy() == ["127.0.0.1", "http"]


@pytest.mark.parametrize("demo", [True, False])
def test_what_it_starts_is_told_whether_demo_people_come_in(
    settings: Settings, tmp_path: Path, demo: bool
) -> None:
    settings.DATA_DIR = tmp_path
    children = up._children("127.0.0.1", demo=demo)
    assert {child.environment["DEMO"] for child in children} == {str(demo).lower()}


def test_what_a_child_logs_is_for_its_owner_alone(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    log.touch(mode=0o644)
    child = Child("web", ["true"], log, {})
    child.start()
    child.stop(5)
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("before", "after"), [(0o755, 0o700), (0o711, 0o700), (0o1777, 0o1777)])
def test_a_directory_of_ours_is_shut_and_one_of_everybody_is_not(
    tmp_path: Path, before: int, after: int
) -> None:
    tmp_path.chmod(before)
    SystemUser(os.geteuid(), os.getegid(), "me").close(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == after
