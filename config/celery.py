"""The Celery application: it wakes the worker for work that rows of the database describe."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, setup_logging, worker_process_init, worker_ready

from config.processes import starting
from config.processes.supervisor import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("throughline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Nobody asks a worker questions over the broker: its heartbeat and its rows are in the database.
app.conf.worker_enable_remote_control = False
# No worker for a copy that its web server would refuse to serve.
celeryd_init.connect(starting.exit_if_unsafe)


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Having a receiver keeps Celery from replacing the LOGGING of the settings."""


@worker_ready.connect
def take_up_what_was_left(**_: Any) -> None:
    """Look for waiting work at once, the first sweep is a while away; and load what it needs."""
    # Not sooner: the applications are not there when the settings name this module.
    from config.warming import warm_beside
    from memory.core import OperationDoor, process_default

    process_default.door = OperationDoor.WORKER
    warm_beside()
    app.send_task("conversations.tasks.do_waiting_work", expires=10)


@worker_process_init.connect
def end_with_the_worker(**_: Any) -> None:
    """A worker that is killed leaves no process behind."""
    die_with_parent()
