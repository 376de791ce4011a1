"""Every address of the site, visited by its owner, a stranger, staff and nobody at all.

The table is compared with the resolver: a new address fails here until it says who may enter.
"""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache, partial
from typing import Any
from uuid import UUID

import pytest
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.timezone import localdate, now
from pytest_django import DjangoDbBlocker, Settings

from accounts import work
from accounts.access import sub_users, tokens
from accounts.access.scopes import PEOPLE
from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import ApiToken, PrivacySettings, SubUser, User
from config.front import demo_look
from conversations.calendars import feed
from conversations.demo.logins import TALKER
from conversations.models import (
    CalendarFeed,
    Conversation,
    ConversationTopic,
    LearningOutcome,
    Message,
    PlanMark,
    Topic,
)
from conversations.tools.plans import plans_between
from conversations.tools.tool import ToolContext
from ledger import erasure
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction
from memory import manager, sharing
from memory.blocks import private_blocks
from memory.core.scope import Scope
from memory.facts import blocked_slots, revision
from memory.language.origin import Origin
from memory.lessons import contribution
from memory.models import (
    BlockedSlot,
    Lesson,
    LessonSupport,
    Memory,
    MemoryBlock,
    Merge,
    MergedMemory,
    NamespaceConsent,
    NamespaceEntry,
    Override,
    ProfileFact,
    ProfileShare,
)
from memory.notes import note_store
from memory.notes.drafts import NoteDraft
from personas import membership, seeding
from personas.models import Persona, UserPersona
from privacy import exporting
from privacy.models import (
    Export,
    ExportPiece,
    Import,
    ImportedRow,
    ImportPiece,
    Restore,
    RestoredLine,
    RestorePiece,
)
from tests.once import made_once, rolled_back, undone
from tests.people import PASSWORD, Talk, client_for, the_fact
from tests.process_state import forget_reads
from webhooks import endpoints
from webhooks.models import Event, WebhookDelivery, WebhookEndpoint

# Whole applications of others, which have their own tests of who may enter.
# Of others: allauth, the admin, and what METRICS_TOKEN opens (tests/config/test_telemetry.py).
GROUPS = ("accounts/", "admin/", "metrics")
# Words that only the owner's rows hold.
SECRETS = (
    "Qwertzfirm",
    "Zephyrsoft",
    "Alphaville",
    "Wilhelmina",
    "Xylophonia",
    "Thistlewick",
    "alice@example.org",
)


# Stands for the id of the door's row in what is sent.
ROW = "<row>"
HANDLE = "qsr_real_estate"
# What a client of OpenAI's API says in the conversation of a row.
IN_A_CONVERSATION = {
    "model": "throughline",
    "messages": [{"role": "user", "content": "Where do I live?"}],
    "metadata": ROW,
}
# Its host has no address.
HOOK = {"url": "https://hooks.invalid/", "events": "memory.added"}
NEXT_MONTH = (localdate() + timedelta(30)).isoformat()


@dataclass(frozen=True)
class Door:
    """One way to knock at an address. `row` names the owner's row whose id stands in it, or in
    what is sent; `stranger` is what somebody else is answered who knows it.
    """

    route: str
    method: str = "get"
    row: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    anonymous: int = 302
    stranger: int = 404
    # What its owner is answered where that is no success.
    owner: int = 0
    # What staff are answered where that is not what strangers are.
    staff: int = 0

    @property
    def is_api(self) -> bool:
        return self.route.startswith(("api/v1/", "v1/", "v2/", "v3/"))

    def answer_to(self, visitor: str) -> int:
        """What Bob, a stranger, or Mira of the staff is answered."""
        return (visitor == "mira" and self.staff) or self.stranger

    def __str__(self) -> str:
        return f"{self.method} /{self.route}"


def api(route: str, method: str = "get", row: str = "", **data: Any) -> Door:
    return Door(f"api/v1/{route}", method, row, data, anonymous=401)


def mem0(route: str, method: str = "get", row: str = "", **data: Any) -> Door:
    """One that a client of mem0 calls."""
    return Door(route, method, row, data, anonymous=401)


def everybodys(route: str, row: str, answered: int, **data: Any) -> Door:
    """What anybody may do for themselves, at an address that tells nothing of anybody."""
    return Door(f"api/v1/{route}", "post", row, data, anonymous=401, stranger=answered)


DOORS = [
    Door("", anonymous=200),
    Door("look/", "post"),
    Door("look/leave/", "post", stranger=302),
    Door("manifest.webmanifest", anonymous=200),
    Door("robots.txt", anonymous=200),
    Door("api/", anonymous=200),
    Door("api/schema", anonymous=200),
    Door("api/docs", anonymous=200),
    Door("talk/"),
    Door("talk/start/", "post", data={"content": "Hello there"}),
    Door("talk/<uuid:pk>/", row="conversation"),
    Door("talk/<uuid:pk>/messages/", "post", "conversation", {"content": "Hello again"}),
    Door("talk/<uuid:pk>/rename/", "get", "conversation"),
    Door("talk/<uuid:pk>/rename/", "post", "conversation", {"title": "Another name"}),
    Door("talk/archived/"),
    Door("talk/<uuid:pk>/archive/", "post", "conversation", {"away": "1"}),
    Door("talk/<uuid:pk>/pin/", "post", "conversation", {"pinned": "1"}),
    Door("talk/<uuid:pk>/export.md", row="conversation"),
    Door("talk/<uuid:pk>/export.json", row="conversation"),
    Door("talk/<uuid:pk>/delete/", "get", "conversation"),
    Door("talk/<uuid:pk>/delete/", "post", "conversation"),
    Door("messages/<uuid:pk>/again/", "post", "last_answer"),
    Door("messages/<uuid:pk>/edit/", "get", "question"),
    Door("messages/<uuid:pk>/edit/", "post", "question", {"content": "Hello", "up_to": "6"}),
    Door("messages/<uuid:pk>/delete/", "get", "answer"),
    Door("messages/<uuid:pk>/delete/", "post", "answer"),
    # Opened by a script, which could do nothing with a page to sign in.
    Door("messages/<uuid:pk>/stream/", "get", "answer", anonymous=403),
    Door("messages/<uuid:pk>/stop/", "post", "answer"),
    Door("messages/<uuid:pk>/retry/", "post", "answer"),
    Door("search/", data={"q": "dog work live", "role": "both"}),
    Door("messages/<uuid:pk>/steps/<int:place>/", "post", "answer", {"answer": "no"}),
    Door("messages/<uuid:pk>/claims/<int:place>/", "post", "answer", {"deed": "keep"}),
    Door("messages/<uuid:pk>/note/", "post", "question"),
    Door("notes/<uuid:pk>/undo/", "post", "note"),
    Door("notes/<uuid:pk>/edit/", "post", "note", {"value": "Bob was here"}),
    Door("talk/<uuid:pk>/keep/", "post", "conversation"),
    Door("talk/<uuid:pk>/privacy/", "post", "conversation", {"privacy": "private"}),
    Door("talk/<uuid:pk>/unlearn/", "post", "conversation"),
    Door("talk/<uuid:pk>/relearn/", "post", "conversation"),
    Door("notes/<uuid:pk>/restore/", "post", "note"),
    Door("notes/<uuid:pk>/widen/", "post", "override_note"),
    Door("notes/<uuid:pk>/anyway/", "post", "note"),
    Door("notes/<uuid:pk>/role/", "post", "role_note", {"answer": "no"}),
    Door("talk/here/<uuid:pk>/widen/", "post", "override"),
    Door("messages/<uuid:pk>/listened/", row="answer"),
    Door("messages/<uuid:pk>/why/", row="answer"),
    Door("messages/<uuid:pk>/leave-out/", "post", "answer"),
    Door("insights/", data={"period": "all"}),
    Door("notebook/coming-up/"),
    Door("notebook/coming-up/plans.ics"),
    Door("notebook/coming-up/calendar/", "post"),
    Door("notebook/coming-up/calendar/", "post", data={"close": "1"}),
    Door("notebook/coming-up/<uuid:pk>/done/", "post", "plan"),
    Door("notebook/coming-up/<uuid:pk>/snooze/", "post", "plan", {"until": NEXT_MONTH}),
    Door("notebook/coming-up/<uuid:pk>/undo/", "post", "plan"),
    Door("calendar/<str:token>.ics", row="calendar", anonymous=200, stranger=200),
    # Staff are asked for their password first.
    Door("notebook/model/", owner=403, stranger=403, staff=302),
    Door("notebook/model/", "post", data={"deed": "remove"}, owner=403, stranger=403, staff=302),
    Door("topics/"),
    Door("topics/<uuid:pk>/", row="topic"),
    Door("topics/<uuid:pk>/rename/", "get", "topic"),
    Door("topics/<uuid:pk>/rename/", "post", "topic", {"name": "Another name"}),
    Door("topics/<uuid:pk>/remove/", "post", "topic"),
    Door("notebook/profile/"),
    Door("notebook/profile/add/"),
    Door("notebook/profile/add/", "post", data={"slot": "pets", "value": "a tortoise"}),
    Door("notebook/facts/<uuid:pk>/edit/", "get", "fact"),
    Door("notebook/facts/<uuid:pk>/edit/", "post", "fact", {"value": "Lisbon"}),
    Door("notebook/facts/<uuid:pk>/confirm/", "post", "fact"),
    Door("notebook/facts/<uuid:pk>/remove/", "post", "fact"),
    Door("notebook/facts/<uuid:pk>/restore/", "post", "removed_fact"),
    Door("notebook/facts/<uuid:pk>/over/", "post", "fact", {"over": "2024-03-14"}),
    Door("notebook/facts/<uuid:pk>/narrow/", "post", "fact"),
    Door("notebook/facts/<uuid:pk>/why/", "get", "fact"),
    # Of a line that is gone the page is told in words, and of somebody else's the same ones.
    Door("notebook/memories/<uuid:pk>/erase/", "get", "memory", stranger=302),
    Door("notebook/memories/<uuid:pk>/erase/", "post", "memory", stranger=302),
    Door("notebook/erasures/"),
    Door("notebook/erasures/<uuid:pk>/", row="erasure"),
    Door("notebook/facts/<uuid:pk>/erase/", "get", "fact", stranger=302),
    Door("notebook/facts/<uuid:pk>/erase/", "post", "fact", stranger=302),
    Door("notebook/privacy/"),
    Door("notebook/privacy/", "post", data={"choice": "ask", "on": "1"}),
    Door("notebook/privacy/never/", data={"slot": "location"}),
    Door("notebook/privacy/never/", "post", data={"slot": "location"}),
    Door("notebook/privacy/again/", "post", data={"slot": "location"}),
    Door("notebook/privacy/kept/", data={"conversation_days": "30"}),
    Door("notebook/privacy/kept/", "post", data={"conversation_days": "90"}),
    Door("notebook/privacy/consents/withdraw/", "post", data={"name": "memory"}),
    Door("notebook/privacy/copy/", "post", data={"parts": "profile"}),
    Door("notebook/privacy/copy/progress/"),
    Door("notebook/privacy/copy/<uuid:pk>/cancel/", "post", "waiting_export", stranger=302),
    Door("notebook/privacy/copy/file/<str:signed>", row="signed"),
    # A form without its file.
    Door("notebook/privacy/restore/", "post", owner=422, stranger=422),
    Door("notebook/privacy/restore/progress/"),
    Door("notebook/privacy/restore/history/"),
    Door("notebook/privacy/restore/<uuid:pk>/accept/", "post", "restore", stranger=302),
    Door("notebook/privacy/restore/<uuid:pk>/cancel/", "post", "restore", stranger=302),
    Door("notebook/privacy/import/"),
    Door("notebook/privacy/import/", "post", owner=422, stranger=422),
    Door("notebook/privacy/import/progress/"),
    Door("notebook/privacy/import/<uuid:pk>/accept/", "post", "import", stranger=302),
    Door("notebook/privacy/import/<uuid:pk>/cancel/", "post", "import", stranger=302),
    Door("notebook/privacy/import/<uuid:pk>/decide/", row="done_import"),
    Door("notebook/privacy/import/<uuid:pk>/decide/", "post", "done_import"),
    Door("notebook/privacy/import/<uuid:pk>/undo/", "post", "done_import", stranger=302),
    Door("account/sign-ins/<int:pk>/end/", "post", "sign_in"),
    Door("account/sign-ins/end/", "post"),
    Door("account/delete/"),
    Door("account/delete/", "post", data={"password": PASSWORD}),
    Door("account/keep/", "post"),
    Door("notebook/activity/"),
    Door("notebook/activity/<str:name>/", row="namespace", stranger=200),
    Door("notebook/activity/<str:name>/allow/", "post", "namespace", {"on": "1"}, stranger=302),
    Door("notebook/activity/<str:name>/remove/", "post", "namespace", {"key": "wilbur"}),
    Door("notebook/cohort/"),
    Door("notebook/cohort/write/", "post", "handle", {"text": "Put two sites in one table."}),
    Door("notebook/cohort/sharing/", "post", data={"on": "1"}),
    Door("notebook/cohort/shared/<slug:handle>/", row="handle"),
    Door("notebook/cohort/lessons/<uuid:pk>/agree/", "post", "lesson"),
    Door("notebook/cohort/lessons/<uuid:pk>/withdraw/", "post", "lesson"),
    Door("notebook/cohort/lessons/<uuid:pk>/report/", "get", "lesson"),
    Door("notebook/cohort/lessons/<uuid:pk>/report/", "post", "lesson", {"kind": "wrong"}),
    Door("notebook/cohort/roles/"),
    Door("notebook/cohort/roles/propose/", "post", data={"industry": "Mining", "role": "Diver"}),
    # Whether one works as something, anybody may say of themselves.
    Door("notebook/cohort/roles/<slug:handle>/", "post", "handle", {"answer": "no"}, stranger=302),
    Door("notebook/cohort/blocks/"),
    Door(
        "notebook/cohort/blocks/<slug:label>/",
        "post",
        "own_label",
        {"content": "Keeps goats", "version": "1"},
        stranger=409,
    ),
    Door("notebook/memories/"),
    Door("notebook/memories/switch/", "post", data={"on": "0"}),
    Door("notebook/memories/add/"),
    Door(
        "notebook/memories/add/",
        "post",
        data={"category": "topic", "content": "Learning to throw pots on a wheel"},
    ),
    Door("notebook/memories/<uuid:pk>/edit/", "get", "memory"),
    Door(
        "notebook/memories/<uuid:pk>/edit/",
        "post",
        "memory",
        {"content": "Rows on the lake every Sunday morning", "priority": "3"},
    ),
    Door("notebook/memories/<uuid:pk>/pause/", "post", "memory"),
    Door("notebook/memories/<uuid:pk>/remove/", "post", "memory"),
    Door("notebook/memories/<uuid:pk>/restore/", "post", "removed_memory"),
    Door("notebook/memories/<uuid:pk>/why/", "get", "memory"),
    Door("notebook/memories/merges/<uuid:pk>/undo/", "post", "merge"),
    Door("notebook/timeline/"),
    Door("notebook/conflicts/"),
    Door("notebook/conflicts/<uuid:pk>/", "get", "conflict"),
    Door("notebook/conflicts/<uuid:pk>/resolve/", "post", "conflict", {"resolution": "keep_new"}),
    Door("notebook/history/"),
    Door("notebook/history/history.csv"),
    Door("notebook/history/history.json"),
    Door("notebook/shares/"),
    Door("notebook/shares/new/"),
    Door(
        "notebook/shares/new/",
        "post",
        "fact",
        {"name": "For the fair", "days": "7", "facts": ROW},
        stranger=422,
    ),
    Door("notebook/shares/<uuid:pk>/revoke/", "post", "share"),
    Door("shared/<str:token>", row="token", anonymous=200, stranger=200),
    Door("notebook/conflicts/<uuid:pk>/later/", "get", "conflict"),
    Door("notebook/conflicts/<uuid:pk>/undo/", "post", "settled"),
    Door("notebook/conflicts/<uuid:pk>/help/", "post", "conflict"),
    Door("notebook/proposals/<uuid:pk>/accept/", "post", "waiting_memory"),
    Door("notebook/proposals/<uuid:pk>/decline/", "post", "waiting_memory"),
    Door("notebook/proposals/from/<uuid:pk>/accept/", "post", "conversation"),
    Door("notebook/proposals/from/<uuid:pk>/decline/", "post", "conversation"),
    Door("account/"),
    Door("account/", "post", data={"name": "Someone", "theme": "dark"}),
    Door("account/theme/", "post", data={"theme": "dark"}, stranger=302),
    Door("account/tokens/"),
    # Their password is asked for first.
    Door("account/tokens/", "post", data={"name": "A script", "days": "7"}, stranger=302),
    Door("account/tokens/<uuid:pk>/revoke/", "post", "token_key"),
    Door("account/webhooks/"),
    Door("account/webhooks/", "post", data=HOOK, stranger=302),
    Door("account/webhooks/<uuid:pk>/", row="webhook"),
    Door("account/webhooks/<uuid:pk>/", "post", "webhook", HOOK, stranger=302),
    Door("account/webhooks/<uuid:pk>/secret/", "post", "webhook", stranger=302),
    Door("account/webhooks/<uuid:pk>/switch/", "post", "webhook", {"on": "0"}),
    Door("account/webhooks/<uuid:pk>/test/", "post", "webhook"),
    Door("account/webhooks/<uuid:pk>/delete/", "post", "webhook"),
    Door("account/webhooks/<uuid:pk>/log/<uuid:delivery_pk>/", row="webhook"),
    Door("account/webhooks/<uuid:pk>/log/<uuid:delivery_pk>/", "post", "webhook"),
    Door("account/forget-everything/"),
    Door("account/forget-everything/", "post", data={"confirm": "forget everything"}),
    api("conversations"),
    api("conversations", "post", title="A talk"),
    api("conversations/<uuid:pk>", row="conversation"),
    api("conversations/<uuid:pk>", "patch", "conversation", privacy="private"),
    api("conversations/<uuid:pk>/messages", row="conversation"),
    api("conversations/<uuid:pk>/messages", "post", "conversation", content="Hello there"),
    api(
        "conversations/<uuid:pk>/ingest",
        "post",
        "conversation",
        messages=[{"role": "user", "content": "Hello there"}],
    ),
    everybodys("context", "", 200, question="Where do I live?"),
    api("tools"),
    Door("api/v1/tools/<slug:name>", "post", "tool", {}, anonymous=401, stranger=200),
    api("conversations/<uuid:pk>/unlearn", "post", "conversation"),
    api("conversations/<uuid:pk>", "delete", "conversation"),
    api("messages/<uuid:pk>", "delete", "answer"),
    api("messages/<uuid:pk>/regenerate", "post", "last_answer"),
    api("messages/<uuid:pk>/stream", row="answer"),
    api("messages/<uuid:pk>/stop", "post", "answer"),
    api("search", q="dog", role="both"),
    api("insights", period="all"),
    api("plans"),
    api("plans/<uuid:pk>/done", "post", "plan"),
    api("plans/<uuid:pk>/snooze", "post", "plan", until=NEXT_MONTH),
    api("plans/<uuid:pk>/undo", "post", "plan"),
    api("conversations/<uuid:pk>/topics", row="conversation"),
    api("topics"),
    api("topics/<uuid:pk>", "patch", "topic", name="Another name"),
    api("topics/<uuid:pk>", "delete", "topic"),
    api("topics/<uuid:pk>/conversations", row="topic"),
    api("profile"),
    api("profile", "post", slot="pets", value="a tortoise"),
    api("profile/blocked"),
    api("profile/blocked", "post", slot="location"),
    Door("api/v1/profile/blocked/<slug:slot>", "delete", "closed", anonymous=401),
    api("profile/<uuid:pk>", row="fact"),
    api("profile/<uuid:pk>", "patch", "fact", value="Lisbon"),
    api("profile/<uuid:pk>", "delete", "fact"),
    api("profile/<uuid:pk>/confirm", "post", "fact"),
    api("profile/<uuid:pk>/erase", row="fact"),
    api("profile/<uuid:pk>/erase", "post", "fact"),
    api("conversations/<uuid:pk>/erase", row="conversation"),
    api("erasures"),
    api("erasures/<uuid:pk>", row="erasure"),
    api("profile/<uuid:pk>/narrow", "post", "fact"),
    api("profile/<uuid:pk>/restore", "post", "removed_fact"),
    api("privacy"),
    api("privacy", "patch", promotion="ask"),
    api("retention", conversation_days="30"),
    api("retention", "patch", conversation_days="30"),
    api("consents"),
    api("consents/<str:name>", "delete", "consent"),
    api("exports"),
    # Her own waits already.
    Door("api/v1/exports", "post", anonymous=401, owner=409),
    api("exports/<uuid:pk>", row="export"),
    api("exports/<uuid:pk>", "delete", "waiting_export"),
    api("exports/<uuid:pk>/file", "get", "export", signature=ROW),
    api("forget-everything"),
    api("restores"),
    # A file comes as a form.
    Door("api/v1/restores", "post", anonymous=401, owner=415, stranger=415),
    api("restores/<uuid:pk>", row="restore"),
    api("restores/<uuid:pk>", "delete", "restore"),
    # There is something in her account.
    Door("api/v1/restores/<uuid:pk>/accept", "post", "restore", anonymous=401, owner=409),
    api("imports"),
    Door("api/v1/imports", "post", anonymous=401, owner=415, stranger=415),
    api("imports/<uuid:pk>", row="import"),
    api("imports/<uuid:pk>", "delete", "import"),
    api("imports/<uuid:pk>/accept", "post", "import"),
    api("imports/<uuid:pk>/decisions", row="done_import"),
    Door("api/v1/imports/<uuid:pk>/decisions", "post", "done_import", anonymous=401, owner=400),
    api("imports/<uuid:pk>/decisions", "delete", "done_import"),
    api("imports/<uuid:pk>/undo", "post", "done_import"),
    api("forget-everything", "post", confirm="forget everything"),
    api("memory"),
    api("memory", "patch", on=False),
    api("memories"),
    api("memories", "post", content="Learning to throw pots on a wheel"),
    api("memories/bulk", "post", memories=[{"content": "Learning to throw pots"}]),
    api("memories/<uuid:pk>", row="memory"),
    api("memories/<uuid:pk>", "patch", "memory", content="Rows on the lake every Sunday"),
    api("memories/<uuid:pk>", "delete", "memory"),
    api("memories/<uuid:pk>/erase", "post", "memory"),
    api("notes/<uuid:pk>/anyway", "post", "note"),
    api("audit"),
    api("tokens"),
    api("tokens", "post", name="A script", password=PASSWORD),
    api("tokens/<uuid:pk>", "delete", "token_key"),
    api("webhooks"),
    Door("api/v1/webhooks", "post", data=HOOK, anonymous=401, owner=400, stranger=400),
    api("webhooks/<uuid:pk>", row="webhook"),
    api("webhooks/<uuid:pk>", "patch", "webhook", name="Another name"),
    api("webhooks/<uuid:pk>", "delete", "webhook"),
    api("webhooks/<uuid:pk>/secret", "post", "webhook"),
    api("webhooks/<uuid:pk>/test", "post", "webhook"),
    api("webhooks/<uuid:pk>/deliveries", row="webhook"),
    api("webhooks/<uuid:pk>/deliveries/<uuid:delivery_pk>", row="webhook"),
    api("webhooks/<uuid:pk>/deliveries/<uuid:delivery_pk>/send", "post", "webhook"),
    api("shares"),
    Door(
        "api/v1/shares",
        "post",
        "fact",
        {"name": "For the fair", "days": "7", "facts": ROW},
        anonymous=401,
        stranger=400,
    ),
    api("shares/<uuid:pk>", "delete", "share"),
    api("personas"),
    api("personas/mine"),
    api("personas/proposals"),
    api("personas/proposals", "post", industry="Mining", role="Surveyor"),
    everybodys("personas/<slug:handle>/confirm", "handle", 200, share=True),
    everybodys("personas/<slug:handle>/decline", "other_handle", 204),
    api("personas/<slug:handle>/leave", "post", "handle"),
    api("blocks"),
    api("blocks/<slug:label>", row="label"),
    Door("api/v1/blocks/<slug:label>/history", row="own_label", anonymous=401, stranger=200),
    api("experience"),
    api("experience", "post", "handle", persona=HANDLE, text="Put two sites in one table."),
    api("experience/mine"),
    api("experience/reports"),
    api("experience/sharing"),
    api("experience/sharing", "put", on=True),
    api("experience/<uuid:pk>/agree", "post", "lesson"),
    api("experience/<uuid:pk>/withdraw", "post", "lesson"),
    api("experience/<uuid:pk>/report", "post", "lesson", kind="wrong"),
    api("namespaces"),
    api("namespaces", "post", name="my.books", purpose="Books", schema={"properties": {"t1": {}}}),
    Door("api/v1/namespaces/<str:name>", row="namespace", anonymous=401, stranger=200),
    # It is no namespace of one’s own.
    Door("api/v1/namespaces/<str:name>", "delete", "namespace", {}, 401, 422, 422),
    # Every namespace is there for everybody, and holds nothing of anybody else's.
    *(
        Door(f"api/v1/namespaces/<str:name>/{rest}", verb, "namespace", {}, 401, stranger=200)
        for verb, rest in (("put", "consent"), ("delete", "consent"), ("get", "entries"))
    ),
    Door("api/v1/namespaces/<str:name>/entries/<path:key>", row="namespace", anonymous=401),
    Door(
        "api/v1/namespaces/<str:name>/entries/<path:key>",
        "put",
        "namespace",
        {"name": "Wilbur"},
        anonymous=401,
        stranger=200,
    ),
    Door("api/v1/namespaces/<str:name>/entries/<path:key>", "delete", "namespace", anonymous=401),
    api("events"),
    api("traces"),
    Door("v1/models", anonymous=401),
    Door("v1/models/<path:name>", anonymous=401),
    Door("v1/chat/completions", "post", "conversation", IN_A_CONVERSATION, anonymous=401),
    api("people"),
    api("people", "post", external_id="u-9"),
    api("people/<uuid:pk>", row="person"),
    api("people/<uuid:pk>", "delete", "person"),
    mem0("v1/ping/"),
    mem0("v3/memories/add/", "post", messages="I live in Leeds"),
    mem0("v3/memories/search/", "post", query="Where do I live?"),
    mem0("v3/memories/", "post"),
    # The person stands behind the "?"; see test_mem0_client.
    Door("v1/memories/", "delete", anonymous=401, owner=400, stranger=400),
    mem0("v1/memories/<str:memory_id>/", row="memory"),
    mem0("v1/memories/<str:memory_id>/", "put", "memory", text="Rows on the lake every Sunday"),
    mem0("v1/memories/<str:memory_id>/", "delete", "memory"),
    mem0("v1/memories/<str:memory_id>/history/", row="memory"),
    mem0("v1/entities/"),
    mem0("v2/entities/<str:kind>/<path:who>/", "delete", "person"),
    mem0("v1/batch/", "put", "memory", memories=ROW),
    mem0("v1/batch/", "delete", "memory", memories=ROW),
    api("timeline"),
    api("conflicts"),
    api("conflicts/<uuid:pk>", row="conflict"),
    api("conflicts/<uuid:pk>/resolve", "post", "conflict", resolution="keep_old"),
    api("conflicts/<uuid:pk>/undo", "post", "settled"),
    api("conflicts/<uuid:pk>/help", "post", "conflict"),
    api("proposals"),
    api("proposals/<uuid:pk>/accept", "post", "waiting_memory"),
    api("proposals/<uuid:pk>/decline", "post", "waiting_memory"),
    api("proposals/from/<uuid:pk>/accept", "post", "conversation"),
    api("proposals/from/<uuid:pk>/decline", "post", "conversation"),
]


def routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from routes(entry, route)
        else:
            assert isinstance(entry, URLPattern)
            yield route


def test_every_address_is_in_the_table_and_no_other() -> None:
    found = {route for route in routes(get_resolver()) if not route.startswith(GROUPS)}
    assert found == {door.route for door in DOORS}
    assert len(found) > 25


@pytest.fixture(scope="module")
def opened(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[User, dict[str, Any]]]:
    """Alice, and one row of hers for each kind of id that stands in an address."""
    with made_once(django_db_blocker):
        alice = User.objects.create_user("alice@example.org", PASSWORD, name="Alice")
        yield alice, rows_of(alice)


@pytest.fixture
def db(opened: object, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        work.beat()
        yield


@pytest.fixture
def alice(db: None, opened: tuple[User, dict[str, Any]]) -> User:
    return User.objects.get(pk=opened[0].pk)


@pytest.fixture
def rows(opened: tuple[User, dict[str, Any]]) -> dict[str, Any]:
    return opened[1]


def rows_of(alice: User) -> dict[str, Any]:
    """One for each name that a door may give."""
    there = Talk(alice)
    answer = there.say("I work at Qwertzfirm and live in Alphaville")
    there.say("My dog is called Wilhelmina and I speak German")
    for text in ("I work at Zephyrsoft", "My birthday is 3 May", "My birthday is 4 June"):
        Talk(alice).say(text)
    last = there.say("call me Tortuga in this chat")
    fact, gone = the_fact(alice, "location"), the_fact(alice, "languages")
    assert there.conversation is not None
    client_for(alice).post(f"/notebook/facts/{gone.pk}/remove/")
    learned = learned_by(alice)
    with acting_as(alice):
        return (
            notes_of(alice, there)
            | learned
            | {
                "conversation": there.conversation.pk,
                "topic": topic_of(there.conversation).pk,
                "answer": answer.pk,
                "last_answer": last.pk,
                "question": Message.objects.get(conversation=there.conversation, number=1).pk,
                "note": LearningOutcome.objects.get(fact=fact).pk,
                "fact": fact.pk,
                **shared_by(alice),
                **planned_by(alice),
                "removed_fact": gone.pk,
                "conflict": Contradiction.objects.open().get(slot="employer").pk,
                "settled": settled_of(alice).pk,
                "override": Override.objects.latest("created_at").pk,
                "override_note": LearningOutcome.objects.get(kind=LearningOutcome.Kind.OVERRIDE).pk,
                "closed": blocked_slots.block_slot(alice.pk, "vehicle").slot,
                "tool": "memory_export",
                "consent": "namespace:shared.people",
                "namespace": entry_of(alice),
                # An erasure takes copies along.
                "erasure": erased_by(alice),
                **copies_of(alice),
                "person": sub_users.create(alice, "Xylophonia", "Thistlewick")[0].person_id,
                "token_key": tokens.make(alice, "Thistlewick")[0].pk,
                **told_of(alice),
            }
        )


def told_of(alice: User) -> dict[str, Any]:
    """An endpoint that is told of what happens, and one event for it."""
    endpoint, _ = endpoints.register(
        alice, "https://hooks.invalid/", [Event.ADDED], "To Thistlewick"
    )
    revision.write_by_hand(alice.pk, "interests", "the Zephyrsoft choir")
    return {"webhook": endpoint.pk, "webhook_delivery": endpoints.log_of(endpoint).get().pk}


def erased_by(alice: User) -> Any:
    """The receipt of a fact that she erased."""
    made = erasure.erase(revision.write_by_hand(alice.pk, "interests", "Marmaladia"))
    assert made is not None
    return made.pk


def copies_of(alice: User) -> dict[str, Any]:
    """A copy that is ready, one that waits, one that she brought, and where she is signed in."""
    ready = Export.objects.create(
        user=alice,
        parts=["profile"],
        state=Export.State.READY,
        made_at=now(),
        expires_at=now() + timedelta(days=1),
    )
    ExportPiece.objects.create(user=alice, export=ready, number=0, data=b"Xylophonia")
    waiting = Export.objects.create(user=alice, parts=["profile"], asked_at=ready.asked_at)
    signed_in = UserSession.objects.create(
        user=alice, ip="192.0.2.7", session_key="Qwertzfirm", user_agent="Thistlewick"
    )
    brought = Restore.objects.create(
        user=alice, version=2, copied_at=ready.asked_at, rows={}, size=9
    )
    RestorePiece.objects.create(user=alice, restore=brought, number=0, data=b"Xylophonia")
    RestoredLine.objects.create(
        user=alice,
        copied_at=ready.asked_at,
        at=ready.asked_at,
        by="talk",
        deed="noted",
        slot="location",
        after="Alphaville",
    )
    return {
        **imports_of(alice),
        "restore": brought.pk,
        "export": ready.pk,
        "waiting_export": waiting.pk,
        "signed": exporting.signature(ready),
        "sign_in": signed_in.pk,
    }


def imports_of(alice: User) -> dict[str, Any]:
    """A file of another assistant that she brought, and one that was imported."""
    brought = Import.objects.create(user=alice, source="mem0", memories=1, size=9)
    ImportPiece.objects.create(user=alice, brought=brought, number=0, data=b"Xylophonia")
    done = Import.objects.create(user=alice, source="mem0", size=9, state=Import.State.READY)
    ImportedRow.objects.create(user=alice, brought=done, memory=done.pk)
    Import.objects.filter(pk=done.pk).update(asked_at=brought.asked_at - timedelta(hours=1))
    return {"import": brought.pk, "done_import": done.pk}


def entry_of(alice: User) -> str:
    """The namespace in which other software keeps one entry for her."""
    manager.allow(alice, "shared.people", on=True)
    person = {"name": "Wilbur", "note": "Keeps goats at Thistlewick"}
    manager.write(alice.pk, "shared.people", "wilbur", person, by=manager.By.SOFTWARE)
    return "shared.people"


def learned_by(alice: User) -> dict[str, Any]:
    """A role of hers, and a lesson of it that its members read."""
    seeding.seed()
    role = Persona.objects.get(handle=HANDLE)
    with acting_as(alice):
        membership.confirm(alice.pk, role)
        made = contribution.contribute_lesson(
            alice,
            role,
            "Show visits beside parking in one table.",
            source=contribution.LessonSource.OWNER,
        )
        private_blocks.write(alice, "human", "Keeps bees at Thistlewick", 0)
    assert made.lesson is not None
    with acting_as_cohort():
        Lesson.objects.filter(pk=made.lesson.pk).update(approved_at=now())
    label = role.block_label
    return {
        "handle": HANDLE,
        "other_handle": "tobacco_consumer_insights",
        "label": label,
        "own_label": "human",
        "lesson": made.lesson.pk,
    }


def topic_of(conversation: Conversation) -> Topic:
    topic = Topic.objects.create(user=conversation.user, name="Xylophonia", key="xylophonia")
    ConversationTopic.objects.create(
        user=conversation.user,
        conversation=conversation,
        topic=topic,
        weight=0.5,
        messages=2,
        first_at=conversation.started_at,
        last_at=conversation.last_at,
    )
    return topic


def settled_of(alice: User) -> Contradiction:
    entry = Contradiction.objects.open().get(slot="birthday")
    resolve(entry, Answer("keep_old"), by=alice)
    return entry


def notes_of(alice: User, there: Talk) -> dict[str, Any]:
    """A note in use, one removed, one that waits for a yes, and a merge."""
    assert there.conversation is not None
    note = note_store.write_by_hand(alice.pk, "Plays at the Xylophonia festival each summer")
    gone = note_store.write_by_hand(alice.pk, "Keeps bees on the roof at Thistlewick")
    other = note_store.write_by_hand(alice.pk, "Performs every summer in Xylophonia")
    note_store.remove_note(gone)
    merge = Merge.objects.create(user=alice, kept=note, trust_before=0.9, made_at=note.said_at)
    MergedMemory.objects.create(user=alice, merge=merge, memory=other)
    Memory.objects.filter(pk=other.pk).update(status=Memory.Status.MERGED, superseded_by=note)
    draft = NoteDraft(
        content="Cycles to Thistlewick on market days",
        category=Memory.Category.FACT,
        kind=Memory.Kind.SEMANTIC,
        confidence=0.9,
        trust=0.9,
        origin=Origin.PASTED,
    )
    kept = note_store.keep_note(Scope(alice.pk, there.conversation.pk, None, note.said_at), draft)
    assert isinstance(kept, note_store.NoteKept)
    return {
        "role_note": role_asked_of(alice, there.conversation).pk,
        "memory": note.pk,
        "removed_memory": gone.pk,
        "waiting_memory": kept.memory.pk,
        "merge": merge.pk,
    }


def role_asked_of(alice: User, conversation: Conversation) -> LearningOutcome:
    """The question whether she works as something."""
    seeding.seed()
    persona = Persona.objects.get(handle="cpg_retail_media")
    membership.guess(alice.pk, persona, 0.9, UserPersona.Origin.SAID)
    return LearningOutcome.objects.create(
        user=alice,
        message=Message.objects.get(conversation=conversation, number=1),
        kind=LearningOutcome.Kind.ROLE,
        slot=persona.handle,
    )


def shared_by(alice: User) -> dict[str, Any]:
    """A page with one line that is nobody's secret, and the key to it."""
    line = revision.write_by_hand(alice.pk, "interests", "kite festivals")
    share = sharing.make(alice.pk, "For the fair", [line.pk], days=7)
    return {"share": share.pk, "token": share.token}


def planned_by(alice: User) -> dict[str, Any]:
    """A plan, and the secret of the link by which a calendar reads it."""
    day = localdate() + timedelta(9)
    note = note_store.write_by_hand(alice.pk, f"The kite market is on {day.day} {day:%B %Y}")
    (plan,) = plans_between(ToolContext(alice.pk, now()), day, day)
    assert plan.id == note.pk
    return {"plan": plan.key, "calendar": feed.make(alice)}


def knock(
    door: Door, rows: dict[str, Any], user: User | None, told: dict[str, str] | None = None
) -> Any:
    """Knock as this person, with further headers where they are `told`."""
    row = str(rows.get(door.row, ""))
    named = (
        "<(uuid:pk|int:pk|str:(signed|token|name|memory_id)|path:who"
        "|slug:(slot|name|handle|label))>"
    )
    path = "/" + re.sub(named, row, door.route).replace("<str:kind>", "user")
    path = path.replace("<int:place>", "0").replace("<path:key>", "wilbur")
    path = path.replace("<path:name>", "throughline")
    path = path.replace("<uuid:delivery_pk>", str(rows["webhook_delivery"]))
    assert "<" not in path
    data = {name: [row] if value == ROW else value for name, value in door.data.items()}
    if data.get("metadata"):
        data["metadata"] = {"conversation": row}
    if data.get("memories"):
        data["memories"] = [{"memory_id": row, "text": "Rows on the lake every Sunday"}]
    headers = dict(told or {})
    client = client_for(None if door.is_api else user)
    if door.is_api and user is not None:
        token = ApiToken.objects.create(user=user, scopes=[PEOPLE])[1]
        headers["Authorization"] = f"Token {token}"
    if door.method == "get":
        query = {
            name: rows["signed"] if value == ROW else value for name, value in door.data.items()
        }
        return client.get(path, query, headers=headers)
    kind = {"content_type": "application/json"} if door.is_api else {}
    return getattr(client, door.method)(path, data, headers=headers, **kind)


def body(response: Any) -> str:
    return "" if response.streaming else response.content.decode()


@cache
def asked_for_state(user: UUID) -> tuple[str, list[Any]]:
    """All that a visit could have changed, as one statement: it is asked twice in a test."""
    asked: list[Any] = [
        Conversation.objects.values_list(
            "pk", "title", "last_number", "privacy", "archived_at", "pinned_at"
        ),
        Message.objects.values_list("pk", "content", "state"),
        ProfileFact.objects.values_list("pk", "value", "status", "trust"),
        Contradiction.objects.values_list("pk", "status"),
        LearningOutcome.objects.values_list("pk", "kind"),
        Memory.objects.values_list("pk", "content", "status", "priority"),
        Topic.objects.values_list("pk", "name", "conversations__messages"),
        ProfileShare.objects.values_list("pk", "revoked_at"),
        Merge.objects.values_list("pk", "undone_at"),
        PlanMark.objects.values_list("pk", "undone_at"),
        SubUser.objects.values_list("pk", "external_id"),
        CalendarFeed.objects.values_list("pk", "digest"),
        User.objects.filter(pk=user).values_list("memory_on"),
        BlockedSlot.objects.values_list("slot"),
        PrivacySettings.objects.values_list("promotion", "shares_lessons"),
        PrivacySettings.objects.values_list("settle_by_rule", "conversation_days"),
        UserPersona.objects.values_list("pk", "standing"),
        LessonSupport.objects.values_list("lesson"),
        NamespaceEntry.objects.values_list("key", "data", "version"),
        NamespaceConsent.objects.values_list("namespace"),
        MemoryBlock.objects.values_list("label", "content"),
        Export.objects.values_list("pk", "state", "downloads"),
        UserSession.objects.filter(user=user).values_list("pk"),
        ApiToken.objects.filter(user=user).values_list("pk"),
        WebhookEndpoint.objects.values_list("pk", "url", "name", "encrypted_secret", "off_because"),
        WebhookDelivery.objects.values_list("pk", "state"),
    ]
    parts, values = [], []
    for number, rows in enumerate(asked):
        statement, named = rows.query.sql_with_params()
        parts.append(f"select {number}, (r.*)::text from ({statement}) r")
        values += named
    return " union all ".join(parts), values


def state_of(user: User) -> list[Any]:
    with acting_as(user), connection.cursor() as cursor:
        cursor.execute(*asked_for_state(user.pk))
        return sorted(cursor.fetchall())


def test_a_visit_that_changes_something_is_noticed(rows: dict[str, Any], alice: User) -> None:
    before = state_of(alice)
    named = Door("talk/<uuid:pk>/rename/", "post", "conversation", {"title": "Another name"})
    knock(named, rows, alice)
    assert state_of(alice) != before


every_door = pytest.mark.parametrize("door", DOORS, ids=str)


# What a program might add to a body to have it done in another's name.
def in_her_name(alice: User) -> dict[str, str]:
    fields = ("user", "user_id", "owner", "owner_id", "pseudonym", "account")
    return {name: str(alice.pk) for name in fields} | {"is_staff": "true", "is_superuser": "true"}


def naming_her(alice: User, rows: dict[str, Any]) -> dict[str, str]:
    """Headers by which some software says who is meant; here they say nothing."""
    return {
        "If-Match": '"1"',
        "Idempotency-Key": "the same",
        "Last-Event-ID": "0",
        "X-User-Id": str(alice.pk),
        "X-Conversation-Id": str(rows["conversation"]),
        "X-Forwarded-User": alice.email,
        "X-Http-Method-Override": "DELETE",
        "Remote-User": alice.email,
        "Cookie": f"user={alice.pk}",
    }


Visit = tuple[Callable[[], Any], Container[int]]


def visits_to(
    door: Door, rows: dict[str, Any], alice: User, bob: User, mira: User
) -> dict[str, Visit]:
    """Return each visit of somebody else's by its name: how to knock, and what may be answered."""
    anything, success = range(100, 600), range(200, 400)
    # Without a row it is their own, which they may find as wanting as she does.
    named = bool(door.row) or door.stranger != 404
    visits: dict[str, Visit] = {
        "a stranger": (partial(knock, door, rows, bob), [door.stranger] if named else success),
        "staff": (partial(knock, door, rows, mira), [door.answer_to("mira")] if named else success),
        "nobody": (partial(knock, door, rows, None), [door.anonymous]),
    }
    if door.method in ("post", "put", "patch"):
        sent = replace(door, data=door.data | in_her_name(alice))
        visits["a body that names her"] = (partial(knock, sent, rows, bob), anything)
    if door.is_api:
        # Her, and one of her people by either id; which of them does not depend on the door.
        names = (alice.pk, rows["person"], "Xylophonia", alice.email)
        acting = {"X-Act-As": str(names[len(door.route) % len(names)])}
        visits["acting as her"] = (partial(knock, door, rows, bob, acting), [404])
        # A stream of events does not end; see test_leaking_streams.
        if door.route != "api/v1/events":
            visits["headers that name her"] = (
                partial(knock, door, rows, bob, naming_her(alice, rows)),
                anything,
            )
    return visits


def look_into_the_demo(
    door: Door, rows: dict[str, Any], alice: User, settings: Settings, before: list[Any]
) -> None:
    """Visit as somebody who looks around as the demo person: pages are read, nothing changes."""
    settings.DEMO = True
    User.objects.filter(pk=alice.pk).update(email=TALKER, is_demo=True)
    answer = knock(door, rows, None, {"Cookie": f"{demo_look.COOKIE}=1"})
    match = get_resolver().resolve(answer.wsgi_request.path)
    if door.method == "get" and match.view_name in demo_look.SHOWN:
        assert answer.status_code == 200
    elif match.namespace in demo_look.PERSONAL:
        assert answer.status_code == 403
        assert not any(word in body(answer) for word in SECRETS)
    else:
        assert answer.status_code == door.anonymous
    assert state_of(alice) == before


@every_door
def test_a_door_opens_to_its_owner_alone(
    door: Door, rows: dict[str, Any], alice: User, bob: User, mira: User, settings: Settings
) -> None:
    before = state_of(alice)
    for name, (visit, answers) in visits_to(door, rows, alice, bob, mira).items():
        with undone():
            response = visit()
            visited = f"{name}: {response.status_code}"
            assert response.status_code in answers, visited
            assert not [word for word in SECRETS if word in body(response)], visited
            assert state_of(alice) == before, visited
            assert not User.objects.filter(pk=bob.pk, is_staff=True).exists(), visited
            if name == "nobody" and response.status_code == 302 and "look/" not in door.route:
                assert response["Location"].startswith("/accounts/login/?next=/")
        forget_reads()
    with undone():
        look_into_the_demo(door, rows, alice, settings, before)
    settings.DEMO = False
    forget_reads()
    answered = knock(door, rows, alice).status_code
    assert answered == door.owner if door.owner else 200 <= answered < 400


STAFF_PAGES = [
    "/admin/",
    "/admin/accounts/user/",
    "/admin/accounts/work/",
    "/admin/privacy/export/",
    "/admin/memory/sitequality/",
    "/admin/memory/experienceday/",
    "/admin/memory/lesson/",
    "/admin/memory/lessonreport/",
    "/admin/personas/persona/",
    "/admin/personas/personaproposal/",
    "/admin/ledger/contradiction/",
    "/admin/ledger/profileclassifier/",
]


@pytest.mark.parametrize("path", STAFF_PAGES)
def test_the_staff_desk_is_for_staff(path: str, alice: User, mira: User) -> None:
    assert client_for(mira).get(path).status_code == 200
    for visitor in (client_for(alice), Client()):
        assert visitor.get(path)["Location"].startswith("/admin/login/")


def test_a_page_signed_in_with_a_cookie_may_not_post_to_the_api_without_its_token(
    alice: User, rows: dict[str, Any]
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    path = f"/api/v1/conversations/{rows['conversation']}/messages"
    refused = client.post(
        path, {"content": "Sent by another site"}, content_type="application/json"
    )
    assert refused.status_code == 403
    assert refused["Content-Type"] == "application/problem+json"
    assert client.get(path).status_code == 200
