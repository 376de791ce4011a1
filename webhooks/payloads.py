"""The payload of an event: kind, time, ids, and the resource as the API shows it.

The resource is read when sending: erased ones are omitted, and private ones are only given by id,
which the API shows to holders of a token.
"""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from rest_framework.utils.encoders import JSONEncoder

from conversations.models import Conversation
from ledger.models import Contradiction
from ledger.web.api.conflicts import conflict_api
from ledger.web.present import with_evidence
from memory.language.safety.sensitivity import is_private_text
from memory.models import ProfileFact
from memory.retrieval.note_search import shown_notes
from memory.web.api.facts import FactOut
from memory.web.api.notes import MemoryOut
from privacy.models import Export
from privacy.web.api import ExportOut
from webhooks.models import Event, WebhookDelivery

Subject = WebhookDelivery.Subject
# Events that are complete without the resource.
_WITHOUT = frozenset({Event.REMOVED, Event.CLEARED})


class Gone(LookupError):
    """Raised when the resource of an event has been erased since."""


def payload_of(delivery: WebhookDelivery) -> dict[str, Any]:
    """Return the payload of an event, within `acting_as(user)`. Raises Gone.

    `data.resource` is null for private resources, and for deleted ones in events of deletion.
    """
    kind, key = Subject(delivery.subject_kind), delivery.subject
    data: dict[str, Any] = {"kind": kind.value, "id": str(key) if key else None, "resource": None}
    if key is not None:
        try:
            data["resource"] = _READ[kind](delivery.user_id, key)
        except Gone:
            if delivery.event not in _WITHOUT:
                raise
    return {"type": delivery.event, "timestamp": delivery.at.isoformat(), "data": data}


def body_of(payload: dict[str, Any]) -> bytes:
    """Return a payload as the bytes that are signed and sent."""
    return json.dumps(payload, cls=JSONEncoder, ensure_ascii=False).encode()


def _fact(user_id: UUID, key: UUID) -> Any:
    facts = ProfileFact.objects.for_user(user_id).with_evidence()
    fact = facts.filter(pk=key).first()
    if fact is None:
        raise Gone
    return None if _is_private_fact(fact) else FactOut(fact).data


def _is_private_fact(fact: ProfileFact) -> bool:
    return fact.is_sensitive or is_private_text(f"{fact.kind.label}: {fact.value}")


def _memory(user_id: UUID, key: UUID) -> Any:
    note = shown_notes(user_id).filter(pk=key).first()
    if note is None:
        raise Gone
    said_in = note.source_conversation
    private = said_in is not None and said_in.privacy == Conversation.Privacy.PRIVATE
    if private or note.is_sensitive or is_private_text(note.original or note.content):
        return None
    return MemoryOut(note).data


def _conflict(user_id: UUID, key: UUID) -> Any:
    entry = with_evidence(Contradiction.objects.for_user(user_id)).filter(pk=key).first()
    if entry is None:
        raise Gone
    private = _is_private_fact(entry.old_fact) or _is_private_fact(entry.new_fact)
    return None if private else conflict_api(entry)


def _export(user_id: UUID, key: UUID) -> Any:
    export = Export.objects.filter(user_id=user_id, pk=key).first()
    if export is None:
        raise Gone
    return ExportOut(export).data


_READ: dict[Subject, Callable[[UUID, UUID], Any]] = {
    Subject.FACT: _fact,
    Subject.MEMORY: _memory,
    Subject.CONFLICT: _conflict,
    Subject.EXPORT: _export,
}
