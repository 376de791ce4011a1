"""Why something is kept where it is, or nowhere, with the way to change that."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html

from memory.core.persistence_gate import (
    Allowed,
    Kind,
    Reason,
    Refused,
    Remedy,
    Request,
    Word,
    decide,
)
from memory.language.origin import Origin
from memory.models import Memory, ProfileFact

# What the link says, and where it is changed.
_LINKS = {
    Remedy.SWITCH: ("Turn it on", "memory:memories", ""),
    Remedy.PRIVACY: ("Open Privacy", "privacy:page", "#never"),
    Remedy.ACTIVITY: ("Memory activity", "memory:activity", ""),
    Remedy.COHORT: ("Your role", "memory:cohort", ""),
    Remedy.ANSWER: ("Decide", "memory:profile", "#waiting"),
}


@dataclass(frozen=True)
class Told:
    """A reason as a page shows it; `url` is where it is changed, or `advice` says where."""

    reason: Reason
    url: str = ""
    link: str = ""
    advice: str = ""


def told(reason: Reason) -> Told:
    """A reason with the way to change what it is about."""
    if reason.remedy not in _LINKS:
        return Told(reason, advice="" if reason.remedy is Remedy.ANYWAY else reason.remedy)
    link, page, place = _LINKS[reason.remedy]
    return Told(reason, f"{reverse(page)}{place}", link)


def of_kept(kept: ProfileFact | Memory) -> Reason:
    """What the gate says to a fact or a note, by what its row has kept of how it came."""
    if kept.source == ProfileFact.Source.MANUAL:
        word = Word.HAND
    else:
        word = Word.YES if kept.is_sensitive else Word.READ
    if isinstance(kept, ProfileFact):
        return decide(Request(Kind.FACT, word=word), Allowed()).reason
    if kept.status != Memory.Status.WAITING:
        return decide(Request(Kind.NOTE, word=word), Allowed()).reason
    asked = Request(
        Kind.FACT if kept.slot and kept.ends_id is None else Kind.NOTE,
        slot=kept.slot,
        origin=Origin(kept.origin),
        word=word,
        worthy=kept.trust >= float(settings.MEMORY["promotion_trust"]),
        doubtful=kept.ends_id is not None or kept.origin == Origin.MODEL,
    )
    # It waits: where nothing about it says why, its owner had said to be asked.
    return decide(asked, Allowed(ask=True)).reason


def in_a_form(refused: Refused) -> str:
    """What a form says beside the field; what was typed stays in it."""
    if refused.reason is None or not (shown := told(refused.reason)).url:
        return str(refused)
    return format_html('{} <a href="{}">{}</a>', shown.reason.sentence, shown.url, shown.link)


def in_api(shown: Told | None) -> dict[str, Any]:
    """A reason for software: a code and a sentence, both '' for none."""
    if shown is None:
        return {"reason": "", "sentence": ""}
    return {"reason": shown.reason.code, "sentence": shown.reason.in_full}
