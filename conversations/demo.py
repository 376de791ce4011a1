"""Two people to try the house with, and one of staff. Their notes come from what they say.

Everybody knows their password: they come in only where settings.DEMO says so.
"""

from datetime import timedelta

from django.utils.timezone import now

from accounts.isolation import acting_as
from accounts.models import User
from conversations.demo_people import LOGINS
from conversations.learning import message_learning
from conversations.messages import Draft
from conversations.models import Conversation, Message
from conversations.turns import turn

# What was said, how many days ago; the answers are what a person would have heard.
_TALKS: list[tuple[int, str, list[tuple[str, str]]]] = [
    (
        16,
        "Moving the team to Zürich",
        [
            (
                "Hello, I'm Nick. I work at Microsoft and I live in Zürich.",
                "Good to meet you, Nick.",
            ),
            ("I speak German and English.", "Both are noted."),
        ],
    ),
    (
        12,
        "Agenda for the review",
        [
            ("I work at Microsoft, so the review is on their calendar.", "Then we plan around it."),
            ("I prefer short answers with the numbers first.", "Short it is."),
        ],
    ),
    (
        5,
        "Reading list for the train",
        [
            ("I enjoy hiking and the history of maps.", "Two good companions for a train."),
            ("I booked a train to Lisbon for the 12th of May.", "A long ride, with time to read."),
            ("From now on keep answers short and use bullet points.", "Short, in points."),
        ],
    ),
    (0, "A new start", [("Big news: I work at Google now.", "Congratulations on the new start.")]),
]


def seed() -> int:
    """Make the demo people and their talks where they are missing; returns how many were made."""
    made = 0
    for email, password, _ in LOGINS:
        if User.objects.filter(email__iexact=email).exists():
            continue
        made += 1
        staff = email.startswith("mira")
        name = email.partition("@")[0].capitalize()
        user = User.objects.create_user(
            email, password, name=name, is_staff=staff, is_superuser=staff, is_demo=True
        )
        if email.startswith("nick"):
            _talk(user)
    return made


def _talk(user: User) -> None:
    for days, title, exchanges in _TALKS:
        at = now() - timedelta(days=days)
        with acting_as(user):
            conversation = Conversation.objects.create(
                user=user, title=title, started_at=at, last_at=at
            )
        for place, (said, heard) in enumerate(exchanges):
            when = at + timedelta(minutes=place)
            draft = Draft(Message.Role.USER, said, said_at=when)
            question = turn.record(user, conversation, draft)
            turn.record(user, conversation, Draft(Message.Role.ASSISTANT, heard, said_at=when))
            message_learning.learn_now(question)
