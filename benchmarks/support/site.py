"""A throw-away site: an embedded database of its own in a temporary folder."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def site() -> Iterator[None]:
    """Start a database with all tables, point Django at it, and leave nothing of it behind.

    Must be entered before anything imports the settings.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"throughline-benchmark-{os.getpid()}-"))
    folder.chmod(0o711)  # under root the server runs as somebody else
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(folder),
        # Empty, not absent: a .env file fills in only what is absent.
        **dict.fromkeys(("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EMAIL_URL"), ""),
        **dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "SECRET_KEY"), ""),
        "BROKER_URL": "filesystem://",
        "DEBUG": "false",
    }
    from config.processes.embedded import Cluster

    cluster = Cluster(folder)
    try:
        cluster.start()
        cluster.provision()
        _tables()
        yield
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _tables() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
