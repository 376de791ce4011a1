"""Celery's beat as a process of its own: `celery -A config.processes.beat beat`.

It sends the names of tasks and does none, so it needs the settings and neither models nor tasks.
Apart from the worker it is watched, and started again, by itself.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging
from django.conf import settings
from django.utils.log import configure_logging

from config.processes import starting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Without the fixup for Django, which would load every application.
app = Celery("throughline", fixups=[])
app.config_from_object("django.conf:settings", namespace="CELERY")
# No clock for a copy that its web server would refuse to serve.
beat_init.connect(starting.exit_if_unsafe)


@setup_logging.connect
def log_as_the_site_does(**_: Any) -> None:
    """Having a receiver keeps Celery from setting up logs of another shape."""
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
