"""People to try the product with: one who has talked for two months, a newcomer, one of staff.

What is known of them comes from what they say: each message goes the way of every other, at its own
time. Everybody knows their password: they come in only where settings.DEMO says so.
"""

from accounts import work
from accounts.models import User
from conversations.demo import cohort
from conversations.demo.clock import then, without_a_model
from conversations.demo.logins import LOGINS
from conversations.demo.talks import TALKS, DemoConversation
from conversations.models import Conversation
from conversations.summaries import short_summary
from conversations.topics import topic_detection, topic_store
from conversations.turns import turn


def seed() -> int:
    """Make the demo people and their talks where they are missing; returns how many were made."""
    made = 0
    for email, password, _ in LOGINS:
        if User.objects.filter(email__iexact=email).exists():
            continue
        made += 1
        staff = email.startswith("mira")
        name = email.partition("@")[0].partition(".")[0].capitalize()
        user = User.objects.create_user(
            email, password, name=name, is_staff=staff, is_superuser=staff, is_demo=True
        )
        if email.startswith("nick"):
            talk_for_two_months(user)
    if made:
        cohort.seed()
    return made


def talk_for_two_months(user: User) -> None:
    """Say everything in TALKS as this person, in order, and let me answer from the notebook."""
    with without_a_model():
        for talk in TALKS:
            _play(user, talk)


def _play(user: User, talk: DemoConversation) -> None:
    conversation: Conversation | None = None
    for position, words in enumerate(talk.said):
        with then(talk.days_ago, talk.at, minutes=2 * position) as today:
            exchange = turn.begin(user, conversation, talk.dated(words, today))
            turn.write(user.pk, exchange.answer.pk)
            conversation = exchange.question.conversation
    if conversation is not None:
        with then(talk.days_ago, talk.at, minutes=30):
            _look_back(user, conversation)


def _look_back(user: User, conversation: Conversation) -> None:
    """What the worker does a little later: topics, and a short summary."""
    later = {
        topic_store.KIND: topic_detection.read_for,
        short_summary.KIND: short_summary.summarise_for,
    }
    for kind, do in later.items():
        claim = work.claim(user.pk, kind, conversation.pk)
        if claim is not None:
            do(claim)
