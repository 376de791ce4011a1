#!/usr/bin/env python
"""Django's command line, run inside the project's own virtual environment when there is one."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command line; outside the virtual environment, go into it first."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        venv_python = Path(__file__).resolve().parent / ".venv" / "bin" / "python"
        if not venv_python.exists() or sys.prefix != sys.base_prefix:
            raise SystemExit("Django is not installed yet. Run `make install` first.") from None
        os.execv(venv_python, [str(venv_python), *sys.argv])  # noqa: S606
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.db import OperationalError

    from config.processes import running

    try:
        running.follow(sys.argv)
        settings.DATA_DIR  # noqa: B018 - they are read now, before anything depends on them
    except (running.AmbiguousDatabase, ImproperlyConfigured) as error:
        raise SystemExit(str(error)) from None
    try:
        if sys.argv[1:2] == ["up"]:
            # It stays beside everything it starts: it does without the applications.
            from config.management.commands.up import Command

            Command().run_from_argv(sys.argv)
            return
        execute_from_command_line(sys.argv)
    except OperationalError:
        raise SystemExit(
            "I cannot reach the database. Start Throughline with `make run` and the same "
            "DATA_DIR, or check DATABASE_URL."
        ) from None


if __name__ == "__main__":
    main()
