"""Memories, their history and what was learned, in mem0's shapes."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rest_framework.fields import DateTimeField

from accounts.models import AuditEvent, SubUser
from config.mem0_api.subjects import Subject
from conversations.models import LearningOutcome
from memory.models import Memory, ProfileFact
from memory.web import KnownItem

_Deed, _Kind = AuditEvent.Action, LearningOutcome.Kind
_EVENTS = {
    _Deed.NOTED: "ADD",
    _Deed.ASKED: "ADD",
    _Deed.WRITTEN: "ADD",
    _Deed.RESTORED: "ADD",
    _Deed.IMPORTED: "ADD",
    _Deed.ACCEPTED: "UPDATE",
    _Deed.REWRITTEN: "UPDATE",
    _Deed.SETTLED: "UPDATE",
    _Deed.REMOVED: "DELETE",
    _Deed.DECLINED: "DELETE",
    _Deed.ENDED: "DELETE",
    _Deed.ERASED: "DELETE",
}


def memory(item: KnownItem, subject: Subject, score: float | None = None) -> dict[str, Any]:
    """A memory. Its `metadata` is what is known of it here: none is taken from clients."""
    shown: dict[str, Any] = {
        "id": subject.id_of(item.id),
        "memory": item.text,
        "user_id": subject.name,
        "metadata": {"kind": item.kind, "status": item.status},
        "categories": [item.category],
        "created_at": _time(item.created_at),
        "updated_at": _time(item.updated_at),
        "expiration_date": None,
    }
    return shown if score is None else shown | {"score": round(score, 4)}


def learned(outcome: LearningOutcome, subject: Subject) -> dict[str, Any] | None:
    """What came of a message; None for what is no memory, such as what holds in its conversation
    alone.
    """
    row: ProfileFact | Memory | None = outcome.fact or outcome.memory
    if row is None:
        return None
    event = _event(outcome, row)
    item = KnownItem(row)
    status = "conflict" if outcome.kind == _Kind.CONFLICT else item.status
    return {
        "id": subject.id_of(row.pk),
        "memory": item.text,
        "event": event,
        "metadata": {"kind": item.kind, "status": status},
    }


def _event(outcome: LearningOutcome, row: ProfileFact | Memory) -> str:
    if outcome.kind in (_Kind.REINFORCED, _Kind.CONFLICT):
        return "NONE"
    if outcome.kind == _Kind.ENDED:
        return "DELETE"
    if isinstance(row, ProfileFact):
        replaces = row.replaces_id is not None
    else:
        replaces = row.supersedes.exists()
    return "UPDATE" if replaces or outcome.kind == _Kind.SETTLED else "ADD"


def added(row: Memory, subject: Subject) -> dict[str, Any]:
    """A memory that was stored word for word."""
    item = KnownItem(row)
    return {
        "id": subject.id_of(row.pk),
        "memory": item.text,
        "event": "ADD",
        "metadata": {"kind": item.kind, "status": item.status},
    }


def history(lines: Iterable[AuditEvent], memory_id: str, subject: Subject) -> list[dict[str, Any]]:
    """The changes of a memory, the oldest first, of lines of the log with the newest first."""
    return [
        {
            "id": str(line.pk),
            "memory_id": memory_id,
            "old_memory": line.before or None,
            "new_memory": line.after or None,
            "event": _EVENTS[_Deed(line.deed)],
            "user_id": subject.name,
            "created_at": _time(line.at),
            "updated_at": _time(line.at),
        }
        for line in reversed(list(lines))
        if line.deed in _EVENTS
    ]


def entity(row: SubUser) -> dict[str, Any]:
    """One of a service's people."""
    return {
        "id": str(row.person_id),
        "name": row.external_id,
        "type": "user",
        "created_at": _time(row.created_at),
        "updated_at": _time(row.created_at),
    }


def page(items: list[dict[str, Any]]) -> dict[str, Any]:
    """All items as one page."""
    return {"count": len(items), "next": None, "previous": None, "results": items}


def _time(at: datetime) -> str:
    return str(DateTimeField().to_representation(at))
