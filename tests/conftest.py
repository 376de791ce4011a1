"""What every test stands on. The order matters: the settings read DATA_DIR when first imported."""

from tests import database

database.keep_bytecode()
database.use_a_directory_of_our_own()

import os

import django
import hypothesis
from django.conf import settings

# Pages name static files by their own names here; hashing and compressing them is for the site.
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
# The thread that tells of a worker would wait for the row that a test holds, and outlive the test.
settings.WORKER_HEARTBEAT_SECONDS = 80
django.setup()
# What is loaded when it is first used takes seconds; no test is about its own time.
hypothesis.settings.register_profile(
    "untimed", deadline=None, max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "100"))
)
hypothesis.settings.load_profile("untimed")

from tests.clock import pytest_runtest_setup
from tests.database import (
    django_db_keepdb,
    django_db_modify_db_settings,
    django_db_modify_db_settings_xdist_suffix,
    django_db_setup,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_unconfigure,
    pytest_xdist_auto_num_workers,
    pytest_xdist_make_scheduler,
)
from tests.live import (
    browser,
    house,
    house_with_model,
    model,
    pytest_runtest_protocol,
    pytest_terminal_summary,
)
from tests.people import (
    alice,
    alice_api,
    as_alice,
    as_bob,
    bob,
    bob_api,
    mira,
    talk,
)
from tests.process_state import forget_what_was_read

# Fixtures for people, a live server and a browser are imported above and named here.
__all__ = [
    "alice",
    "alice_api",
    "as_alice",
    "as_bob",
    "bob",
    "bob_api",
    "browser",
    "django_db_keepdb",
    "django_db_modify_db_settings",
    "django_db_modify_db_settings_xdist_suffix",
    "django_db_setup",
    "forget_what_was_read",
    "house",
    "house_with_model",
    "mira",
    "model",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_terminal_summary",
    "pytest_unconfigure",
    "pytest_xdist_auto_num_workers",
    "pytest_xdist_make_scheduler",
    "talk",
]
