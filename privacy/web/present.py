"""The template contexts of the pages about privacy, exports and imports."""

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
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
from accounts.models import AuditEvent, PrivacySettings, User
from accounts.support import formatting
from accounts.support.refusals import Refused
from conversations import llm
from conversations.deletion import erase_all
from conversations.models import Conversation
from ledger.history.log_lines import DEEDS, DOERS
from memory.models import BlockedSlot, ProfileShare
from memory.retrieval.embedding_endpoint import endpoint_address, endpoint_is_configured
from memory.slots import SLOTS
from memory.web.present.facts import closed_slots, slot_choices
from memory.web.present.memories import note_row
from personas.models import UserPersona
from privacy import consents, exporting
from privacy.importing import counting, deciding
from privacy.importing import requests as imports
from privacy.models import Export, Import, Restore, RestoredLine
from privacy.parts import AUDIT, PARTS
from privacy.restoring import requests as restores
from privacy.restoring.tables import BY_OPERATION, TABLES
from privacy.web.forms import KeptForm

# How many private conversations are listed; their own page lists all.
_MOST_NAMED = 5
# How many changes of consents and settings are listed; the history has all.
_CHANGES = 10
# How many memories, and values of a slot, are shown at once; the rest after these are answered.
SHOWN = 60


def page(request: PersonRequest) -> dict[str, Any]:
    """Return the context of the privacy page, within `acting_as(user)`."""
    user = request.user
    return {
        **_choices(user.pk, memory_on=user.memory_on),
        "consents": [(consent, _day(consent.since)) for consent in consents.of(user)],
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
        **restore_section(user),
        "held": erase_all.stored_counts(user.pk),
        "grace": grace(),
    }


def grace() -> dict[str, Any]:
    """Return the days of grace before an account is deleted, and the day on which they end."""
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
    """Return the language model and its server's address, without keys or credentials."""
    asked = llm.current()
    if not asked.exists:
        return {}
    return {"name": asked.chat_model, "background": asked.background, "where": asked.host}


def _embeddings() -> dict[str, str]:
    """Return the embedding model and its server's address, without keys or credentials."""
    if not endpoint_is_configured():
        return {}
    host = urlsplit(endpoint_address()).hostname or ""
    return {"name": settings.EMBEDDING_MODEL, "where": host}


def _private_talks(user_id: UUID) -> dict[str, Any]:
    rows = Conversation.objects.for_user(user_id).filter(privacy=Conversation.Privacy.PRIVATE)
    named = list(rows.order_by("-last_at")[: _MOST_NAMED + 1])
    return {"named": named[:_MOST_NAMED], "more": len(named) > _MOST_NAMED}


def _sign_ins(request: PersonRequest) -> list[dict[str, Any]]:
    here = request.session.session_key
    rows = UserSession.objects.purge_and_list(request.user)
    return [
        {
            "key": row.pk,
            "device": _device(row.user_agent),
            "since": formatting.day(row.created_at, now()),
            "ip": row.ip,
            "is_here": row.session_key == here,
        }
        for row in sorted(rows, key=lambda row: (row.session_key == here, row.created_at))[::-1]
    ]


# In order of precedence: user agents of the first also contain the names of later ones.
_BROWSERS = (
    *(("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox")),
    *(("Chrome", "Chrome"), ("Safari", "Safari"), ("", "A browser")),
)
_SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad")),
    *(("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux"), ("", "")),
)


def _device(agent: str) -> str:
    """Return browser and system of a user agent: 'Firefox on Linux'."""
    browser = next(name for sign, name in _BROWSERS if sign in agent)
    system = next(name for sign, name in _SYSTEMS if sign in agent)
    return f"{browser} on {system}" if system else browser


# --- Copies, restores and imports -----------------------------------------------------------------


class Progress(NamedTuple):
    """The texts of a progress bar; `label` is for screen readers, `cancelling` names what can be
    cancelled, '' if nothing.
    """

    title: str
    note: str
    label: str
    cancelling: str = ""


_LEAVE = "You can leave this page."
_RESTORING = (
    f"{_LEAVE} Please don’t write anything new until it’s done.",
    "Restore progress",
    "the restore",
)
_IMPORTING = ("Import progress", "the import")
_PROGRESS = {
    ("restore", "waiting"): Progress("Waiting to restore your copy", *_RESTORING),
    ("restore", "making"): Progress("Restoring your copy", *_RESTORING),
    ("restore", "finding"): Progress(
        "Restored. Preparing search",
        "Everything is back. Search will find all of it soon.",
        "Restore progress",
    ),
    ("import", "waiting"): Progress("Waiting to import", _LEAVE, *_IMPORTING),
    ("import", "making"): Progress("Importing", _LEAVE, *_IMPORTING),
    ("import", "finding"): Progress(
        "Imported. Looking for facts",
        f"Everything is here. Facts in it are waiting for you to confirm them. {_LEAVE}",
        *_IMPORTING,
    ),
    ("import", "undoing"): Progress("Removing the import", _LEAVE, "Removal progress"),
}


def copy_section(user_id: UUID) -> dict[str, Any]:
    """Return the latest export with its download link, and the parts of a new one."""
    copy, export = None, exporting.newest(user_id)
    if export is not None:
        is_ready = export.state == Export.State.READY
        link = reverse("privacy:export_file", args=[exporting.signature(export)])
        until = _day(export.expires_at) if export.expires_at else ""
        copy = {
            "export": export,
            "link": link if is_ready else "",
            "until": until,
            "steps": _steps(export),
        }
    return {"copy": copy, "parts": list(PARTS.values())}


def _steps(export: Export) -> list[dict[str, str]]:
    """Return the parts of an export in order, each marked as done, current or next."""
    names = list(export.parts)
    index = names.index(export.gathering) if export.gathering in names else -1
    done = index if index >= 0 else (len(names) if export.done else 0)
    return [
        {
            "label": PARTS[name].label,
            "state": "done" if position < done else "here" if position == index else "next",
        }
        for position, name in enumerate(names)
        if name in PARTS
    ]


def restore_section(user: User) -> dict[str, Any]:
    """Return the last uploaded export, and why none can be uploaded now, if so."""
    restore, brought = Restore.newest(user.pk), None
    if restore is not None:
        name = restore.gathering
        brought = {
            "row": restore,
            "made": _day(restore.copied_at),
            "parts": _restored_parts(restore.rows),
            "words": _PROGRESS.get((restore.KIND, restore.state)),
            "part": PARTS[name].label if name in PARTS else "",
            "left_out": sum(restore.left_out.values()),
        }
    return {
        "brought": brought,
        "cannot_restore": _refusal(lambda: restores.refuse_where_it_cannot_be(user)),
        "most_megabytes": settings.PRIVACY["restore_megabytes"],
    }


# The content of a part in words; other tables are not mentioned.
_COUNTED = {
    "conversations.conversation": ("1 conversation", "{:,} conversations"),
    "conversations.message": ("1 message", "{:,} messages"),
    "conversations.topic": ("1 topic", "{:,} topics"),
    "memory.profilefact": ("1 fact", "{:,} facts"),
    "memory.memory": ("1 memory", "{:,} memories"),
    "memory.memoryblock": ("1 memory block", "{:,} memory blocks"),
    "memory.namespaceentry": ("1 entry from other apps", "{:,} entries from other apps"),
    "ledger.contradiction": ("1 conflict", "{:,} conflicts"),
    "memory.blockedslot": (
        "1 kind of fact that is never noted",
        "{:,} kinds of fact that are never noted",
    ),
    "memory.namespaceconsent": ("1 consent", "{:,} consents"),
    "memory.registerednamespace": ("1 namespace", "{:,} namespaces"),
    "accounts.privacysettings": ("your choices", "your choices"),
    AUDIT: ("1 line", "{:,} lines"),
}
_TAKEN = {table.name for table in TABLES} | set(BY_OPERATION)


def _restored_parts(rows: dict[str, int]) -> list[tuple[str, str]]:
    """Return each restored part with the number of its rows in words."""
    parts = [part for part in PARTS.values() if _TAKEN & set(part.tables) & set(rows)]
    counts = [
        [
            _COUNTED[table][rows[table] != 1].format(rows[table])
            for table in part.tables
            if table in _COUNTED and rows.get(table)
        ]
        for part in parts
    ]
    return [
        (part.label, formatting.listed(counted) or "nothing")
        for part, counted in zip(parts, counts, strict=True)
    ]


def restored_line(line: RestoredLine) -> dict[str, str]:
    """Return a line of a restored history in words; references are not looked up."""
    label = SLOTS[line.slot].label if line.slot in SLOTS else ""
    change = " → ".join(part for part in (line.before, line.after) if part)
    return {
        "when": f"{localtime(line.at):%-d %B %Y, %H:%M}",
        "who": DOERS[AuditEvent.By(line.by)],
        "deed": DEEDS[AuditEvent.Action(line.deed)],
        "about": ": ".join(part for part in (label, change) if part),
        "why": line.why,
    }


def import_section(user: User) -> dict[str, Any]:
    """Return the last uploaded file, earlier imports, and why none can be uploaded now, if so."""
    newest = Import.newest(user.pk)
    earlier = Import.owned(user.pk).filter(state__in=[Import.State.READY, Import.State.FAILED])
    earlier = earlier.exclude(pk__in=[newest.pk] if newest else []).order_by("-asked_at")
    return {
        "brought": _uploaded_import(newest) if newest else None,
        "earlier": [_uploaded_import(row) for row in earlier],
        "cannot_import": _refusal(lambda: imports.refuse_with_memory_off(user)),
        "kept_days": PrivacySettings.of(user.pk).conversation_days,
        "most_megabytes": settings.PRIVACY["restore_megabytes"],
    }


def _uploaded_import(row: Import) -> dict[str, Any]:
    days = [_day(at) for at in (row.first_at, row.last_at) if at is not None]
    return {
        "row": row,
        "source": row.get_source_display(),
        "counts": counting.in_words(row),
        "span": " to ".join(dict.fromkeys(days)) if len(days) == 2 else "",
        "day": _day(row.asked_at),
        # The largest number first.
        "skipped": sorted(row.skipped.items(), key=lambda reason: -reason[1]),
        "words": _PROGRESS.get((row.KIND, row.state)),
    }


# --- Decisions about an import --------------------------------------------------------------------


def decisions(row: Import) -> dict[str, Any]:
    """Return everything in an import that waits for a decision."""
    return {
        "row": row,
        "waiting": deciding.waiting_of(row).count(),
        "slots": [
            {"offered": offered, "values": [_value(value) for value in offered.values[:SHOWN]]}
            for offered in deciding.slots_of(row)
        ],
        "groups": [_group(group) for group in deciding.notes_of(row, SHOWN)],
    }


def _value(value: deciding.OfferedValue) -> dict[str, Any]:
    """Return a value with how often and when it was said: "3 messages, 2021 to 2023"."""
    message = value.memory.source_message
    span = _span(localtime(value.first_at), localtime(value.last_at))
    return {
        "memory": value.memory,
        "told": f"{value.count:,} message{'s' if value.count != 1 else ''}, {span}",
        "url": message.get_absolute_url() if message else "",
    }


def _group(group: deciding.OfferedNotes) -> dict[str, Any]:
    """Return the memories of one conversation or month for the page."""
    rows = [note_row(note, now()) for note in group.notes]
    talk = group.notes[0].source_conversation
    month = f"{localtime(group.notes[0].said_at):%B %Y}"
    return {
        "key": group.key,
        "title": rows[0].source_words if talk else month,
        "url": talk.get_absolute_url() if talk else "",
        "notes": rows,
    }


def _span(first: datetime, last: datetime) -> str:
    if first.year != last.year:
        return f"{first.year} to {last.year}"
    return " to ".join(dict.fromkeys([f"{first:%B}", f"{last:%B}"])) + f" {last.year}"


def _refusal(refuse: Any) -> str:
    """Return why an action is refused now; '' if it is allowed."""
    try:
        refuse()
    except Refused as refused:
        return str(refused)
    return ""


def _day(at: datetime) -> str:
    today: date = localtime(now()).date()
    return formatting.plain_date(localtime(at).date(), today)
