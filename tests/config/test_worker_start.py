"""The worker of `up` shows that it lives before it loads its tasks and models."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

# In the worker's place: what is loaded when it leaves its first sign of life.
LOOK = """
import sys
from unittest import mock
import config.processes.worker as worker
import django
django.setup()
from accounts import work
def beat():
    print("alive", "conversations.tasks" in sys.modules, "wordllama" in sys.modules)
with mock.patch.object(work, "beat", beat), mock.patch.object(
    worker.app, "worker_main", lambda words: print("works")
):
    worker.main()
"""


@pytest.mark.slow
def test_its_first_sign_of_life_waits_for_no_task_and_no_model() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.splitlines() == ["alive False False", "works"]
