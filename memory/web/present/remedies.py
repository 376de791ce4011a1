"""The gate's reason for where something is kept, with a link to change it."""

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
# What the link says, and where it is changed.
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
    """Return the gate's reason for a saved fact or note, from its row."""
    if kept.source == ProfileFact.Source.MANUAL:
        authority = Authority.HAND
    else:
        # What an agent wrote is in use only after a yes; until then it waits like what was read.
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
    # It waits: where nothing about it says why, its owner had said to be asked.
    return decide_persistence(request, Allowances(ask=True)).reason


def in_a_form(refused: Refused) -> str:
    """Return the error of a form field; the input stays in the field."""
    if refused.reason is None or not (shown := shown_reason(refused.reason)).url:
        return str(refused)
    return format_html('{} <a href="{}">{}</a>', shown.reason.sentence, shown.url, shown.link)


class ReasonField(serializers.CharField):
    """Why something is where it is, as `reason_of` says; `of` names the part that is shown, which
    is '' where there is no reason.
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
        """Return the code or the sentence of the reason."""
        reason = self.reason_of(value)
        return str(getattr(reason, self.of)) if reason else ""


def reason_in_api(shown: ShownReason | None) -> dict[str, Any]:
    """Return a reason as the API shows it: a code and a sentence, both '' for none."""
    if shown is None:
        return {"reason": "", "sentence": ""}
    return {"reason": shown.reason.code, "sentence": shown.reason.in_full}
