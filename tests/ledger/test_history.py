"""The audit log: never rewritten, read in plain words, narrowed, and taken away unharmed."""

import csv
import io
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import DatabaseError, connection, transaction
from django.db.models import Q
from django.test import Client
from django.utils.timezone import get_current_timezone, now

from accounts import audit
from accounts.audit import Action, By
from accounts.database.isolation import acting_as, acting_as_staff, acting_as_worker
from accounts.models import AuditEvent, User
from conversations.models import Conversation
from ledger.conflicts.resolution import Answer, resolve
from ledger.history import log_export, log_lines, log_search
from ledger.history.log_search import LogQuery
from tests.people import Api, dispute, tell

pytestmark = pytest.mark.django_db
PAGE = "/notebook/history/"


def told(user: User, **wanted: Any) -> list[str]:
    """The sentences, the newest first."""
    with acting_as(user):
        events = list(log_search.find(user.pk, LogQuery(**wanted)))
        return [line.sentence for line in log_lines.lines_from(user.pk, events)]


def write(user: User, deed: Action = Action.CONFIRMED, **more: Any) -> AuditEvent:
    with acting_as(user):
        return audit.record(user.pk, deed, **more)


def collected(response: Any) -> str:
    async def collect() -> bytes:
        return b"".join([piece async for piece in response.streaming_content])

    return async_to_sync(collect)().decode()


BY_SQL = [
    "update accounts_auditevent set after = 'Rome'",
    "update accounts_auditevent set at = now()",
    "update accounts_auditevent set redacted_at = now()",
    "update accounts_auditevent set by = 'staff', before = '', after = '', why = '',"
    " redacted_at = now()",
    "delete from accounts_auditevent",
]


@pytest.mark.parametrize("statement", BY_SQL)
def test_the_database_refuses_to_rewrite_or_delete_a_line(alice: User, statement: str) -> None:
    write(alice, after="Paris")
    with (
        pytest.raises(DatabaseError, match="only ever added to"),
        acting_as(alice),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert told(alice) == ["You confirmed this: Paris"]


def test_the_table_is_not_the_applications_to_empty_or_to_unbolt(alice: User) -> None:
    for statement in (
        "alter table accounts_auditevent disable trigger accounts_auditevent_stands",
        "drop trigger accounts_auditevent_stands on accounts_auditevent",
        "set session_replication_role = replica",
    ):
        with (
            pytest.raises(DatabaseError),
            acting_as(alice),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_an_erasure_blanks_the_words_and_keeps_the_line(alice: User, as_alice: Client) -> None:
    line = write(alice, slot="location", before="Paris", after="Rome", why="Moved for love")
    write(alice, slot="name", after="Alice")
    with acting_as(alice):
        assert audit.redact(alice.pk, Q(pk=line.pk)) == 1
        assert audit.redact(alice.pk, Q(pk=line.pk)) == 0
    assert told(alice) == ["You confirmed this: Name: Alice", "You confirmed this: Lives in"]
    page = as_alice.get(PAGE).content.decode()
    assert "Text erased today" in page
    for word in ("Paris", "Rome", "Moved for love"):
        assert word not in page
        assert word not in collected(as_alice.get(PAGE + "history.json"))


def test_nobody_sees_anybody_elses_lines(
    alice: User, bob: User, mira: User, as_bob: Client, bob_api: Api
) -> None:
    write(alice, after="Paris", why="Because")
    for block in (acting_as(bob), acting_as(mira), acting_as_worker(), acting_as_staff()):
        with block:
            assert not AuditEvent.objects.exists()
    assert "Paris" not in as_bob.get(PAGE).content.decode()
    assert bob_api.get("audit").json()["count"] == 0
    assert "Paris" not in collected(as_bob.get(PAGE + "history.csv"))


def test_what_staff_and_rules_did_stands_there_as_theirs(alice: User, mira: User) -> None:
    entry = dispute(alice, "Microsoft", "Google")
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=mira, reason="You wrote so to us")
    assert told(alice, by="staff") == [
        "A member of staff settled where you work: Google replaced Microsoft"
    ]
    write(alice, Action.SETTLED, by=By.RULE, slot="name", before="Al", after="Alice")
    assert told(alice, by="rule") == ["A rule settled your name: Alice replaced Al"]


def test_there_are_words_for_every_deed_of_everybody(alice: User) -> None:
    for deed in Action:
        for by in By:
            write(alice, deed, by=by, slot="location", before="Paris", after="Rome")
    sentences = told(alice)
    assert len(sentences) > len(Action)
    for sentence in sentences:
        assert "Paris" in sentence or "Rome" in sentence
        assert "{" not in sentence


def test_a_line_outlives_its_conversation_and_says_so(alice: User, as_alice: Client) -> None:
    message = tell(alice, "I live in Paris")
    with acting_as(alice):
        Conversation.objects.get(pk=message.conversation_id).delete()
    page = " ".join(as_alice.get(PAGE).content.decode().split())
    assert "Lives in Paris" in page
    assert "in a deleted conversation" in page


@pytest.fixture
def week(alice: User, monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Seven lines, one a day at noon, the last one today."""
    noon = datetime(2026, 5, 20, 12, tzinfo=get_current_timezone())
    for days in range(6, -1, -1):
        monkeypatch.setattr(audit, "now", lambda days=days: noon - timedelta(days=days))
        slot = "location" if days % 2 else "employer"
        write(alice, slot=slot, after=f"Place{days}", why="Even" if days % 2 == 0 else "Odd")
    return noon


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, 7),
        ({"q": "place3"}, 1),
        ({"q": "place even"}, 4),
        ({"since": "2026-05-15", "until": "2026-05-16"}, 2),
        ({"slot": "employer", "since": "2026-05-18", "q": "even"}, 2),
    ],
    ids=str,
)
@pytest.mark.usefixtures("week")
def test_page_api_and_files_find_the_same(
    as_alice: Client, alice_api: Api, wanted: dict[str, str], found: int
) -> None:
    query = "?" + "&".join(f"{name}={value}".replace("%", "%25") for name, value in wanted.items())
    assert as_alice.get(PAGE + query).content.decode().count("history-line") == found
    assert alice_api.get("audit" + query).json()["count"] == found
    assert len(json.loads(collected(as_alice.get(PAGE + "history.json" + query)))["lines"]) == found
    rows = csv.DictReader(io.StringIO(collected(as_alice.get(PAGE + "history.csv" + query))))
    assert len(list(rows)) == found


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\n@x"]


@pytest.mark.parametrize("evil", FORMULAS)
def test_no_cell_of_the_csv_begins_a_formula(alice: User, as_alice: Client, evil: str) -> None:
    write(alice, before=evil, after=evil, why=evil)
    text = collected(as_alice.get(PAGE + "history.csv"))
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    for name in ("before", "after", "why"):
        assert row[name] == f"'{evil}"
    assert not [cell for cell in row.values() if cell.lstrip()[:1] in tuple("=+-@＝＋－＠")]


def test_the_json_names_its_schema_and_its_filters_and_equals_the_api(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    dispute(alice)
    file = json.loads(collected(as_alice.get(PAGE + "history.json?slot=employer")))
    assert (file["schema"], file["version"]) == (log_export.SCHEMA, log_export.VERSION)
    assert file["filters"] == {"slot": "employer"}
    assert file["lines"] == alice_api.get("audit?slot=employer").json()["results"]
    assert set(log_export.FIELDS) == set(file["lines"][0])


@pytest.fixture
def ten_thousand(alice: User) -> None:
    at = now()
    with acting_as(alice):
        AuditEvent.objects.bulk_create(
            AuditEvent(
                pseudonym=alice.audit_pseudonym,
                # Many at the same moment: pieces and pages must not lose or repeat one of them.
                at=at - timedelta(seconds=number // 700),
                deed=Action.CONFIRMED,
                by=By.OWNER,
                slot="location",
                after=f"Place {number}",
            )
            for number in range(10_000)
        )


@pytest.mark.slow
@pytest.mark.usefixtures("ten_thousand")
def test_ten_thousand_lines_are_exported_once_each_in_pieces(as_alice: Client) -> None:
    response = as_alice.get(PAGE + "history.json")
    pieces: list[bytes] = []

    async def collect() -> None:
        pieces.extend([piece async for piece in response.streaming_content])

    async_to_sync(collect)()
    assert max(map(len, pieces)) < 200_000 < sum(map(len, pieces))
    places = [line["after"] for line in json.loads(b"".join(pieces))["lines"]]
    assert len(places) == len(set(places)) == 10_000
