"""Shared profile pages, in the user's list and for visitors."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.http import HttpRequest
from django.utils.timezone import localtime, now

from accounts.support import formatting
from memory.models import ProfileFact, ProfileShare
from memory.slots import GROUPS


@dataclass(frozen=True)
class ShareRow:
    """A shared page in the user's list."""

    share: ProfileShare
    is_open: bool
    url: str
    shows: list[str]
    ends_words: str
    opened_words: str


def groups(
    facts: Sequence[ProfileFact], chosen: Collection[str]
) -> list[tuple[str, list[tuple[ProfileFact, bool]]]]:
    """Return the profile's headings with their facts, each with whether it is chosen.

    `chosen` are ids as in a form.
    """
    keys = {str(key) for key in chosen}
    return [
        (title, inside)
        for title in GROUPS
        if (inside := [(f, str(f.pk) in keys) for f in facts if f.kind.group == title])
    ]


def row(share: ProfileShare, facts: Sequence[ProfileFact], request: HttpRequest) -> ShareRow:
    """Return a shared page as a row of the user's list."""
    today = now()
    return ShareRow(
        share=share,
        is_open=share.is_open(today),
        url=request.build_absolute_uri(share.get_absolute_url()),
        shows=[fact.sentence for fact in facts],
        ends_words=_ends(share, today),
        opened_words=_opened(share, today),
    )


def page(share: ProfileShare, facts: Sequence[ProfileFact]) -> dict[str, object]:
    """Return the template context for visitors: title, name, and the chosen facts."""
    lines = [
        (label, [fact.value for fact in inside])
        for label, inside in groupby(facts, key=lambda fact: fact.kind.label)
    ]
    return {"name": share.name, "shown_as": share.shown_as, "lines": lines}


def api(
    share: ProfileShare, facts: Sequence[ProfileFact], request: HttpRequest
) -> dict[str, object]:
    """Return a shared page for its owner in the API."""
    return {
        "id": str(share.pk),
        "name": share.name,
        "shown_as": share.shown_as,
        "url": request.build_absolute_uri(share.get_absolute_url()),
        "open": share.is_open(now()),
        "made_at": share.made_at,
        "expires_at": share.expires_at,
        "revoked_at": share.revoked_at,
        "openings": share.openings,
        "last_opened_at": share.last_opened_at,
        "facts": [
            {"id": str(f.pk), "slot": f.slot, "label": f.kind.label, "value": f.value}
            for f in facts
        ],
    }


def _ends(share: ProfileShare, today: datetime) -> str:
    if share.revoked_at is not None:
        return f"Stopped {formatting.day(share.revoked_at, today)}"
    if share.expires_at is None:
        return "No end date"
    end, this = localtime(share.expires_at), localtime(today)
    verb = "Open until" if today < share.expires_at else "Ended"
    return f"{verb} {formatting.plain_date(end.date(), this.date())}, {end:%H:%M}"


def _opened(share: ProfileShare, today: datetime) -> str:
    if share.last_opened_at is None:
        return "Not opened yet"
    times = "once" if share.openings == 1 else f"{share.openings} times, last"
    return f"Opened {times} {formatting.day(share.last_opened_at, today)}"
