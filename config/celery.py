"""The Celery application of a site with a broker (REDIS_URL or BROKER_URL).

How work is queued, claimed and retried is described in `accounts.work`; a message of Celery's only
wakes a worker. A site without a broker runs `manage.py work` instead.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init, setup_logging, worker_process_init, worker_ready
from django.conf import settings
from django.utils.log import configure_logging

from config.processes import starting
from config.processes.supervisor import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("throughline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Nobody asks a worker questions over the broker: its heartbeat and its rows are in the database.
app.conf.worker_enable_remote_control = False


@celeryd_init.connect
@beat_init.connect
def refuse(**_: Any) -> None:
    """Exit where the web server would refuse to serve, or where there is no broker."""
    starting.refuse(SystemExit)
    if not settings.CELERY_BROKER_URL:
        raise SystemExit(
            "There is no broker. Run `manage.py work`, or set REDIS_URL or BROKER_URL."
        )


@setup_logging.connect
def log_as_the_site_does(**_: Any) -> None:
    """Having a receiver keeps Celery from replacing the LOGGING of the settings."""
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


@worker_ready.connect
def take_up_what_was_left(**_: Any) -> None:
    """Look for waiting work at once, the first sweep is a while away; and load what it needs."""
    # Not sooner: the applications are not there when the settings name this module.
    from config.warming import warm_beside
    from memory.core.tracing import OperationDoor, process_default

    process_default.door = OperationDoor.WORKER
    warm_beside()
    app.send_task(settings.WORK_TASK, expires=10)


@worker_process_init.connect
def end_with_the_worker(**_: Any) -> None:
    """A worker that is killed leaves no process behind."""
    die_with_parent()
