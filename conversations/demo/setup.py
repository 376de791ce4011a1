"""Creating the demo users: one with two months of conversations, a newcomer, and staff.

Everything known of these users is learned from messages that go through normal turns, dated in the
past. That is slow, so the users are created first and can log in; `write_notebooks` follows and can
be resumed. The passwords are public: login works only if settings.DEMO is set.
"""

import time

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.timezone import localdate

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.demo import cohort, recorded, waiting
from conversations.demo.clock import holding_work_back, release_work, then, without_a_model
from conversations.demo.logins import LOGINS, PASSWORD
from conversations.demo.talks import DemoConversation, DemoMessage, DemoPerson, read_people
from conversations.learning import listening_runs
from conversations.models import Conversation, Message
from conversations.topics import topic_detection, topic_store
from conversations.turns import turn


def seed() -> int:
    """Create missing demo users and queue the writing of their conversations; return how many."""
    made = 0
    # One hash for all users: hashing is slow on purpose.
    password, people = make_password(PASSWORD), read_people(localdate())
    for email, _, _ in LOGINS:
        if User.objects.filter(email__iexact=email).exists():
            continue
        made += 1
        staff = email.startswith("mira")
        name = email.partition("@")[0].partition(".")[0].capitalize()
        with transaction.atomic():
            user = User.objects.create_user(
                email, name=name, is_staff=staff, is_superuser=staff, is_demo=True
            )
            User.objects.filter(pk=user.pk).update(password=password)
            if email in people:
                with acting_as(user):
                    waiting.expect(user)
    return made


def write_notebooks() -> int:
    """Write all queued demo conversations, and wait for those that another process writes; return
    how many users were written here.
    """
    written = 0
    while people := waiting.expected():
        before = written
        for user_id in people:
            # One at a time: a claimed job that was not begun would be delayed at the next start.
            if held := work.claim(user_id, waiting.KIND, user_id):
                _write(held)
                written += 1
        if written == before:
            time.sleep(1)
    return written


def _write(held: work.Claim) -> None:
    user = User.objects.get(pk=held.user_id)
    try:
        with work.keeping(held), holding_work_back():
            live(user, read_people(localdate())[user.email])
    except BaseException as error:
        with acting_as(user):
            work.put_off(held, type(error).__name__, seconds=waiting.NEVER)
        raise
    with acting_as(user):
        release_work(user, but=held)
        work.finish(held)


def live(user: User, person: DemoPerson) -> None:
    """Add a user to the persona of a demo person and replay that person's conversations."""
    if person.role:
        cohort.join(user, person)
    for number, talk in enumerate(person.conversations):
        _play(user, talk, number)


def _play(user: User, talk: DemoConversation, number: int) -> None:
    conversation: Conversation | None = None
    for position, message in enumerate(talk.messages):
        with then(talk.days_ago, talk.at, minutes=2 * position):
            conversation = _say(user, conversation, talk, message, f"demo {number}.{position}")
    if conversation is not None:
        with then(talk.days_ago, talk.at, minutes=30):
            _look_back(user, conversation)


def _say(
    user: User,
    conversation: Conversation | None,
    talk: DemoConversation,
    message: DemoMessage,
    key: str,
) -> Conversation:
    """Send a message, have it answered, and apply the recorded operations; return the
    conversation.
    """
    exchange = _stored_exchange(user, key) or turn.begin(
        user, conversation, message.said, key, private=talk.private, temporary=talk.temporary
    )
    with recorded.playing(message) if message.answer else without_a_model():
        turn.write(user.pk, exchange.answer.pk)
    conversation = exchange.question.conversation
    with recorded.playing(message):
        _have_read(user, exchange.question, message)
    return conversation


def _have_read(user: User, question: Message, message: DemoMessage) -> None:
    """Have the recorded model read the message if it or the trained reader found anything."""
    with acting_as(user):
        if not (message.notes or question.outcomes.exists()):
            return
        listening_runs.listen_soon(user, question.conversation)
    if claim := work.claim(user.pk, listening_runs.KIND, question.conversation_id):
        listening_runs.listen_to(claim)


def _stored_exchange(user: User, key: str) -> turn.Exchange | None:
    """Return the exchange that was stored under this key before an interruption, if any."""
    with acting_as(user):
        messages = Message.objects.for_user(user.pk).select_related("conversation")
        question = messages.filter(client_key=key).first()
        if question is None:
            return None
        answer = messages.get(conversation=question.conversation, number=question.number + 1)
        return turn.Exchange(question, answer, replayed=True)


def _look_back(user: User, conversation: Conversation) -> None:
    """Detect the conversation's topics now, instead of in the worker."""
    claim = work.claim(user.pk, topic_store.KIND, conversation.pk)
    if claim is not None:
        topic_detection.read_for(claim)
