"""Sharing chosen facts by a link until the user revokes it.

A shared page is computed at each visit: it shows a chosen fact while it is current and not in
conflict, as last edited by the user, and no longer after it is retracted.
"""

import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F
from django.utils.timezone import localtime, now

from accounts import audit
from accounts.audit import Action
from accounts.database.isolation import acting_as, acting_as_visitor
from accounts.support import formatting
from memory.facts import blocked_slots
from memory.language.safety import sensitivity
from memory.models import FactQuerySet, ProfileFact, ProfileShare, SharedFact
from memory.slots import SLOTS

# The choices for a link's lifetime in days; None for no end.
DAYS = (1, 7, 30, None)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_ORDER = {slot: position for position, slot in enumerate(SLOTS)}


class NotShareable(ValueError):
    """A chosen fact may not be shared: sensitive, in conflict, or no longer current."""


# --- For the user --------------------------------------------------------------------------------


def choosable(user_id: UUID) -> list[ProfileFact]:
    """Return the facts that may be shared: current, not in conflict and not private."""
    return sorted(_showable(ProfileFact.objects.for_user(user_id), user_id), key=_place)


def make(
    user_id: UUID, name: str, facts: Iterable[UUID], days: int | None, shown_as: str = ""
) -> ProfileShare:
    """Create a shared page. Must run in the user's transaction.

    Raises NotShareable if one of the facts may not be shared, or there are none.
    """
    wanted = set(facts)
    chosen = [fact for fact in choosable(user_id) if fact.pk in wanted]
    if not chosen or len(chosen) != len(wanted):
        raise NotShareable("One of these is sensitive, in conflict or forgotten. Choose again.")
    made_at = now()
    share = ProfileShare.objects.create(
        user_id=user_id,
        token=secrets.token_urlsafe(32),
        name=name,
        shown_as=shown_as,
        made_at=made_at,
        expires_at=None if days is None else made_at + timedelta(days=days),
    )
    SharedFact.objects.bulk_create(
        SharedFact(user_id=user_id, share=share, fact=fact) for fact in chosen
    )
    audit.record(
        user_id, Action.SHARED, subject=share.pk, after=name, why=_log_words(share, chosen)
    )
    return share


def revoke(share: ProfileShare) -> None:
    """Revoke a shared page; idempotent."""
    open_still = ProfileShare.objects.filter(
        pk=share.pk, user_id=share.user_id, revoked_at__isnull=True
    )
    share.revoked_at = share.revoked_at or now()
    if open_still.update(revoked_at=share.revoked_at):
        audit.record(share.user_id, Action.UNSHARED, subject=share.pk, before=share.name)


def shown_on(user_id: UUID, shares: Sequence[ProfileShare]) -> dict[UUID, list[ProfileFact]]:
    """Return the facts that each page shows now, in the profile's order; four queries in all."""
    rows = SharedFact.objects.filter(user_id=user_id, share__in=shares)
    becomes = _rewordings(user_id)
    chosen: dict[UUID, set[UUID]] = {share.pk: set() for share in shares}
    for share_id, fact_id in rows.values_list("share_id", "fact_id"):
        chosen[share_id].update(_wordings(fact_id, becomes))
    facts = ProfileFact.objects.for_user(user_id).filter(pk__in=set().union(*chosen.values()))
    showing = sorted(_showable(facts, user_id), key=_place)
    return {key: [fact for fact in showing if fact.pk in chosen[key]] for key in chosen}


# --- For visitors --------------------------------------------------------------------------------


def read(token: str, at: datetime) -> tuple[ProfileShare, list[ProfileFact]] | None:
    """Return the shared page for a link's token with its facts; None if invalid or revoked.

    Row-level security gives the visitor the page's row only; its facts are read as the user.
    """
    if not _TOKEN.fullmatch(token):
        return None
    with acting_as_visitor(token):
        share = ProfileShare.objects.select_related("user").filter(token=token).first()
    if share is None or not share.user.is_active or not share.is_open(at):
        return None
    with acting_as(share.user_id):
        return share, shown_on(share.user_id, [share])[share.pk]


def count_opening(share: ProfileShare, at: datetime) -> None:
    """Count a visit: only the number and the last time are stored."""
    with acting_as(share.user_id):
        ProfileShare.objects.filter(pk=share.pk, user_id=share.user_id).update(
            openings=F("openings") + 1, last_opened_at=at
        )


# --- Helpers -------------------------------------------------------------------------------------


def _showable(facts: FactQuerySet, user_id: UUID) -> Iterable[ProfileFact]:
    rows = facts.current().exclude(disputed_by__status="open")
    rows = rows.exclude(slot__in=blocked_slots.slots_of(user_id)).defer("embedding")
    return (fact for fact in rows if not _is_private(fact))


def _is_private(fact: ProfileFact) -> bool:
    return fact.kind.sensitive or sensitivity.is_private_text(f"{fact.kind.label}: {fact.value}")


def _place(fact: ProfileFact) -> tuple[int, datetime]:
    return _ORDER[fact.slot], fact.created_at


def _rewordings(user_id: UUID) -> dict[UUID, list[UUID]]:
    """Return, by fact id, the facts that replaced it through an edit by hand.

    More precise values are not followed: only the less precise value was shared.
    """
    rows = ProfileFact.objects.for_user(user_id).filter(
        replaces__isnull=False, source=ProfileFact.Source.MANUAL
    )
    becomes: dict[UUID, list[UUID]] = defaultdict(list)
    for key, before in rows.values_list("pk", "replaces_id"):
        becomes[before].append(key)
    return becomes


def _wordings(first: UUID, becomes: dict[UUID, list[UUID]]) -> Iterable[UUID]:
    """Yield the ids of a fact and of all edits of it."""
    waiting = [first]
    while waiting:
        key = waiting.pop()
        yield key
        waiting += becomes.get(key, [])


def _log_words(share: ProfileShare, chosen: Sequence[ProfileFact]) -> str:
    """Return the shown slots without values: the log must not repeat values that may be erased."""
    kinds = formatting.listed(list(dict.fromkeys(fact.kind.noun for fact in chosen)))
    if share.expires_at is None:
        return f"Shows {kinds}, with no end date"
    end = formatting.plain_date(localtime(share.expires_at).date(), localtime(share.made_at).date())
    return f"Shows {kinds} until {end}"
