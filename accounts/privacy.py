"""Changing a user's privacy settings; each change is logged."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts import audit
from accounts.audit import Action
from accounts.models import AuditEvent, PrivacySettings, User

_ABOUT = {
    "promotion": "Noting what you clearly say about yourself",
    "settle_by_rule": "Settling clear conflicts automatically",
    "shares_lessons": "Sharing lessons with others in your role",
    "begins_private": "Starting every conversation private",
    "conversation_days": "How long conversations are kept",
    "retired_note_days": "How long memories no longer in use are kept",
}

_DAYS = ("conversation_days", "retired_note_days")


def hold_choices(user_id: UUID) -> User:
    """Return the user, reloaded, with the row locked: settings cannot change until the transaction
    ends.

    Call it before acting on a setting. Raises User.DoesNotExist.
    """
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def choose(user_id: UUID, **chosen: Any) -> PrivacySettings:
    """Save settings named in `_ABOUT`, within `acting_as(user)`. Raises ValueError for others."""
    hold_choices(user_id)
    saved, _ = PrivacySettings.objects.get_or_create(user_id=user_id)
    for name, value in chosen.items():
        before = _in_words(saved, name)
        if name in _DAYS and value not in (None, *dict(PrivacySettings.KEPT_FOR)):
            raise ValueError(f"You can’t choose {value} days. Choose one of the periods offered.")
        setattr(saved, name, PrivacySettings.Promotion(value) if name == "promotion" else value)
        after = _in_words(saved, name)
        if after != before:
            audit.record(user_id, Action.ALLOWED, before=before, after=after, why=_ABOUT[name])
    saved.save()
    return saved


def lines(user_id: UUID) -> QuerySet[AuditEvent]:
    """Return every logged change of settings, latest first, including memory and namespaces."""
    return AuditEvent.objects.for_user(user_id).filter(deed=Action.ALLOWED).order_by("-at")


def since(user_id: UUID, name: str) -> datetime | None:
    """Return when a setting in `_ABOUT` was last changed; None if never."""
    changed = lines(user_id).filter(why=_ABOUT[name])
    return changed.values_list("at", flat=True).first()


def _in_words(saved: PrivacySettings, name: str) -> str:
    if name == "promotion":
        return PrivacySettings.Promotion(saved.promotion).label
    if name in _DAYS:
        return dict(PrivacySettings.KEPT_FOR).get(getattr(saved, name), "Forever")
    return "On" if getattr(saved, name) else "Off"
