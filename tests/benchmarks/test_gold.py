"""The comparison of values by which `python -m benchmarks reading` scores."""

from typing import Any

import pytest

from benchmarks.histories.gold import (
    NOTE,
    Entry,
    Gold,
    finally_wrong,
    holds,
    read_gold,
    telling_words,
    was_said,
    words_of,
)


def test_case_accents_articles_marks_and_spellings_of_numbers_do_not_matter() -> None:
    for one, other in (
        ("The Wójcik file", "wójcik FILE"),
        ("Sinéad", "sinead"),
        ("thirty-four", "34"),
        ("12 cats", "twelve cats"),
        ("£1,340", "1340"),
        ("the 21st of June", "June 21"),
        ("children's nurse", "children’s nurses"),
    ):
        assert words_of(one) == words_of(other)


def test_a_negation_and_another_number_matter() -> None:
    assert words_of("no coffee") != words_of("coffee")
    assert words_of("34") != words_of("33")
    assert words_of("twenty, four") != words_of("20")


@pytest.mark.parametrize(
    ("value", "said", "before", "expected"),
    [
        ("St. Mary's (hospital in Leeds)", "a nurse at St. Mary's in Leeds", "", "St Mary"),
        ("Amazon, warehouse in East Point", "", "", "Amazon"),
        ("Ford Fiesta", "the Fiesta's making that noise", "", "Fiesta"),
        ("mother (Mum), about to turn 70", "We're planning Mum's 70th", "", "mother"),
        ("Bremen, Findorff (second floor)", "I am in Findorff", "Bremen", "Findorff"),
        ("33 (34 in June)", "33 till June", "34", "33"),
    ],
)
def test_a_value_is_recognised_by_its_first_new_part_as_far_as_it_was_said(
    value: str, said: str, before: str, expected: str
) -> None:
    assert telling_words(value, said, before) == words_of(expected)


def _gold(*operations: dict[str, Any], **fields: Any) -> Gold:
    """A history with one message an operation: m1, m2 and so on."""
    messages = [
        {"id": f"m{number}", "role": "user", "at": "", "text": given["quote"], "gold": [given]}
        for number, given in enumerate(operations, start=1)
    ]
    return read_gold({"person": "P", "conversations": [{"messages": messages}], **fields})


def _add(slot: str, value: str, quote: str, **fields: Any) -> dict[str, Any]:
    kind = (
        {"kind": "fact", "slot": slot, "value": value} if slot else {"kind": "note", "text": value}
    )
    return {"op": "add", "id": "f1", "about": "self", "quote": quote, **kind, **fields}


ELLA = _add("family", "daughter Ella", "my daughter Ella")
TONGUES = _add("languages", "Polish and German; reads Russian", "I speak Polish and German")


@pytest.mark.parametrize(
    ("given", "entries", "expected"),
    [
        (ELLA, [Entry("family", "a daughter, Ella")], True),
        (ELLA, [Entry("relationships", "daughter Ella")], True),
        (ELLA, [Entry("pets", "daughter Ella")], False),
        (ELLA, [Entry("family", "daughter")], False),
        (ELLA, [Entry(NOTE, "Has a daughter, Ella", source="m1")], True),
        (ELLA, [Entry(NOTE, "Has a daughter, Ella", source="m7")], False),
        (TONGUES, [Entry("languages", "German"), Entry("languages", "Polish")], True),
        (TONGUES, [Entry("languages", "German"), Entry("likes", "Polish")], False),
    ],
)
def test_a_value_is_held_in_its_slot_or_a_like_one_or_a_note_of_its_message(
    given: dict[str, Any], entries: list[Entry], expected: bool
) -> None:
    assert bool(holds(entries, _gold(given).items[0])) is expected


NURSE = _add("job_title", "children's nurse", "a children's nurse at St. Mary's")
COELIAC = _add("", "Priya is coeliac", "Priya is coeliac", about="Priya")
IN_YORK = _add("", "Staying in York this week", "I'm in York this week")
BEE = _add("preferred_name", "Bee", "In this chat call me Bee", scope="conversation")


@pytest.mark.parametrize(
    ("given", "entry", "expected"),
    [
        (NURSE, Entry("job_title", "nurse"), True),
        (NURSE, Entry("job_title", "a children's nurse at St. Mary's"), True),
        (NURSE, Entry("job_title", "head nurse"), False),
        (NURSE, Entry("employer", "nurse"), False),
        (COELIAC, Entry("relationships", "Priya"), True),
        (COELIAC, Entry("diet", "coeliac"), False),
        (IN_YORK, Entry("location", "York"), False),
        (BEE, Entry("preferred_name", "Bee"), False),
    ],
)
def test_a_fact_is_right_if_it_says_no_more_than_was_said_of_that_person(
    given: dict[str, Any], entry: Entry, expected: bool
) -> None:
    assert was_said(entry, _gold(given).items) is expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (Entry("location", "York"), False),
        (Entry("location", "Leeds"), True),
        (Entry("location", "Hull"), True),
        (Entry("vehicle", "Fiesta"), True),
        (Entry("vehicle", "bicycle"), False),
    ],
)
def test_a_fact_is_wrong_at_the_end_if_it_was_replaced_or_must_not_hold(
    entry: Entry, expected: bool
) -> None:
    moved = {"op": "update", "target": "f1", "value": "York", "quote": "I moved to York"}
    final = [
        {"hold": True, "id": "f1"},
        {"hold": False, "must_not_hold": "vehicle Ford Fiesta"},
    ]
    gold = _gold(_add("location", "Leeds", "I live in Leeds"), moved, final_state=final)
    assert finally_wrong(entry, gold) is expected


def test_a_refinement_must_say_what_is_new() -> None:
    sister = {"op": "update", "target": "f1", "value": "sister Una", "quote": "Una, my sister"}
    gold = _gold(_add("family", "a sister", "my sister says"), sister)
    assert not holds([Entry("family", "sister")], gold.items[1])
    assert holds([Entry("family", "sister Una")], gold.items[1])


def test_all_that_holds_a_value_is_named() -> None:
    tongues = [Entry("languages", "German"), Entry("languages", "Polish")]
    note = Entry(NOTE, "Speaks Polish and German", source="m1")
    assert set(holds([*tongues, note], _gold(TONGUES).items[0])) == {*tongues, note}
