"""The worker that `up` starts: it shows that it lives before it loads what it works with.

`celery -A config.celery worker` is the same without that: Celery loads the tasks before all else.
"""

import sys

import django

from config.celery import app
from config.processes import starting


def main() -> None:
    """Run the worker with the options of the command line until it is told to stop."""
    starting.exit_if_unsafe()
    django.setup()
    from accounts import work

    work.beat()
    app.worker_main(["worker", *sys.argv[1:]])


if __name__ == "__main__":
    main()
