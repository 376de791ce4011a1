"""Whatever a stranger holds or guesses, they are told nothing of another, and change nothing.

Beside the addresses (test_doors): tools, tasks and commands with another's ids; ids that are
guessed, keys that are swapped or tampered with; another's ids in bodies, filters and headers; and
that what is not theirs looks exactly like what is not there.
"""

import base64
import json
import time
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from allauth.account.models import EmailAddress
from django.core import mail, signing
from django.core.management import CommandError, call_command, get_commands
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts import work
from accounts.database.ids import new_id
from accounts.database.isolation import acting_as, acting_as_visitor, acting_as_worker
from accounts.models import ApiToken, User, Work
from config.celery import app
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import ToolContext, ToolRefused
from memory.models import NamespaceEntry, ProfileShare
from privacy import exporting
from privacy.models import Export
from tests.fakes.model_server import ModelServer
from tests.legacy import files
from tests.people import PASSWORD, Api, Talk, client_for, tables_with
from tests.walks.leaks import ROOMS, counted, in_general, names_read, told_nothing
from tests.walks.test_doors import (
    DOORS,
    SECRETS,
    Door,
    alice,
    db,
    knock,
    opened,
    rows,
    state_of,
)

__all__ = ["alice", "counted", "db", "opened", "rows"]

Rows = dict[str, Any]


@pytest.fixture
def kept(alice: User) -> Iterator[None]:
    """All of hers is afterwards as it was before."""
    before = state_of(alice)
    yield
    assert state_of(alice) == before


def holds_nothing_of_hers(user: User) -> None:
    # The addresses of everybody stand where nobody is known yet.
    assert tables_with(user, *SECRETS) <= {"accounts_user", "account_emailaddress"}


def calls(rows: Rows, alice: User) -> dict[str, list[dict[str, Any]]]:
    """Each tool, called with all that it may name of somebody else's."""
    talk, fact, note = (str(rows[name]) for name in ("conversation", "fact", "memory"))
    block = {"label": str(rows["own_label"])}
    return {
        "search_memory": [{"query": "Qwertzfirm Wilhelmina"}, {"conversation": talk}],
        "remember": [{"quote": "Wilhelmina", "text": "Knows Wilhelmina."}],
        "update_memory": [
            {"id": fact, "quote": "Wilhelmina", "value": "Leeds"},
            {"id": note, "quote": "Wilhelmina", "reason": "over"},
        ],
        "find_personal_variables": [{}, {"past": True}, {"query": "Alphaville"}, {"query": fact}],
        "memory_insights": [{}],
        "memory_export": [{}],
        "recall_memories": [{"query": "Qwertzfirm Wilhelmina"}, {"query": talk}],
        "recall_memories_with_time": [{"when": "today"}, {"query": "Wilhelmina"}],
        "get_upcoming_plans": [{}, {"when": "this year"}],
        "search_conversations": [{"query": "Qwertzfirm"}, {"query": "Hello", "when": "today"}],
        "get_user_conversations": [{}, {"archived": True}, {"title": "Qwertzfirm"}],
        "get_conversation_details": [{"conversation_id": talk}],
        "get_conversation_summary": [{"conversation_id": talk}],
        "get_topics_by_conversation": [{"conversation_id": talk}],
        "get_conversations_by_topic": [{"topic": "Xylophonia"}],
        "get_topic_statistics": [{}],
        "memory_cleanup": [{}, {"only": [note]}],
        "forget_fact": [{"fact_id": fact}, {"fact_id": note}, {"fact_id": note, "further": [fact]}],
        "forget_message": [{"message_id": str(rows[name])} for name in ("question", "answer")],
        "list_available_personas": [{}],
        "update_user_persona_profile_in_db": [{"persona_handle": rows["handle"]}],
        "read_memory_block": [block, {"label": str(rows["label"])}],
        "append_memory_block": [block | {"text": "Keeps goats"}],
        "replace_memory_block": [block | {"old": "bees", "new": "goats"}],
    }


def test_every_tool_is_called(rows: Rows, alice: User) -> None:
    assert list(calls(rows, alice)) == list(registry.tools())


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("name", registry.tools())
def test_a_tool_tells_a_stranger_nothing(name: str, rows: Rows, alice: User, bob: User) -> None:
    api = Api(bob)
    for call in calls(rows, alice)[name]:
        for more in (
            {},
            {"confirm": True},
            {"asked_in": str(rows["conversation"])},
            {"asked_in": str(rows["conversation"]), "confirm": True},
            {"user_id": str(alice.pk), "confirm": True},
        ):
            told_nothing("tools", api.post(f"tools/{name}", call | more))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("name", registry.tools())
def test_a_tool_that_is_called_by_itself_stays_behind_the_wall(
    name: str, rows: Rows, alice: User, bob: User
) -> None:
    """As a model's call would be, were the asking ever made up of two people."""
    talk, message = rows["conversation"], rows["question"]
    for call in calls(rows, alice)[name]:
        for asking in (
            ToolContext(bob.pk, now(), talk, message),
            ToolContext(alice.pk, now(), talk, message),
            ToolContext(alice.pk, now()),
        ):
            try:
                with acting_as(bob):
                    told: object = registry.call(asking, name, call).model_dump(mode="json")
            except (ToolRefused, DatabaseError, LookupError) as error:
                told = error
            except User.DoesNotExist as error:
                told = error
            told_nothing("tools", told)
    holds_nothing_of_hers(bob)


TASKS = {
    "conversations.tasks.do_waiting_work",
    "conversations.tasks.tend_notes",
    "privacy.tasks.do_what_is_due",
    "webhooks.tasks.drop_old",
    "webhooks.tasks.look_for_due",
}
# Each kind of work, with which of her rows it is asked to be done for.
WORK = {
    "learn": ("question", "answer"),
    "index": ("question", "answer"),
    "reflect": ("conversation",),
    "answer": ("answer", "last_answer"),
    "compact": ("conversation",),
    "topics": ("conversation",),
    "tend": ("alice", "conversation"),
    "lessons": ("conversation",),
    "lessons_upkeep": ("alice", "lesson"),
    "vanish": ("conversation",),
    "export": ("waiting_export", "export"),
    "restore": ("restore",),
    "import": ("import", "done_import"),
    "delete_account": ("alice",),
    "retention": ("alice", "conversation"),
    "embed": ("alice", "question"),
    "webhooks": ("webhook", "webhook_delivery"),
}


def test_every_task_and_every_kind_of_work_is_tried(settings: Settings) -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} == TASKS
    assert set(settings.WORK_HANDLERS) == set(WORK)


@pytest.fixture
def listening(settings: Settings) -> Iterator[ModelServer]:
    """A model that hears what is sent to it."""
    with ModelServer("normal") as server:
        settings.OPENAI_BASE_URL = settings.EMBEDDING_BASE_URL = server.url
        settings.EMBEDDING_MODEL = "stand-in"
        # In this thread, not in one of its own.
        here = {"webhooks": "webhooks.sending.send_due"}
        settings.WORK_HANDLERS = settings.WORK_HANDLERS | here
        yield server


def done_for(user: User, kind: str, subject: UUID) -> bool:
    """Have work of this person's done for a row, whoever has that row."""
    with acting_as(user):
        work.enqueue(user, kind, subject)
    held = work.claim(user.pk, kind, subject)
    return held is not None and work._run_handler(held)


of_each_kind = pytest.mark.parametrize(
    ("kind", "row"), [(kind, row) for kind, rows in WORK.items() for row in rows]
)


@of_each_kind
def test_work_of_one_for_a_row_of_another_does_nothing(
    kind: str, row: str, rows: Rows, alice: User, bob: User, listening: ModelServer
) -> None:
    subject = alice.pk if row == "alice" else rows[row]
    with acting_as(alice):
        Work.objects.filter(subject=subject).delete()
    before = state_of(alice)
    done_for(bob, kind, subject)
    told_nothing("tasks", json.dumps(listening.requests))
    told_nothing("tasks", [letter.body for letter in mail.outbox])
    assert state_of(alice) == before
    holds_nothing_of_hers(bob)


@of_each_kind
def test_a_claim_that_was_forged_is_nobodys(
    kind: str, row: str, rows: Rows, alice: User, bob: User, listening: ModelServer
) -> None:
    """Her waiting work in his name: neither is it done for her, nor is anything told to him."""
    subject = alice.pk if row == "alice" else rows[row]
    with acting_as(alice):
        Work.objects.filter(subject=subject, kind=kind).delete()
        work.enqueue(alice, kind, subject)
        hers = Work.objects.get(subject=subject, kind=kind)
    before = state_of(alice)
    work._run_handler(work.Claim(hers.pk, bob.pk, kind, subject, hers.attempts))
    told_nothing("tasks", json.dumps(listening.requests))
    assert state_of(alice) == before
    holds_nothing_of_hers(bob)
    with acting_as(alice):
        assert Work.objects.filter(pk=hers.pk).exists()


@pytest.mark.parametrize("owner", ["alice", "nobody"])
def test_nobody_writes_down_work_for_another(owner: str, alice: User, bob: User) -> None:
    user = alice if owner == "alice" else None
    with pytest.raises(DatabaseError), acting_as(bob):
        Work.objects.create(user=user, kind="tend", subject=new_id(), run_after=now())
    told_nothing("tasks", "")


def test_the_rounds_of_the_site_take_from_one_nothing_for_another(
    alice: User, bob: User, rows: Rows, listening: ModelServer
) -> None:
    """He leaves, his copy expires, and everybody's notes are gone through."""
    app.loader.import_default_modules()
    Talk(bob).say("I live in Oslo")
    before = state_of(alice)
    with acting_as(bob):
        Export.objects.create(user=bob, parts=["profile"], state="ready", expires_at=now())
    User.objects.filter(pk=bob.pk).update(deleted_from=now())
    for task in sorted(TASKS):
        app.tasks[task]()
    with acting_as(bob):
        waiting = list(Work.objects.filter(user=bob).order_by("kind"))
    assert {one.kind for one in waiting} >= {"delete_account", "tend"}
    # What goes with everything of his is no work any more, so it comes last.
    for one in sorted(waiting, key=lambda one: one.kind == "delete_account"):
        held = work.claim(bob.pk, one.kind, one.subject)
        assert held is not None
        work._run_handler(held)
    assert not User.objects.filter(pk=bob.pk).exists()
    told_nothing("tasks", json.dumps(listening.requests))
    told_nothing("tasks", [letter.body for letter in mail.outbox])
    assert state_of(alice) == before


# Those that do something with what a person has; the others start, migrate, measure or train.
WITH_PEOPLE = {
    "create_token", "replay", "reindex", "erase_again", "demo", "import_conversations", "legacy",
    "embeddings", "rollout",
}  # fmt: skip
WITHOUT = {
    "backup", "citus", "environment", "evaluate", "mcp", "migrate", "partition", "pg", "prepare",
    "restore", "seed_personas", "train_profile_classifier", "up", "work",
}  # fmt: skip


def test_every_command_is_tried() -> None:
    ours = {name for name, place in get_commands().items() if place in ROOMS}
    assert ours == WITH_PEOPLE | WITHOUT


def said_by(*words: Any, **options: Any) -> str:
    out = StringIO()
    try:
        call_command(*words, stdout=out, **options)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue()


@pytest.mark.usefixtures("kept")
def test_a_token_made_by_a_command_opens_what_is_its_owners(bob: User, rows: Rows) -> None:
    secret = said_by("create_token", "BOB@example.org").strip()
    for path in (f"conversations/{rows['conversation']}", "profile", "conversations", "audit"):
        told_nothing(
            "commands",
            Client().get(f"/api/v1/{path}", headers={"Authorization": f"Token {secret}"}),
        )
    for address in ("alice@example.or", "%", "alice@example.org'--", ""):
        answer = said_by("create_token", address).replace(address or "-", "")
        told_nothing("commands", answer)
        assert "There is no account" in answer


@pytest.mark.usefixtures("kept")
def test_what_a_command_brings_in_goes_into_one_account(
    bob: User, rows: Rows, tmp_path: Path
) -> None:
    """Even where it names her conversation as its own."""
    hers, whose = str(rows["conversation"]), {"user": "bob@example.org"}
    dialogue = {
        "id": hers,
        "sessions": [{"date": "2024-03-14", "turns": [{"role": "user", "content": "I like tea"}]}],
    }
    played = tmp_path / "played.json"
    played.write_text(json.dumps(dialogue))
    told_nothing("commands", said_by("replay", str(played), **whose))
    export = tmp_path / "export.json"
    talk = {"uuid": hers, "chat_messages": [{"sender": "human", "text": "Tea"}]}
    export.write_text(json.dumps([talk]))
    for dry in (True, False):
        words = said_by("import_conversations", str(export), dry_run=dry, **whose)
        told_nothing("commands", words)
    store = files.exchanges(tmp_path / "store.db", [files.exchange(hers, 30, "Tea?", "Tea.")])
    for step in ("analyse", "migrate", "validate", "rollback"):
        told_nothing("commands", said_by("legacy", step, store, **whose))
    holds_nothing_of_hers(bob)


@pytest.mark.usefixtures("kept", "listening")
def test_figures_of_everybody_and_indexing_anew_tell_no_words(bob: User) -> None:
    Talk(bob).say("I live in Oslo")
    told_nothing("commands", said_by("rollout"))
    told_nothing("commands", said_by("embeddings", make=True))
    told_nothing("commands", said_by("reindex"))
    holds_nothing_of_hers(bob)


@pytest.mark.usefixtures("kept")
def test_a_list_of_erasures_that_pairs_one_with_anothers_rows_erases_nothing(
    alice: User, bob: User, rows: Rows, settings: Settings, tmp_path: Path
) -> None:
    settings.ERASED_LIST = str(tmp_path / "erased.jsonl")
    pairs = {
        "fact": "fact",
        "fact_alone": "fact",
        "note": "memory",
        "message": "question",
        "conversation": "conversation",
    }
    lines = [
        {"at": now().isoformat(), "user": str(bob.pk), "kind": kind, "subject": str(rows[row])}
        for kind, row in pairs.items()
    ]
    Path(settings.ERASED_LIST).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    answer = said_by("erase_again")
    told_nothing("commands", answer)
    assert "nothing was left" in answer


BY_UUID = [door for door in DOORS if "<uuid:pk>" in door.route]
by_uuid = pytest.mark.parametrize("door", BY_UUID, ids=str)


def test_ids_made_in_one_breath_do_not_lie_side_by_side() -> None:
    made = sorted(new_id().int for _ in range(5000))
    assert min(b - a for a, b in pairwise(made)) > 1 << 12


@by_uuid
@pytest.mark.usefixtures("kept")
def test_what_is_not_theirs_looks_like_what_is_not_there(door: Door, rows: Rows, bob: User) -> None:
    hers, none = rows[door.row], new_id()
    not_theirs = knock(door, rows, bob)
    told_nothing("comparing", not_theirs)
    not_there = knock(door, rows | {door.row: none}, bob)
    assert in_general(not_theirs, hers) == in_general(not_there, none)


def test_what_she_has_taken_is_free_for_him(rows: Rows, bob: User, alice: User) -> None:
    """A name, a value or a key of hers conflicts with none of his."""
    api = Api(bob)
    told: list[Any] = [
        api.post("profile", {"slot": "location", "value": "Alphaville"}),
        api.post("profile", {"slot": "employer", "value": "Qwertzfirm"}),
        api.post("memories", {"content": "Plays at the Xylophonia festival each summer"}),
        api.post("profile/blocked", {"slot": "vehicle"}),
        api.post("tokens", {"name": "Thistlewick", "password": PASSWORD}),
    ]
    assert [answer.status_code for answer in told] == [201, 201, 201, 201, 201]
    fact = api.get("profile").json()["results"][0]["id"]
    page = api.post("shares", {"name": "For the fair", "days": 7, "facts": [fact]})
    assert page.status_code == 201
    Talk(bob).say("My sourdough baking goes well")
    with acting_as(bob):
        assert not NamespaceEntry.objects.exists()


def test_an_address_that_is_taken_is_told_to_its_owner_alone(alice: User, bob: User) -> None:
    """Signed in, by a new address: asked for hers or for a free one, the page says the same."""
    EmailAddress.objects.get_or_create(user=alice, email=alice.email, verified=True, primary=True)
    told = []
    for address in (alice.email, "free@example.org"):
        client = Client()
        client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
        reset = Client().post("/accounts/password/reset/", {"email": address})
        told.append((reset.status_code, reset.headers.get("Location", "")))
    assert told[0] == told[1]


@pytest.mark.usefixtures("kept")
def test_a_token_counts_before_a_session_and_never_beside_it(
    rows: Rows, alice: User, bob: User
) -> None:
    """His token in her browser is his, and a broken one is nobody's."""
    here = client_for(alice)
    _, secret = ApiToken.objects.create(user=bob)
    for word in ("Token", "Bearer"):
        for key, status in ((secret, 404), (secret[:-1], 401), (secret + "0", 401), ("x", 401)):
            answer = here.get(
                f"/api/v1/conversations/{rows['conversation']}",
                headers={"Authorization": f"{word} {key}"},
            )
            told_nothing("swapped keys", answer)
            assert answer.status_code == status


@pytest.mark.usefixtures("kept")
def test_the_key_of_a_page_opens_that_page_alone(rows: Rows, bob: User) -> None:
    token = rows["token"]
    guesses = [token[:-1], token + "A", token.swapcase(), "%", "_" * len(token), token[::-1], " "]
    for guess in guesses:
        answer = Client().get(f"/shared/{guess}")
        told_nothing("swapped keys", answer)
        assert answer.status_code == 404
    for link in (token, token[:-1], "%", ""):
        with acting_as_visitor(link):
            assert ProfileShare.objects.count() == (link == token)
            told_nothing("swapped keys", list(Message.objects.values()))
            told_nothing("swapped keys", list(Conversation.objects.values()))


def flipped(text: str, at: int) -> str:
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


def tampered(signed: str, bobs: UUID) -> dict[str, str]:
    """A signed address with one thing wrong with it: each part, another's key, another purpose."""
    payload, stamp, mark = signed.split(":")
    later = signing.b62_encode(signing.b62_decode(stamp) + 60)
    return {
        "payload": ":".join([flipped(payload, 0), stamp, mark]),
        "payload's end": ":".join([flipped(payload, len(payload) - 1), stamp, mark]),
        "another's payload": ":".join([str(bobs), stamp, mark]),
        "time": ":".join([payload, flipped(stamp, 0), mark]),
        "later": ":".join([payload, later, mark]),
        "signature": ":".join([payload, stamp, flipped(mark, 0)]),
        "signature's end": ":".join([payload, stamp, flipped(mark, 10)]),
        "short": ":".join([payload, stamp, mark[:-1]]),
        "none": payload,
        "no signature": ":".join([payload, stamp, ""]),
        "another purpose": signing.TimestampSigner(salt="account").sign(payload),
        "a session's": signing.TimestampSigner().sign(payload),
        "another key": signing.TimestampSigner(key="x" * 50, salt="privacy.export").sign(payload),
        "encoded": base64.urlsafe_b64encode(signed.encode()).decode(),
    }


@pytest.mark.parametrize("wrong", tampered(signing.TimestampSigner().sign("a" * 36), new_id()))
def test_an_address_that_was_tampered_with_opens_nothing(
    wrong: str, rows: Rows, alice: User
) -> None:
    """Not even to its owner."""
    signed = tampered(rows["signed"], new_id())[wrong]
    page = client_for(alice).get(f"/notebook/privacy/copy/file/{signed}")
    told_nothing("tampered links", page)
    by_api = Client().get(
        f"/api/v1/exports/{rows['export']}/file",
        {"signature": signed},
        headers={"Authorization": f"Token {ApiToken.objects.create(user=alice)[1]}"},
    )
    told_nothing("tampered links", by_api)
    assert (page.status_code, by_api.status_code) == (404, 404)
    with acting_as(alice):
        assert Export.objects.get(pk=rows["export"]).downloads == 0


def test_a_signature_that_is_over_opens_nothing(
    rows: Rows, alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/notebook/privacy/copy/file/{rows['signed']}"
    late = time.time() + 86400 * settings.PRIVACY["export_days"] + 60
    monkeypatch.setattr(signing.time, "time", lambda: late)
    answer = client_for(alice).get(path)
    told_nothing("tampered links", answer)
    assert answer.status_code == 404


def test_his_copy_and_her_signature_go_together_in_neither_way(
    rows: Rows, alice: User, bob: User
) -> None:
    with acting_as(bob):
        own = Export.objects.create(
            user=bob, parts=["profile"], state="ready", made_at=now(), expires_at=now()
        )
    for user, key, signed in (
        (bob, own.pk, rows["signed"]),
        (bob, rows["export"], exporting.signature(own)),
        (alice, own.pk, rows["signed"]),
    ):
        answer = Client().get(
            f"/api/v1/exports/{key}/file",
            {"signature": signed},
            headers={"Authorization": f"Token {ApiToken.objects.create(user=user)[1]}"},
        )
        told_nothing("tampered links", answer)
        assert answer.status_code == 404


@cache
def operations() -> list[tuple[str, str, dict[str, Any]]]:
    schema = Client().get("/api/schema", {"format": "json"}).json()
    named = schema["components"]["schemas"]
    found = []
    for path, verbs in schema["paths"].items():
        for verb, operation in verbs.items():
            sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            reference = sent.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = named.get(reference, {}).get("properties", {})
            asked = {
                one["name"]: one["schema"]
                for one in operation.get("parameters", [])
                if one["in"] == "query"
            }
            found.append((path, verb, fields | asked))
    return found


def hers_for(kind: dict[str, Any], row: object) -> Any:
    """Her id in the shape that a field takes; None where it takes none."""
    if kind.get("type") == "array":
        return [str(row)]
    return str(row) if kind.get("type") in ("string", None) else None


NAMED = ("conversation", "fact", "memory", "question", "conflict", "topic", "export", "alice")


@pytest.mark.usefixtures("kept")
def test_her_ids_in_each_field_and_filter_of_the_api_open_nothing(
    rows: Rows, alice: User, bob: User
) -> None:
    """In each the ids that its name asks for, and else one kind of id after the other."""
    own = Talk(bob)
    own.say("Hello there")
    assert own.conversation is not None
    api = Api(bob)
    headers = {"Authorization": f"Token {api.token}"}
    kinds, tried = cycle(NAMED), 0
    for path, verb, fields in operations():
        # Paths of his own conversation; all others were visited with hers.
        at = path.replace("/conversations/{id}", f"/conversations/{own.conversation.pk}")
        if "{" in at or "events" in at or "forget-everything" in at:
            continue
        for field, kind in fields.items():
            for name in [name for name in NAMED if name in field] or [next(kinds), next(kinds)]:
                value = hers_for(kind, alice.pk if name == "alice" else rows[name])
                if value is None:
                    continue
                if verb == "get":
                    answer = Client().get(at, {field: value}, headers=headers)
                else:
                    answer = getattr(Client(), verb)(
                        at, {field: value}, content_type="application/json", headers=headers
                    )
                tried += 1
                told_nothing("fields", answer)
                assert answer.status_code < 500, (verb, at, field)
    assert tried > 60
    holds_nothing_of_hers(bob)


PAGE_FILTERS = (
    "q", "slot", "conversation", "message", "fact", "subject", "before", "after", "at", "of",
    "gone", "receipt", "since", "until", "by", "deed", "page", "card", "changes", "as_of", "value",
    "period", "later", "all", "user", "next", "topic", "role",
)  # fmt: skip


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    "door",
    [d for d in DOORS if not d.is_api and d.method == "get" and "<" not in d.route and d.route],
    ids=str,
)
def test_her_ids_in_each_filter_of_a_page_open_nothing(door: Door, rows: Rows, bob: User) -> None:
    """In all at once, and in each that the page looks for by itself."""
    client = client_for(bob)
    ids = [str(rows[row]) for row in ("conversation", "fact", "question", "memory")]

    def visit(query: dict[str, str]) -> None:
        answer = client.get(f"/{door.route}", query)
        told_nothing("filters", answer)
        assert answer.status_code < 500

    tried: set[str] = set()
    with names_read() as read:
        visit({})
        for key in ids:
            visit(dict.fromkeys(PAGE_FILTERS, key))
        while names := (read & set(PAGE_FILTERS)) - tried:
            for name in sorted(names):
                for key in ids:
                    visit({name: key})
            tried |= names


def test_the_same_key_of_two_people_makes_two_exchanges(alice: User, bob: User) -> None:
    told = []
    for user in (alice, bob):
        api = Api(user)
        talk = api.post("conversations").json()["id"]
        sent = {"content": f"Hello from {user.name}"}
        answer = api.post(f"conversations/{talk}/messages", sent, **{"Idempotency-Key": "one"})
        assert answer.status_code == 201
        told.append(answer.json()["message"]["id"])
    assert len(set(told)) == 2


def test_a_page_of_results_of_hers_is_his_when_he_asks(alice: User, bob: User) -> None:
    """The link to the next page carries places, and no person."""
    with acting_as(alice):
        talks = [Conversation(user=alice, title="Qwertzfirm") for _ in range(3)]
        Conversation.objects.bulk_create(talks)
    for path in ("conversations", "audit", "memories", "traces", "search?q=Qwertzfirm"):
        sign = "&" if "?" in path else "?"
        page = Api(alice).get(f"{path}{sign}limit=1").json()
        link = page.get("next")
        if link:
            answer = Client().get(
                link, headers={"Authorization": f"Token {ApiToken.objects.create(user=bob)[1]}"}
            )
            told_nothing("cursors", answer)
            assert answer.json()["results"] == []
    assert Api(alice).get("conversations?limit=1").json()["next"]


def test_the_worker_and_a_visitor_are_told_no_words(alice: User, rows: Rows) -> None:
    """The blocks of roles see ids of waiting work, and what a link is for."""
    for block in (acting_as_worker(), acting_as_visitor("x")):
        with block, transaction.atomic():
            for model in (Message, Conversation, NamespaceEntry):
                told_nothing("roles", list(model._default_manager.values()))
