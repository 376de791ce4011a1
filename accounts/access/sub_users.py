"""Sub-users: users that other software creates with a service token and acts for.

They belong to the token's account, not to the token, which may be replaced. They cannot sign in.
"""

import unicodedata
from contextlib import suppress
from urllib.parse import unquote
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import Q, QuerySet

from accounts.access import scopes
from accounts.database.ids import new_id
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, SubUser, User
from accounts.privacy import hold_choices
from accounts.support.refusals import Refused

log = structlog.get_logger(__name__)

# The header with the external id or id of the user to act for, percent-encoded.
HEADER = "X-Act-As"
# A domain that e-mail never reaches (RFC 2606).
NO_ADDRESS = "sub-users.invalid"


class CannotCreate(Refused):
    """Raised when this account may not create (more) sub-users; the message says why."""

    status, title = 403, "Forbidden"


def why_none(creator: User) -> str:
    """Return why this user may not create sub-users, in a sentence; '' if they may."""
    if creator.is_demo:
        return "Everyone shares this demo account, so it can’t create people."
    if creator.is_sub_user:
        return "This person was created by other software and can’t create people."
    return "" if settings.SUB_USERS > 0 else "Creating people is turned off on this site."


def of(creator: User) -> QuerySet[SubUser]:
    """Return the sub-users of a creator, latest first, within `acting_as(creator)`."""
    rows = SubUser.objects.filter(user=creator).select_related("person")
    return rows.order_by("-created_at", "-pk")


def create(creator: User, external_id: str, name: str = "") -> tuple[SubUser, bool]:
    """Return a new sub-user, or the one with this external id, and whether it is new."""
    if sentence := why_none(creator):
        raise CannotCreate(sentence)
    with acting_as(creator):
        # Lock, so that none are created concurrently or while the creator is being deleted.
        if not hold_choices(creator.pk).is_active:
            raise CannotCreate("This account is being deleted.")
        if known := of(creator).filter(external_id=external_id).first():
            return known, False
        if of(creator).count() >= settings.SUB_USERS:
            sentence = f"You’ve reached this site’s limit of {settings.SUB_USERS} people."
            raise CannotCreate(f"{sentence} Delete some first.")
        person = User(name=name, email=f"{new_id().hex}@{NO_ADDRESS}", is_sub_user=True)
        person.set_unusable_password()
        person.save()
        made = SubUser.objects.create(user=creator, person=person, external_id=external_id)
    log.info("sub_user_created", account=str(creator.pk), person=str(person.pk))
    return made, True


def fit_external_id(text: str) -> str:
    """Return the external id as stored. Raises CannotCreate if a header cannot contain it."""
    text = text.strip()
    seen = not any(unicodedata.category(character) in ("Cc", "Cs") for character in text)
    if not text or len(text) > SubUser.EXTERNAL_ID_LENGTH or not seen:
        raise CannotCreate(
            f"Use 1 to {SubUser.EXTERNAL_ID_LENGTH} characters for the id, without line breaks or "
            "control characters."
        )
    return text


def find(creator: User, named: str) -> SubUser | None:
    """Return the creator's sub-user with this external id or id, or None; uses `acting_as`."""
    condition = Q(external_id=named)
    with suppress(ValueError):
        condition |= Q(person=UUID(named))
    with acting_as(creator):
        rows = list(of(creator).filter(condition, person__is_active=True))
    # If one user's external id equals another's id, the external id takes precedence.
    rows.sort(key=lambda row: row.external_id != named)
    return rows[0] if rows else None


def named_in(value: str) -> str:
    """Return the decoded id in the header that names the user to act for."""
    return unquote(value).strip()


def still_acts_for(token: ApiToken, person: User) -> bool:
    """Return whether the token may act for a user: its owner, or one of the owner's sub-users."""
    if token.user_id == person.pk:
        return True
    if not scopes.opens(token.scopes, scopes.PEOPLE):
        return False
    sub_user = find(token.user, str(person.pk))
    return sub_user is not None and sub_user.person == person
