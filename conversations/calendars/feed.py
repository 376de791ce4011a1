"""The secret link by which a calendar app reads a user's plans."""

import hashlib
import re
import secrets
from uuid import UUID

from django.utils.timezone import localtime, now

from accounts import audit
from accounts.audit import Action
from accounts.database.isolation import acting_as, acting_as_visitor
from accounts.models import User
from conversations.models import CalendarFeed
from conversations.tools.plans import AHEAD, BACK, Plan, plans_between
from conversations.tools.tool import ToolContext
from memory.models import Memory

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_NAME = "Calendar link"


# --- For the user, in their `acting_as` transaction ----------------------------------------------


def feed_of(user: User) -> CalendarFeed | None:
    """Return the user's calendar feed; None if there is none."""
    return CalendarFeed.objects.filter(user=user).first()


def make(user: User) -> str:
    """Create a feed link and return its secret, which is not stored. An earlier link stops
    working.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    revoke(user)
    token = secrets.token_urlsafe(32)
    feed = CalendarFeed.objects.create(user=user, digest=_digest(token))
    audit.record(user.pk, Action.SHARED, subject=feed.pk, after=_NAME, why="Shows your plans")
    return token


def revoke(user: User) -> bool:
    """Delete the feed link; return False if there was none."""
    feed = feed_of(user)
    if feed is None:
        return False
    feed.delete()
    audit.record(user.pk, Action.UNSHARED, subject=feed.pk, before=_NAME)
    return True


def calendar_plans(user_id: UUID) -> list[Plan]:
    """Return the plans that a calendar shows: not done, not private, not based on an unapproved
    memory.
    """
    context = ToolContext(user_id, now())
    today = localtime(context.asked_at).date()
    plans = plans_between(context, today - BACK, today + AHEAD)
    waiting = Memory.objects.for_user(user_id).filter(
        status=Memory.Status.WAITING, source_message__in=[plan.id for plan in plans]
    )
    asked_about = set(waiting.values_list("source_message", flat=True))
    return [plan for plan in plans if plan.id not in asked_about]


# --- For the calendar app ------------------------------------------------------------------------


def read(token: str) -> list[Plan] | None:
    """Return the plans of a feed link, [] while the user's memory is off, None for an invalid link.
    The link row is found by the digest of its secret; then the plans are read as its user.
    """
    if not _TOKEN.fullmatch(token):
        return None
    digest = _digest(token)
    with acting_as_visitor(digest):
        feed = CalendarFeed.objects.select_related("user").filter(digest=digest).first()
    if feed is None or not feed.user.is_active or feed.user.is_kept_out:
        return None
    with acting_as(feed.user_id):
        # The link may have been revoked in the meantime.
        if not CalendarFeed.objects.filter(user=feed.user_id, pk=feed.pk).update(
            last_read_at=now()
        ):
            return None
        return calendar_plans(feed.user_id) if feed.user.memory_on else []


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
