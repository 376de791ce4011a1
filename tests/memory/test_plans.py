"""The statements every turn waits for are planned to read one person's rows, through an index.

Asked of the planner as on the site: as the application's role, behind row-level security, with
statistics of a house in which many people have talked, one of them far more than the others.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from accounts.database.ids import new_id
from accounts.database.isolation import acting_as
from benchmarks.support import load
from benchmarks.support.load import Person
from benchmarks.support.sentences import QUESTIONS
from conversations.models import Message
from conversations.search.message_search import Role, SearchQuery, find
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from memory.context import turn_context
from memory.core.scope import Scope
from memory.core.statements import numbered
from memory.retrieval import passage_candidates, passage_search

pytestmark = pytest.mark.slow
FEW, MANY = 40, 6_000


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Person]]:
    with django_db_blocker.unblock():
        yield load.fill([FEW, MANY, *[300] * 40], remarks=1_000)
        load.empty()


@pytest.fixture
def few(house: list[Person], db: None) -> Person:
    return house[0]


@pytest.fixture
def many(house: list[Person], db: None) -> Person:
    return house[1]


def plan(person: Person, statement: str) -> str:
    """How the statement is run for whatever values."""
    with acting_as(person.user_id), connection.cursor() as cursor:
        cursor.execute("explain (generic_plan, costs off) " + numbered(statement)[0].decode())
        return "\n".join(line for (line,) in cursor.fetchall())


def run(person: Person, statement: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run it with that plan; the steps that read a table or an index, with what they met."""
    text, names = numbered(statement)
    with acting_as(person.user_id), psycopg.ClientCursor(connection.connection) as cursor:
        cursor.execute(b"prepare asked as " + text)
        marks = ", ".join(["%s"] * len(names))
        asked = [str(values[name]) if values[name] is not None else None for name in names]
        cursor.execute(f"explain (analyze, format json) execute asked ({marks})", asked)
        ((found,),) = cursor.fetchall()
        cursor.execute("deallocate asked")
    return list(scans((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))


def scans(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if step.get("Relation Name") or step.get("Index Name"):
        yield step
    for below in step.get("Plans", ()):
        yield from scans(below)


def wanted(person: Person, question: str) -> dict[str, Any]:
    asked = passage_search._parse_question(question, load.NOW)
    return passage_candidates._parameters(
        passage_search._candidate_query(person.user_id, asked, None, None)
    )


def scope(person: Person) -> Scope:
    with acting_as(person.user_id):
        message = Message.objects.for_user(person.user_id).order_by("-said_at", "-number")[0]
    return Scope(person.user_id, message.conversation_id, message.pk, message.said_at)


SEARCH = passage_candidates._text(narrowed=False)
NARROWED = passage_candidates._text(narrowed=True)
ONLY = passage_candidates.PassageFilter(
    conversations=(), elsewhere=(new_id(),), since=load.NOW, until=load.NOW, by_person=True
)
QUOTED = passage_candidates.PassageFilter(phrases=("green tea",))
EVERYTHING, SOME_FACTS = turn_context._everything(), turn_context._some_facts()
STATEMENTS = {
    "a search": SEARCH,
    "a search in one conversation": NARROWED,
    "a search of some conversations and days": passage_candidates._text(
        narrowed=False, only=passage_candidates._conditions(ONLY)
    ),
    "a search for a phrase": passage_candidates._text(
        narrowed=False, only=passage_candidates._conditions(QUOTED)
    ),
    "the texts of what was found": passage_search._SAID,
    "the texts of what was found and is wanted": passage_search._SAID_OF.format(
        only=ONLY.conditions()
    ),
    "what every turn needs": EVERYTHING,
    "some facts": SOME_FACTS,
}


def test_a_statement_is_planned_once_for_all_values(few: Person, many: Person) -> None:
    """Not anew each time, and not for the values it happens to meet."""
    for person in (few, many, few):
        with acting_as(person.user_id):
            passage_search.search_passages(person.user_id, QUESTIONS[0], k=3, asked_at=load.NOW)
            turn_context.facts(person.user_id, ["employer"])
    with connection.cursor() as cursor:
        cursor.execute(
            "select generic_plans >= 3, custom_plans from pg_prepared_statements"
            " where statement = any(%s)",
            [[numbered(statement)[0].decode() for statement in (SEARCH, SOME_FACTS)]],
        )
        assert cursor.fetchall() == [(True, 0), (True, 0)]


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_table_and_no_person_is_read_from_end_to_end(many: Person, name: str) -> None:
    steps = plan(many, STATEMENTS[name])
    assert "Seq Scan" not in steps
    # It joins two indexes: the one on the person is read whole.
    assert "BitmapAnd" not in steps


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_meets_no_row_of_anybody_else(few: Person, question: str) -> None:
    for step in run(few, SEARCH, wanted(few, question)):
        assert step["Actual Rows"] <= FEW, step
        assert not step.get("Rows Removed by Filter"), step


def test_what_every_turn_needs_meets_little_more_than_it_brings(many: Person) -> None:
    here = scope(many)
    values = {
        "user": here.user_id,
        "conversation": here.conversation_id,
        "message": here.message_id,
        "newest": 12,
    }
    met = [step["Actual Rows"] for step in run(many, EVERYTHING, values)]
    assert max(met) <= load.FACTS


# --- What is looked for among all that a person said ---------------------------------------------


def searched(person: Person) -> None:
    find(person.user_id, SearchQuery("guitar sister", plain=True))
    find(person.user_id, SearchQuery('"I have been"', role=Role.BOTH))
    find(person.user_id, SearchQuery("guitar"))


def looked_up_by_tools(person: Person) -> None:
    asking = ToolContext(person.user_id, load.NOW, scope(person).conversation_id)
    registry.call(asking, "recall_memories", {"query": "guitar"})
    registry.call(asking, "search_conversations", {"query": "guitar"})


@pytest.mark.parametrize("look_up", [searched, looked_up_by_tools])
def test_messages_are_looked_up_without_those_of_others_and_none_again_and_again(
    many: Person, look_up: Callable[[Person], None]
) -> None:
    """Not through the conversations one by one, which would read all of a person for each."""
    with acting_as(many.user_id), CaptureQueriesContext(connection) as asked:
        look_up(many)
    statements = [one["sql"] for one in asked if 'FROM "conversations_message"' in one["sql"]]
    assert statements
    for statement in statements:
        for step in read(many, statement):
            met = step["Actual Rows"] + step.get("Rows Removed by Filter", 0)
            assert met * step["Actual Loops"] <= 2 * MANY, (step, statement)


def read(person: Person, statement: str) -> list[dict[str, Any]]:
    """The steps of a statement that read a table or an index, with what they met."""
    with acting_as(person.user_id), connection.cursor() as cursor:
        cursor.execute("explain (analyze, format json) " + statement)
        ((found,),) = cursor.fetchall()
    return list(scans((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))
