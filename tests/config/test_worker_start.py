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
import django
django.setup()
from django.core.management import call_command
from accounts import work
from config.management.commands import work as command
def beat():
    print("alive", "conversations.tasks" in sys.modules, "wordllama" in sys.modules)
with mock.patch.object(work, "beat", beat), mock.patch.object(
    command, "_run", lambda *_: print("works")
):
    call_command("work")
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
