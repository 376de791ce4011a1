"""The reasons for where a fact or memory is stored, with links to the settings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from rest_framework import serializers

from memory.core.persistence_gate import (
    Allowances,
    Authority,
    PersistenceReason,
    PersistenceRequest,
    RecordKind,
    Refused,
    Remedy,
    decide_persistence,
)
from memory.language.origin import Origin
from memory.models import Memory, ProfileFact

_WAITING = Memory.Status.WAITING
# The text, page and anchor of each link.
_LINKS = {
    Remedy.SWITCH: ("Turn it on", "memory:memories", ""),
    Remedy.PRIVACY: ("Open Privacy", "privacy:page", "#never"),
    Remedy.ACTIVITY: ("Memory activity", "memory:activity", ""),
    Remedy.COHORT: ("Your role", "memory:cohort", ""),
    Remedy.ANSWER: ("Decide", "memory:profile", "#waiting"),
}


@dataclass(frozen=True)
class ShownReason:
    """A reason as a page shows it; `url` is where to change it, or `advice` says where."""

    reason: PersistenceReason
    url: str = ""
    link: str = ""
    advice: str = ""


def shown_reason(reason: PersistenceReason) -> ShownReason:
    """Return a reason with the link to change it."""
    if reason.remedy not in _LINKS:
        return ShownReason(reason, advice="" if reason.remedy is Remedy.ANYWAY else reason.remedy)
    link, page, place = _LINKS[reason.remedy]
    return ShownReason(reason, f"{reverse(page)}{place}", link)


def reason_of_kept(kept: ProfileFact | Memory) -> PersistenceReason:
    """Return the persistence gate's reason for a saved fact or memory, from its row."""
    if kept.source == ProfileFact.Source.MANUAL:
        authority = Authority.HAND
    else:
        # An agent's memory is active only after approval; until then it waits like a reading.
        agreed = isinstance(kept, Memory) and kept.written_by and kept.status != _WAITING
        authority = Authority.YES if kept.is_sensitive or agreed else Authority.READ
    if isinstance(kept, ProfileFact):
        return decide_persistence(
            PersistenceRequest(RecordKind.FACT, authority=authority), Allowances()
        ).reason
    if kept.status != _WAITING:
        return decide_persistence(
            PersistenceRequest(RecordKind.NOTE, authority=authority), Allowances()
        ).reason
    request = PersistenceRequest(
        RecordKind.FACT if kept.slot and kept.ends_id is None else RecordKind.NOTE,
        slot=kept.slot,
        origin=Origin(kept.origin),
        authority=authority,
        worthy=kept.trust >= float(settings.MEMORY["promotion_trust"]),
        doubtful=kept.ends_id is not None or kept.origin == Origin.MODEL,
    )
    # If nothing else explains why it waits, the user wants to be asked first.
    return decide_persistence(request, Allowances(ask=True)).reason


def in_a_form(refused: Refused) -> str:
    """Return a refusal as the error of a form field, with a link to change the setting."""
    if refused.reason is None or not (shown := shown_reason(refused.reason)).url:
        return str(refused)
    return format_html('{} <a href="{}">{}</a>', shown.reason.sentence, shown.url, shown.link)


class ReasonField(serializers.CharField):
    """A serializer field for the reason why something is stored where it is.

    `of` is the part shown ("code" or "in_full"), '' without a reason; `reason_of` returns the
    reason of an object.
    """

    def __init__(
        self,
        of: str,
        *,
        reason_of: Callable[[Any], PersistenceReason | None] = reason_of_kept,
        **kwargs: Any,
    ) -> None:
        self.of, self.reason_of = of, reason_of
        super().__init__(source="*", **kwargs)

    def to_representation(self, value: Any) -> str:
        """Return the requested part of the reason."""
        reason = self.reason_of(value)
        return str(getattr(reason, self.of)) if reason else ""


def reason_in_api(shown: ShownReason | None) -> dict[str, Any]:
    """Return a reason for the API: a code and a sentence, both '' for None."""
    if shown is None:
        return {"reason": "", "sentence": ""}
    return {"reason": shown.reason.code, "sentence": shown.reason.in_full}
