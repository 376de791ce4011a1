"""Replay recorded dialogues into a user's account."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.replay import Dialogue, NotADialogue, Progress, load, play
from ledger.models import Contradiction
from memory.models import ProfileFact


class Command(BaseCommand):
    """`manage.py replay FILE --user EMAIL [--only NAME] [--speaker NAME]`."""

    help = "Replay recorded, dated dialogues as if a user had typed them. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: the file, and the account to replay it into."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--user", required=True, metavar="EMAIL", help="address of the account to use"
        )
        parser.add_argument(
            "--only", default="", metavar="NAME", help="name of the dialogue in the file"
        )
        parser.add_argument(
            "--speaker", default="", metavar="NAME", help="name of the speaker who is the user"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay the dialogue, print the progress, and count the outcomes."""
        try:
            user = User.objects.get(email__iexact=options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is no account with the address {options['user']}.") from None
        dialogue = _choose(options["file"], options["only"], options["speaker"])
        self.stdout.write(
            f"Replaying {dialogue.name}: {len(dialogue.sessions)} sessions, {dialogue.count} "
            f"messages; {dialogue.user_speaker} is {user.email}."
        )
        progress = None
        for progress in play(dialogue, user):
            self._show(progress)
        if progress is not None:
            self.stdout.write(f"Added {progress.added} messages; {progress.total} in all.")
        self._count(user)

    def _show(self, progress: Progress) -> None:
        """Print the progress: one line that is rewritten on a terminal, else a line per five
        percent.
        """
        text = f"{progress.done} of {progress.total} messages, {progress.session}"
        if self.stdout.isatty():
            self.stdout.write(
                f"\r\x1b[2K{text}", ending="" if progress.done < progress.total else "\n"
            )
            self.stdout.flush()
        elif progress.done % max(1, progress.total // 20) == 0 or progress.done == progress.total:
            self.stdout.write(text)

    def _count(self, user: User) -> None:
        with acting_as(user):
            facts = ProfileFact.objects.for_user(user.pk)
            self.stdout.write(
                f"{user.email} has {Conversation.objects.for_user(user.pk).count()} conversations, "
                f"{Message.objects.for_user(user.pk).count()} messages, "
                f"{facts.current().count()} facts, "
                f"{Contradiction.objects.filter(user=user).open().count()} open conflicts."
            )


def _choose(path: Path, only: str, speaker: str) -> Dialogue:
    try:
        dialogues = load(path, speaker=speaker)
    except OSError as error:
        raise CommandError(f"I cannot read {path}: {error.strerror}.") from None
    except NotADialogue as error:
        raise CommandError(str(error)) from None
    if only:
        dialogues = [dialogue for dialogue in dialogues if dialogue.name == only]
    if len(dialogues) == 1:
        return dialogues[0]
    names = ", ".join(d.name for d in load(path))
    raise CommandError(f"Choose one with --only: {names}.")
