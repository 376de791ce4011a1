"""Resolving mem0's `user_id`, and responses in mem0's formats."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.fields import DateTimeField
from rest_framework.request import Request

from accounts.access import scopes, sub_users
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, AuditEvent, SubUser, User
from conversations.models import LearningOutcome
from memory.models import Memory, ProfileFact
from memory.web.known_items import KnownItem

_BETWEEN = "."
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


@dataclass(frozen=True)
class Subject:
    """A user, and the id that the client uses for them."""

    person: User
    name: str

    def id_of(self, pk: UUID) -> str:
        """Return a memory's id for the client; a sub-user's starts with the sub-user's key."""
        return f"{self.person.pk}{_BETWEEN}{pk}" if self.person.is_sub_user else str(pk)


def is_service(request: Request) -> bool:
    """Return whether the caller is a service acting for its token's owner."""
    held = request.auth.scopes if isinstance(request.auth, ApiToken) else []
    return scopes.opens(held, scopes.PEOPLE) and not _caller(request).is_sub_user


def subject_of(request: Request, user_id: str | None, *, create: bool = False) -> Subject:
    """Return the user that `user_id` names, without it the caller; with `create`, unknown ids
    create a sub-user of a service. Raises NotFound.
    """
    caller = _caller(request)
    own = _own_name(caller)
    if user_id is None or user_id in {own, str(caller.pk)} or _is_address(user_id, caller):
        return Subject(caller, user_id or own)
    if not is_service(request):
        raise NotFound
    sub_user = sub_users.find(caller, user_id)
    if sub_user is None and create:
        try:
            sub_user, _ = sub_users.create(caller, sub_users.fit_external_id(user_id))
        except sub_users.CannotCreate as refused:
            raise PermissionDenied(str(refused)) from None
    if sub_user is None:
        raise NotFound
    return Subject(sub_user.person, sub_user.external_id)


def subject_of_memory(request: Request, memory_id: Any) -> tuple[Subject, UUID]:
    """Return the user of a memory's id for clients, and the memory's key. Raises NotFound."""
    whose, _, own = str(memory_id).rpartition(_BETWEEN)
    try:
        pk = UUID(own)
    except ValueError:
        raise NotFound from None
    return subject_of(request, whose or None), pk


def _caller(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


def _is_address(name: str, person: User) -> bool:
    return not person.is_sub_user and name.casefold() == person.email.casefold()


def _own_name(person: User) -> str:
    if not person.is_sub_user:
        return str(person.pk)
    with acting_as(person):
        return SubUser.objects.get(person=person).external_id


# --- Formats -------------------------------------------------------------------------------------


def memory(item: KnownItem, subject: Subject, score: float | None = None) -> dict[str, Any]:
    """Return a memory in mem0's format. Its `metadata` is this site's, never the client's."""
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
    """Return the outcome of a message in mem0's format; None if it is no memory."""
    row: ProfileFact | Memory | None = outcome.fact or outcome.memory
    if row is None:
        return None
    shown = added(row, subject) | {"event": _event(outcome, row)}
    if outcome.kind == _Kind.CONFLICT:
        shown["metadata"]["status"] = "conflict"
    return shown


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


def added(row: ProfileFact | Memory, subject: Subject) -> dict[str, Any]:
    """Return a memory that was stored unchanged, in mem0's format."""
    item = KnownItem(row)
    return {
        "id": subject.id_of(row.pk),
        "memory": item.text,
        "event": "ADD",
        "metadata": {"kind": item.kind, "status": item.status},
    }


def history(lines: Iterable[AuditEvent], memory_id: str, subject: Subject) -> list[dict[str, Any]]:
    """Return a memory's changes, oldest first, from log lines that are newest first."""
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
    """Return a sub-user of a service in mem0's format."""
    return {
        "id": str(row.person_id),
        "name": row.external_id,
        "type": "user",
        "created_at": _time(row.created_at),
        "updated_at": _time(row.created_at),
    }


def page(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return all items as one page in mem0's format."""
    return {"count": len(items), "next": None, "previous": None, "results": items}


def _time(at: datetime) -> str:
    return str(DateTimeField().to_representation(at))
