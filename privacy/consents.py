"""All consents of a user with their dates, and how each is withdrawn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from accounts import privacy
from accounts.models import PrivacySettings, User
from memory import manager
from memory.core.switch import memory_switched_at, switch_memory
from memory.lessons.contribution import opt_out
from memory.manager import granted_namespaces, namespaces_of
from memory.models import Memory, ProfileFact
from memory.slots import SLOTS
from personas.models import UserPersona

_SENSITIVE = [slot.key for slot in SLOTS.values() if slot.sensitive]
# Facts shown to the user, and memories that are active, waiting or paused.
_HELD = (ProfileFact.Status.CURRENT, ProfileFact.Status.PAST)
_IN_USE = (Memory.Status.ACTIVE, Memory.Status.PAUSED)


@dataclass(frozen=True)
class Consent:
    """A consent: the name by which it is withdrawn, its date, and what withdrawing ends."""

    name: str
    text: str
    since: datetime
    ends: str


def of(user: User) -> list[Consent]:
    """Return the user's current consents, within `acting_as(user)`."""
    return [*_switches(user), *_namespaces(user), *_sensitive(user)]


def withdraw(user: User, name: str) -> bool:
    """Withdraw a consent, within `acting_as(user)`; False if the user has none of this name."""
    kind, _, key = name.partition(":")
    if name not in {consent.name for consent in of(user)}:
        return False
    _WITHDRAW[kind](user, key)
    return True


def _switches(user: User) -> Iterator[Consent]:
    since = memory_switched_at(user)
    if user.memory_on and since is not None:
        ends = "I won’t learn anything new or use what I noted. You can still read and delete it."
        yield Consent("memory", "I remember across conversations", since, ends)
    roles = UserPersona.confirmed(user.pk)
    if PrivacySettings.of(user.pk).shares_lessons and roles:
        dates = [role.last_confirmed or role.discovered_at for role in roles]
        since = privacy.since(user.pk, "shares_lessons") or min(dates)
        ends = "Nothing more will be shared, and you’ll no longer support any lessons."
        yield Consent("cohort", "Lessons are shared with others in your role", since, ends)


def _namespaces(user: User) -> Iterator[Consent]:
    namespaces = namespaces_of(user.pk)
    for name, since in granted_namespaces(user.pk).items():
        if name in namespaces:
            text = f"Other apps may save: {namespaces[name].purpose}"
            ends = f"What other apps saved under “{namespaces[name].purpose}” will be deleted."
            yield Consent(f"namespace:{name}", text, since, ends)


def _sensitive(user: User) -> Iterator[Consent]:
    """Yield consents to store sensitive facts: these are only stored at the user's request."""
    facts = ProfileFact.objects.for_user(user.pk).filter(slot__in=_SENSITIVE, status__in=_HELD)
    notes = Memory.objects.for_user(user.pk).filter(slot__in=_SENSITIVE, status__in=_IN_USE)
    held: list[tuple[ProfileFact | Memory, str]] = [
        *((fact, fact.value) for fact in facts.order_by("created_at")),
        *((note, note.content) for note in notes.order_by("created_at")),
    ]
    for kept, words in held:
        text = f"{SLOTS[kept.slot].label}, noted because you asked: {words}"
        yield Consent(f"noted:{kept.pk}", text, kept.created_at, "I’ll stop using this.")


def _forget(user: User, key: str) -> None:
    facts = ProfileFact.objects.for_user(user.pk).filter(pk=UUID(key))
    notes = Memory.objects.for_user(user.pk).filter(pk=UUID(key))
    kept = facts.first() or notes.first()
    assert kept is not None
    manager.retract(kept)


_WITHDRAW: dict[str, Callable[[User, str], object]] = {
    "memory": lambda user, _: switch_memory(user, on=False),
    "cohort": lambda user, _: opt_out(user.pk),
    "namespace": lambda user, name: manager.allow(user, name, on=False),
    "noted": _forget,
}
