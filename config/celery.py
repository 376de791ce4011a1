"""The Celery application of a site with a broker (REDIS_URL or BROKER_URL).

Jobs are rows, see `accounts.work`; a Celery message only wakes a worker. Without a broker,
`manage.py work` is the worker.
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
# Workers need no remote control: heartbeat and jobs are in the database.
app.conf.worker_enable_remote_control = False


@celeryd_init.connect
@beat_init.connect
def refuse(**_: Any) -> None:
    """Exit if the web server would refuse to start, or there is no broker."""
    starting.refuse(SystemExit)
    if not settings.CELERY_BROKER_URL:
        raise SystemExit(
            "There is no broker. Run `manage.py work`, or set REDIS_URL or BROKER_URL."
        )


@setup_logging.connect
def log_as_the_site_does(**_: Any) -> None:
    """Do nothing: a connected receiver keeps Celery from replacing the LOGGING of the settings."""
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


@worker_ready.connect
def take_up_what_was_left(**_: Any) -> None:
    """Load models and run waiting jobs at once, before the first scheduled sweep."""
    # Imported late: applications are not loaded when the settings import this module.
    from config.warming import warm_beside
    from memory.core.tracing import OperationDoor, process_default

    process_default.door = OperationDoor.WORKER
    warm_beside()
    app.send_task(settings.WORK_TASK, expires=10)


@worker_process_init.connect
def end_with_the_worker(**_: Any) -> None:
    """Make child processes end with a killed worker."""
    die_with_parent()
