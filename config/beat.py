"""What rings for work that is due: `celery -A config.beat beat` rings for what is due, as a process of its own.

It sends names of tasks and does none, so it needs the settings and neither models nor tasks. Apart
from the worker it can be watched and started again by itself.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Without the fixup for Django, which would load every application.
app = Celery("throughline", fixups=[])
app.config_from_object("django.conf:settings", namespace="CELERY")
