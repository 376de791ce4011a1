"""`manage.py environment`: every variable that the settings read, as docs/environment.md has it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from config import settings
from config.processes import environment


class Command(BaseCommand):
    help = "Print the reference of the environment variables, or a file of them to fill in"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--file", action="store_true", help="print an example of such a file")

    def handle(self, *_args: Any, file: bool, **_options: Any) -> None:
        sections = environment.described(settings.env.defaults)
        write = environment.as_file if file else environment.as_document
        self.stdout.write(write(sections), ending="")
