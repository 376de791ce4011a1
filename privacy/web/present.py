"""What the privacy page shows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.forms.models import model_to_dict
from django.urls import reverse
from django.utils.timezone import localtime, now

from accounts import privacy
from accounts.access import tokens
from accounts.access.pages import PersonRequest
from accounts.models import PrivacySettings
from accounts.support import formatting
from conversations import llm
from conversations.deletion import erase_all
from conversations.models import Conversation
from memory.models import BlockedSlot, ProfileShare
from memory.retrieval import endpoint_address, endpoint_is_configured
from memory.slots import SLOTS
from memory.web import closed_slots, slot_choices
from personas.models import UserPersona
from privacy import consents, exporting
from privacy.models import Export
from privacy.parts import PARTS
from privacy.web import present_restores as restores
from privacy.web.views.kept import KeptForm

# So many private conversations are named; their page has all.
_MOST_NAMED = 5
# So many changes of what is allowed are shown; the history has all.
_CHANGES = 10


@dataclass(frozen=True)
class Step:
    """A part of a copy that is being made: before, at, or after it."""

    label: str
    state: str


@dataclass(frozen=True)
class Copy:
    """The newest copy, as its owner sees it."""

    export: Export
    link: str
    until: str

    @property
    def steps(self) -> list[Step]:
        """Its parts in their order, each done, going on or to come."""
        names = list(self.export.parts)
        index = names.index(self.export.gathering) if self.export.gathering in names else -1
        done = index if index >= 0 else (len(names) if self.export.done else 0)
        return [
            Step(
                PARTS[name].label,
                "done" if position < done else "here" if position == index else "next",
            )
            for position, name in enumerate(names)
            if name in PARTS
        ]


@dataclass(frozen=True)
class SignIn:
    """One place where somebody is signed in under this account."""

    key: int
    device: str
    since: str
    ip: str
    is_here: bool


def page(request: PersonRequest) -> dict[str, Any]:
    """All of the page, in the person's open block."""
    user = request.user
    return {
        **_choices(user.pk, memory_on=user.memory_on),
        "consents": [(held, _day(held.since)) for held in consents.of(user)],
        "changes": [(line, _day(line.at)) for line in privacy.lines(user.pk)[:_CHANGES]],
        "kept": KeptForm(initial=model_to_dict(PrivacySettings.of(user.pk), KeptForm.base_fields)),
        "model": _model(),
        "embeddings": _embeddings(),
        "private_talks": _private_talks(user.pk),
        "shares": ProfileShare.objects.filter(user=user, revoked_at__isnull=True).count(),
        "tokens": len(tokens.of(user)),
        "sign_ins": _sign_ins(request),
        "retention": settings.MEMORY | settings.PRIVACY,
        **copy_section(user.pk),
        **restores.section(user),
        "held": erase_all.stored_counts(user.pk),
        "grace": grace(),
    }


def copy(user_id: UUID) -> Copy | None:
    """The newest copy, with the link to its file where there is one."""
    export = exporting.newest(user_id)
    if export is None:
        return None
    link = ""
    if export.state == Export.State.READY:
        link = reverse("privacy:export_file", args=[exporting.signature(export)])
    return Copy(export, link, _day(export.expires_at))


def copy_section(user_id: UUID) -> dict[str, Any]:
    """The newest copy, and what another may hold."""
    return {"copy": copy(user_id), "parts": list(PARTS.values())}


def grace() -> dict[str, Any]:
    """How many days an account can be kept after all, and which day that is from today."""
    days = settings.PRIVACY["grace_days"]
    return {"days": days, "until": _day(now() + timedelta(days=days))}


def _choices(user_id: UUID, *, memory_on: bool) -> dict[str, Any]:
    chosen = PrivacySettings.of(user_id)
    never = closed_slots(BlockedSlot.objects.filter(user_id=user_id))
    weights = settings.MEMORY["settle_weights"]
    return {
        "memory_on": memory_on,
        "asks_first": chosen.promotion == PrivacySettings.Promotion.ASK,
        "settles_by_rule": chosen.settle_by_rule,
        "shares_lessons": chosen.shares_lessons,
        "begins_private": chosen.begins_private,
        "has_role": UserPersona.known(user_id).exists(),
        "weights": {name: round(100 * weight) for name, weight in weights.items()},
        "margin": settings.MEMORY["settle_margin"],
        "undo_days": settings.MEMORY["undo_days"],
        "never_noted": [
            slot.label for slot in SLOTS.values() if slot.sensitive and slot not in never
        ],
        "closed": never,
        "kinds": slot_choices(but={slot.key for slot in never}),
    }


def _model() -> dict[str, str]:
    """Which model is asked, and where: never the key, nor what an address may carry of one."""
    asked = llm.current()
    if not asked.exists:
        return {}
    return {"name": asked.chat_model, "background": asked.background, "where": asked.host}


def _embeddings() -> dict[str, str]:
    """The same of the server that makes vectors of messages."""
    if not endpoint_is_configured():
        return {}
    return {
        "name": settings.EMBEDDING_MODEL,
        "where": urlsplit(endpoint_address()).hostname or "",
    }


def _private_talks(user_id: UUID) -> dict[str, Any]:
    rows = Conversation.objects.for_user(user_id).filter(privacy=Conversation.Privacy.PRIVATE)
    named = list(rows.order_by("-last_at")[: _MOST_NAMED + 1])
    return {"named": named[:_MOST_NAMED], "more": len(named) > _MOST_NAMED}


def _sign_ins(request: PersonRequest) -> list[SignIn]:
    here = request.session.session_key
    rows = UserSession.objects.purge_and_list(request.user)
    return [
        SignIn(
            row.pk,
            _device(row.user_agent),
            formatting.day(row.created_at, now()),
            row.ip,
            row.session_key == here,
        )
        for row in sorted(rows, key=lambda row: (row.session_key == here, row.created_at))[::-1]
    ]


# In the order in which they are looked for: each of the first says that it is the later ones too.
_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def _device(agent: str) -> str:
    """'Firefox on Linux', as far as a browser says."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "")
    browser = browser or ("Safari" if "Safari" in agent else "A browser")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return f"{browser} on {system}" if system else browser


def _day(at: datetime | None) -> str:
    return formatting.plain_date(localtime(at).date(), localtime(now()).date()) if at else ""
