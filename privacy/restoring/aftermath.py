"""What follows from what was restored, by the rules that hold for everything that is kept."""

from django.db.models import F, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Least

from accounts import work
from accounts.models import User
from accounts.work import DueWork
from conversations.deletion import vanishing
from conversations.learning import message_learning
from conversations.models import Conversation, ConversationTopic, Message
from ledger.models import Contradiction
from memory.facts import set_aside_challengers, take_back_what_is_closed
from memory.models import ProfileFact

Status = ProfileFact.Status


def put_right(user: User) -> None:
    """All of it, in the person's open block."""
    _count_on(user)
    _keep_private(user)
    take_back_what_is_closed(user.pk)
    _match_questions(user)
    _write_down_what_waits(user)


def _count_on(user: User) -> None:
    """The next message gets the next number, and nothing was read further than what is there."""
    messages = Message.objects.for_user(user.pk).filter(conversation=OuterRef("pk")).order_by()
    last = messages.values("conversation").annotate(last=Max("number")).values("last")
    conversations = Conversation.objects.for_user(user.pk)
    conversations.update(last_number=Coalesce(Subquery(last), 0))
    read = ("reflected_up_to", "compacted_up_to", "topics_up_to")
    conversations.update(**{name: Least(F(name), F("last_number")) for name in read})


def _keep_private(user: User) -> None:
    """What was said in private is quoted nowhere else, and such a conversation is about nothing."""
    private = Conversation.objects.for_user(user.pk).filter(privacy=Conversation.Privacy.PRIVATE)
    Message.objects.for_user(user.pk).filter(conversation__in=private).update(confidential=True)
    ConversationTopic.objects.filter(user_id=user.pk, conversation__in=private).delete()


def _match_questions(user: User) -> None:
    """A question is open between a value that holds and one that stands against it, or it is none;
    and the other way round.
    """
    entries = Contradiction.objects.filter(user_id=user.pk)
    opened = entries.filter(status=Contradiction.Status.OPEN)
    sides = Q(old_fact__status=Status.CURRENT, new_fact__status=Status.CHALLENGER)
    unasked = list(opened.exclude(sides).values_list("pk", flat=True))
    entries.filter(pk__in=unasked).update(status=Contradiction.Status.DISMISSED)
    asked = set(opened.values_list("new_fact", flat=True))
    set_aside_challengers(user.pk, but=asked)


def _write_down_what_waits(user: User) -> None:
    """Messages that were not read yet are, and temporary conversations go when they should."""
    unread = Message.objects.for_user(user.pk).filter(role=Message.Role.USER, learned_at=None)
    unread = unread.exclude(state=Message.State.REMOVED).order_by("said_at", "number")
    passing = Conversation.objects.for_user(user.pk).filter(temporary=True)
    waiting = [
        *(DueWork(message_learning.KIND, key) for key in unread.values_list("pk", flat=True)),
        *(DueWork(vanishing.KIND, key) for key in passing.values_list("pk", flat=True)),
    ]
    work.enqueue_all(user, waiting)
