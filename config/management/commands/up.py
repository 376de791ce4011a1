"""`manage.py up`: all of Throughline in one process tree, until Ctrl-C.

This process loads only the settings: manage.py calls it before Django is set up.
"""

import http.client
import json
import os
import sys
import time
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Collection
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.processes import local, prepared, running, starting
from config.processes.embedded import Cluster, EmbeddedPostgresError
from config.processes.logs import ends_with
from config.processes.patience import (
    STILL_SECONDS,
    Patience,
    Signs,
    StandsStill,
    say,
    signs_of,
)
from config.processes.supervisor import (
    Child,
    Errand,
    Stopped,
    Supervisor,
    SupervisorError,
    check_port_is_free,
    only_one,
    run_to_end,
)
from conversations.demo.logins import LOGINS


class Command(BaseCommand):
    """Prepares the instance, starts its processes, and supervises them."""

    help = "Start the database, the worker and the web server, and keep them running"
    # `migrate` runs the checks if needed, and so does the worker when it starts.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument(
            "--demo",
            action=BooleanOptionalAction,
            help="load the demo people (default: only if no other machine can connect)",
        )

    def handle(self, *_args: Any, host: str, demo: bool | None, **_options: Any) -> None:
        """Run until a signal. Raises CommandError with the reason if something cannot start."""
        # Demo passwords are public, so the instance has to be local.
        if demo is None:
            demo = settings.EMBEDDED and not starting.is_public(settings.ALLOWED_HOSTS, host)
        starting.refuse(CommandError, host, demo=demo)
        # Files written by this process and its children are private to the user.
        os.umask(0o077)
        address = f"http://{_reachable(host)}:{settings.PORT}/"
        copy = running.Copy(settings.DATA_DIR, address, settings.EMBEDDED)
        try:
            settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
            with only_one(settings.DATA_DIR, address), running.announced(copy):
                check_port_is_free(host, settings.PORT)
                _run(host, address, demo)
        except (SupervisorError, EmbeddedPostgresError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(local.unusable(settings.DATA_DIR, error)) from error


def _run(host: str, address: str, demo: bool) -> None:
    cluster = Cluster(settings.DATA_DIR) if settings.EMBEDDED else None
    supervisor = Supervisor(_children(host, demo=demo), cluster)
    health = _Health(address)
    try:
        with supervisor.listening():
            _prepare(cluster, demo)
            _wait_until_ready(supervisor, health)
            writing = demo and (cluster is None or prepared.is_demo_expected(cluster))
            _greet(address, demo, writing=writing)
            if writing:
                supervisor.children.append(_demo())
            supervisor.run()
    except Stopped:
        say("Stopping ...")
    finally:
        supervisor.stop()
    say("Stopped.")


def _wait_until_ready(supervisor: Supervisor, health: "_Health") -> None:
    """Start everything, and wait until `/healthz` succeeds. Raises SupervisorError."""

    def signs() -> Signs:
        waited_for = [child for child in supervisor.children if child.name in health.missing]
        pids, logs = [child.pid for child in waited_for], [child.log for child in waited_for]
        if supervisor.cluster is not None:
            pids.append(supervisor.cluster.pid() or 0)
        return signs_of(pids, logs)

    patience = Patience("starting", signs, state=lambda: f"Its last report: {health.last}")
    try:
        supervisor.run(until=health, starting=patience)
    except StandsStill as error:
        ends = "".join(ends_with(child.log) for child in supervisor.children)
        raise SupervisorError(f"{error}{ends}") from None


def _children(host: str, *, demo: bool) -> list[Child]:
    logs = settings.DATA_DIR / "logs"
    # E-mails (with password links) are private to the user. The database's system user
    # logs to the same directory, so it needs to pass through, but not to list it.
    for directory, mode in ((logs, 0o711), (settings.DATA_DIR / "mail", 0o700)):
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(mode)
    if not settings.EMBEDDED:
        settings.DATA_DIR.chmod(0o700)
    # Children start in the project's directory, where a relative DATA_DIR would differ.
    here = {"DATA_DIR": str(settings.DATA_DIR), "PYTHONUNBUFFERED": "1"}
    here["DEMO"] = str(demo).lower()
    # This worker reads jobs from the database, whatever broker the environment has.
    here["BROKER_URL"] = ""
    web = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--host", host]
    web += ["--port", str(settings.PORT), "--no-access-log", "--lifespan", "off"]
    web += ["--http", "config.processes.bounded_http:BoundedHttpProtocol"]
    # Trust addresses from proxy headers only if PROXIES says that there is one.
    web += ["--timeout-graceful-shutdown", "2", "--no-proxy-headers"]
    worker = [sys.executable, "manage.py", "work"]
    return [
        Child("web", web, logs / "web.log", here),
        Child("worker", worker, logs / "worker.log", here),
    ]


def _demo() -> Errand:
    log = settings.DATA_DIR / "logs" / "demo.log"
    words = [sys.executable, "manage.py", "demo", "--beside"]
    return Errand("demo", words, log, {"DATA_DIR": str(settings.DATA_DIR)})


def _prepare(cluster: Cluster | None, demo: bool) -> None:
    """Run `manage.py prepare` in its own process before the others start."""
    if cluster is not None:
        if not cluster.directory.exists():
            say("Creating the database ...")
        cluster.start()
        cluster.provision()
        if prepared.is_done(cluster, demo=demo):
            return
    words = [sys.executable, "manage.py", "prepare", *(["--demo"] if demo else [])]
    log = settings.DATA_DIR / "logs" / "prepare.log"

    def watched_by(pid: int) -> Patience:
        def signs() -> Signs:
            return signs_of([pid, (cluster.pid() if cluster else 0) or 0], [log])

        # A remote server may migrate a large table for hours without local signs of progress.
        still = STILL_SECONDS if cluster is not None else float("inf")
        state = partial(prepared.how_far, cluster) if cluster is not None else str
        return Patience("preparing", signs, state=state, still_seconds=still, log=log)

    environment = {"DATA_DIR": str(settings.DATA_DIR)}
    try:
        code = run_to_end(words, environment, log, watched_by)
    except StandsStill as error:
        raise SupervisorError(str(error)) from None
    if code:
        # The child has printed why.
        raise SystemExit(code if code > 0 else 1)
    if cluster is not None:
        prepared.remember(cluster, demo=demo)


class _Health:
    """Queries `/healthz` and remembers the result. A full disk counts as healthy."""

    PARTS = ("web", "database", "worker")

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("http://").rstrip("/").rpartition(":")
        self.host, self.port = host.strip("[]"), int(port)
        self.last = "nothing yet"
        # The parts that are not up yet.
        self.missing: Collection[str] = ("web",)
        self._not_before = 0.0
        self._connect = http.client.HTTPConnection

    def __call__(self) -> bool:
        """Return whether all parts are up; the last result if called too soon."""
        began = time.monotonic()
        if began >= self._not_before:
            self._ask()
            # Poll rarely enough not to load a slow machine.
            self._not_before = time.monotonic() + 3 * (time.monotonic() - began)
        return not self.missing

    def _ask(self) -> None:
        connection = self._connect(self.host, self.port, timeout=60)
        try:
            connection.request("GET", "/healthz")
            report = json.loads(connection.getresponse().read(2000))
        except (OSError, ValueError, http.client.HTTPException):
            return
        finally:
            connection.close()
        self.missing = [part for part in self.PARTS if report.get(part) != "ok"]
        self.last = "; ".join(f"{part} {report.get(part)}" for part in self.PARTS)


def _greet(address: str, demo: bool, *, writing: bool) -> None:
    lines = ["", f"Throughline is running at {address}"]
    if demo:
        lines += ["", "Sign in as"]
        lines += [f"  {email}   password {password}   {what}" for email, password, what in LOGINS]
        if writing:
            lines += [
                "Their conversations are still being written. A line on each page says so until "
                "they are done."
            ]
    lines += ["", _about_the_model(), f"Logs are in {settings.DATA_DIR / 'logs'}"]
    lines += ["Ctrl-C stops everything.", ""]
    say("\n".join(lines))


def _about_the_model() -> str:
    if settings.OPENAI_BASE_URL:
        return f"Language model: {settings.CHAT_MODEL} at {settings.OPENAI_BASE_URL}"
    if settings.OPENAI_API_KEY:
        return f"Language model: {settings.CHAT_MODEL}"
    return (
        "Language model: none in the environment. Answers come from memory alone; "
        "staff connect one in the app, or set OPENAI_API_KEY or OPENAI_BASE_URL."
    )


def _reachable(host: str) -> str:
    """Return the host for URLs of a server that listens on `host`."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - asked about, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
