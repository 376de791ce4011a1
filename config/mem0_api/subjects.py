"""Whose memory a request is about: mem0's `user_id` names a person of the token, or its owner."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from accounts.access import scopes, sub_users
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, SubUser, User

_BETWEEN = "."


@dataclass(frozen=True)
class Subject:
    """A person, and what the software calls them."""

    person: User
    name: str

    def id_of(self, pk: UUID) -> str:
        """What a memory of theirs is called: a request by its id tells no more than that, so it
        begins with whose it is.
        """
        return f"{self.person.pk}{_BETWEEN}{pk}" if self.person.is_sub_user else str(pk)


def is_service(request: Request) -> bool:
    """Whether the request comes from a service in its owner's name."""
    held = request.auth.scopes if isinstance(request.auth, ApiToken) else []
    return scopes.opens(held, scopes.PEOPLE) and not _caller(request).is_sub_user


def subject_of(request: Request, user_id: str | None, *, create: bool = False) -> Subject:
    """Whom `user_id` names; without one, whom the request acts for.

    With `create` a service gets a new person for a name that it has not used yet. Raises NotFound
    for whoever is neither the caller nor one of their people.
    """
    caller = _caller(request)
    own = _own_name(caller)
    if user_id is None or user_id in {own, str(caller.pk)} or _is_address(user_id, caller):
        return Subject(caller, user_id or own)
    if not is_service(request):
        raise NotFound
    found = sub_users.find(caller, user_id)
    if found is None and create:
        try:
            found, _ = sub_users.create(caller, sub_users.fit_external_id(user_id))
        except sub_users.CannotCreate as refused:
            raise PermissionDenied(str(refused)) from None
    if found is None:
        raise NotFound
    return Subject(found.person, found.external_id)


def subject_of_memory(request: Request, memory_id: Any) -> tuple[Subject, UUID]:
    """Whose memory an id names, and its id here. Raises NotFound."""
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
