"""What a person allows: the one place where it is changed, and every change written down."""

from typing import Any
from uuid import UUID

from accounts import audit
from accounts.audit import Action
from accounts.models import PrivacySettings

_ABOUT = {
    "promotion": "What you say plainly about yourself",
    "settle_by_rule": "Settling clear contradictions by rule",
    "shares_lessons": "Learning together with others in your role",
    "begins_private": "Beginning every conversation private",
}


def choose(user_id: UUID, **chosen: Any) -> PrivacySettings:
    """Save `promotion` and what else `_ABOUT` names, in the person's open block.

    The same again is nothing. Raises ValueError for a promotion that there is not.
    """
    saved, _ = PrivacySettings.objects.get_or_create(user_id=user_id)
    for name, value in chosen.items():
        before = _in_words(saved, name)
        setattr(saved, name, PrivacySettings.Promotion(value) if name == "promotion" else value)
        after = _in_words(saved, name)
        if after != before:
            audit.record(user_id, Action.ALLOWED, before=before, after=after, why=_ABOUT[name])
    saved.save()
    return saved


def _in_words(saved: PrivacySettings, name: str) -> str:
    if name == "promotion":
        return PrivacySettings.Promotion(saved.promotion).label
    return "On" if getattr(saved, name) else "Off"
