"""`manage.py work`: the worker of a site without a broker; it reads jobs from the database.

PostgreSQL notifies it of new jobs (`accounts.work.notify_worker`), and it runs the tasks of
CELERY_BEAT_SCHEDULE. With a broker, Celery's worker and beat do both.
"""

import signal
import threading
import time
from argparse import ArgumentParser
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import psycopg
import structlog
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connections
from django.utils.module_loading import import_string

from accounts import work
from accounts.database.connections import listen
from config.processes import starting
from config.warming import warm_beside
from memory.core.tracing import OperationDoor, process_default

log = structlog.get_logger(__name__)

# Each scheduled task first runs at most this many seconds after the start.
FIRST_RUN_SECONDS = 300.0


class Command(BaseCommand):
    help = "Do background work until stopped, on a site without a broker"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--threads", type=int, default=2, help="how many tasks run at once")

    def handle(self, *_args: Any, threads: int, **_options: Any) -> None:
        starting.refuse(CommandError)
        # Report the heartbeat before loading models.
        work.beat()
        process_default.door = OperationDoor.WORKER
        warm_beside()
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        _run(threads, stopped)


def _run(threads: int, stopped: threading.Event) -> None:
    """Run scheduled tasks when due, and waiting jobs when notified."""
    schedule = {
        entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()
    }
    began = time.monotonic()
    due = {task: began + min(seconds, FIRST_RUN_SECONDS) for task, seconds in schedule.items()}
    due[settings.WORK_TASK] = began
    running: dict[str, list[Future[None]]] = {task: [] for task in schedule}
    announcements = _Announcements()
    with ThreadPoolExecutor(threads) as pool:
        while not stopped.is_set():
            now = time.monotonic()
            for task in [task for task, moment in due.items() if moment <= now]:
                due[task] = now + schedule[task]
                running[task] = [future for future in running[task] if not future.done()]
                # All threads run waiting jobs; a notification meanwhile causes one more run when
                # the first
                # thread is done. Other tasks run one at a time.
                most = threads + 1 if task == settings.WORK_TASK else 1
                if len(running[task]) < most:
                    running[task].append(pool.submit(_run_task, task))
            # In short waits, so that a signal is soon heeded.
            if announcements.wait(min(0.5, min(due.values()) - now), stopped):
                due[settings.WORK_TASK] = now
        announcements.close()
        pool.shutdown(cancel_futures=True)


def _run_task(task: str) -> None:
    # A failed task does not affect others, and runs again.
    try:
        import_string(task)()
    except Exception as error:
        log.exception("task_failed", task=task, error=type(error).__name__)
    finally:
        connections.close_all()


class _Announcements:
    """New work, as PostgreSQL announces it; the connection that hears is opened when needed."""

    def __init__(self) -> None:
        self._server: psycopg.Connection[Any] | None = None

    def wait(self, seconds: float, stopped: threading.Event) -> bool:
        """Wait so many seconds for new work; whether there is some."""
        try:
            self._server = self._server or listen(work.CHANNEL)
            notices = self._server.notifies(timeout=seconds, stop_after=1)
            return next(notices, None) is not None
        except psycopg.Error:
            self.close()
            stopped.wait(seconds)
            return False

    def close(self) -> None:
        """Hear no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
