"""The statements every turn waits for are planned to read one person's rows, through an index.

Asked of the planner as on the site: as the application's role, behind row-level security, with
statistics of a house in which many people have talked, one of them far more than the others.
"""

import json
import re
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
from memory.models import EmbeddingModel
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


def test_the_plans_are_those_of_the_role_that_row_security_binds(many: Person) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select rolsuper or rolbypassrls from pg_roles where rolname = current_user")
        assert cursor.fetchone() == (False,)
    assert "current_setting('app.user_id'" in plan(many, SEARCH)


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
def test_no_table_is_read_from_end_to_end(many: Person, name: str) -> None:
    assert "Seq Scan" not in plan(many, STATEMENTS[name])


@pytest.mark.parametrize("name", STATEMENTS)
def test_nothing_is_found_by_reading_all_of_a_person(many: Person, name: str) -> None:
    """Which joining two indexes would do: the one on the person is read whole."""
    assert "BitmapAnd" not in plan(many, STATEMENTS[name])


def test_words_are_looked_up_in_their_index(many: Person) -> None:
    assert "Bitmap Index Scan on passages_by_words" in plan(many, SEARCH)
    assert "Index Cond: ((words @@ word.query)" in plan(many, SEARCH)


def test_meaning_is_read_from_the_index_alone(many: Person) -> None:
    assert "Index Only Scan using passages_by_meaning" in plan(many, SEARCH)


def test_a_search_by_an_endpoints_vectors_reads_them_by_index(many: Person) -> None:
    model = EmbeddingModel.objects.create(
        name="built in", dimensions=256, query_mean=b"", passage_mean=b""
    )
    with acting_as(many.user_id), connection.cursor() as cursor:
        cursor.execute(
            "insert into memory_passagevector (id, user_id, message_id, model_id, vector)"
            " select gen_random_uuid(), user_id, message_id, %s, embedding"
            " from memory_passage where embedding is not null and user_id = %s",
            [model.pk, many.user_id],
        )
    steps = plan(many, passage_candidates._text(narrowed=False, by_vector=True))
    assert "using vectors_by_nearness on memory_passagevector" in steps
    assert (
        "Index Cond: ((user_id = $1) AND (model_id = $6) AND (message_id = p_3.message_id))"
        in steps
    )
    assert "BitmapAnd" not in steps
    # A number a person: all of them are a single page here.
    assert "Seq Scan" not in steps.replace("Seq Scan on memory_vectorprogress", "")


def test_a_span_of_time_is_a_range_of_an_index(many: Person) -> None:
    found = plan(many, SEARCH)
    assert "passages_by_time" in found
    assert re.search(r"Index Cond: .*user_id = .*said_at >= .*said_at <", found)


def test_the_turns_around_are_a_range_of_an_index(many: Person) -> None:
    found = plan(many, SEARCH)
    assert "using one_passage_a_number" in found
    assert re.search(r"Index Cond: .*user_id = .*conversation_id = .*number >= .*number <=", found)


def test_the_talk_so_far_is_a_range_of_an_index(many: Person) -> None:
    found = plan(many, EVERYTHING)
    assert "using one_message_a_number" in found
    assert re.search(r"Index Cond: .*conversation_id = .*number >= .*number <=", found)


def test_a_fact_is_looked_up_by_person_and_slot(many: Person) -> None:
    assert re.search(r"Index Cond: .*user_id = .*slot", plan(many, SOME_FACTS))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_meets_no_row_of_anybody_else(few: Person, question: str) -> None:
    for step in run(few, SEARCH, wanted(few, question)):
        assert step["Actual Rows"] <= FEW, step
        assert not step.get("Rows Removed by Filter"), step


def test_a_search_of_many_reads_a_part_of_them(many: Person) -> None:
    """All are measured by meaning, in the index; of the rest so many as were allowed."""
    for step in run(many, SEARCH, wanted(many, QUESTIONS[1])):
        if step["Node Type"] != "Index Only Scan" and "Bitmap" not in step["Node Type"]:
            assert step["Actual Rows"] <= passage_candidates.MOST_A_SPAN, step


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


def test_meaning_is_found_without_a_visit_to_the_table(many: Person) -> None:
    steps = run(many, SEARCH, wanted(many, QUESTIONS[0]))
    by_meaning = [step for step in steps if step.get("Index Name") == "passages_by_meaning"]
    visits = [step["Heap Fetches"] for step in by_meaning]
    assert visits
    assert not any(visits)


def test_signs_are_laid_out_so_that_comparing_copies_none(many: Person) -> None:
    """256 bits with two whole headers, as they are read; packed they would be three bytes less."""
    with acting_as(many.user_id), connection.cursor() as cursor:
        cursor.execute("select distinct pg_column_size(signs) from memory_passage")
        assert cursor.fetchall() == [(4 + 4 + 32,)]


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


# --- What is at hand -----------------------------------------------------------------------------


def test_the_talk_so_far_ends_just_before_the_message_in_reading_order(many: Person) -> None:
    here = scope(many)
    with acting_as(many.user_id):
        found = turn_context.read(here, 12)
        number = Message.objects.get(pk=here.message_id).number
    assert [turn.number for turn in found.talk.thread] == list(range(number - 12, number))


def test_a_fact_that_is_at_hand_is_the_same_as_one_that_was_fetched(many: Person) -> None:
    with acting_as(many.user_id):
        (fact,) = turn_context.facts(many.user_id, ["employer"])
        fetched = type(fact).objects.get(pk=fact.pk)
        assert fact == fetched
        assert (fact.value, fact.trust, fact.kind) == (fetched.value, fetched.trust, fetched.kind)
        # Left out of the statement, read when it is asked for.
        assert fact.value_key == fetched.value_key
        fact.trust = 0.5
        fact.save(update_fields=["trust"])
        fetched.refresh_from_db()
        assert fetched.trust == 0.5


def test_nothing_of_somebody_else_is_at_hand(few: Person, many: Person) -> None:
    with acting_as(few.user_id):
        found = turn_context.read(scope_of_other(many), 12)
        assert (found.facts, found.overrides, found.talk.thread) == ([], [], ())


def scope_of_other(person: Person) -> Scope:
    """Ids that only guessing could bring here."""
    with connection.cursor() as cursor:
        cursor.execute("select current_setting('app.user_id')")
    return Scope(person.user_id, person.user_id, person.user_id, load.NOW)
