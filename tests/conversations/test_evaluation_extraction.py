"""The measure itself, on data small enough to be counted by hand."""

from __future__ import annotations

import json

import pytest

from evaluation.extraction import (
    Row,
    conflicts_in,
    evaluate,
    is_value_hit,
    outputs,
    score_rows,
    score_talks,
)


def silent(done, total, label):
    pass


def row(text, relation, thing, subject="i"):
    return Row(text, subject, relation, thing)


def test_recall_counts_the_slot_and_the_value():
    found = score_rows(
        [
            row("i work at google .", "employed_by_company", "google"),
            row("i love hiking .", "like_activity", "hiking"),
            row("hello there .", "like_activity", "chess"),
            row("i love tea .", "like_drink", "coffee"),
        ],
        silent,
    )
    assert found["scored"] == 4
    assert found["slot_recall"] == 0.75
    assert found["value_recall"] == 0.5
    assert found["profile_value_recall"] == 1.0
    assert found["outputs_per_utterance"] == 0.75


def test_a_neighbour_slot_counts_where_the_annotation_mixes_them():
    found = score_rows([row("i love blue .", "favorite_color", "blue")], silent)
    assert found["value_recall"] == 1.0
    found = score_rows([row("i love blue .", "have_pet", "blue")], silent)
    assert found["slot_recall"] == 0.0


def test_the_table_has_one_line_a_slot():
    table = score_rows([row("i love blue .", "favorite_color", "blue")], silent)["slots"]
    assert len(table) == 13
    (line,) = [line for line in table if line["rows"]]
    assert line == {"slot": "favorite", "rows": 1, "slot_recall": 1.0, "value_recall": 1.0}


def test_the_negative_tests_count_what_is_wrongly_taken():
    found = score_rows(
        [
            row("i used to work at google .", "pre_employed_by_company", "google"),
            row("my sister works at google .", "employed_by_company", "google", "my sister"),
            row("i am married .", "marital_status", "married"),
            row("i love being married to chess .", "relationship", "chess"),
        ],
        silent,
    )
    assert found["scored"] == 0
    assert found["past_as_current"] == 0.0
    assert found["others_taken"] == 0.0
    assert found["sensitive_leaked"] <= 0.5


@pytest.mark.parametrize(
    ("value", "annotated", "hit"),
    [("two cats", "cats", True), ("cat", "cats", True), ("blue (favourite color)", "color", False),
     ("Google", "google", True), ("tea", "coffee", False), ("", "x", False),
     ("university of michigan", "michigan university", True)],
)  # fmt: skip
def test_a_value_hits_by_containment_or_the_same_words(value, annotated, hit):
    assert is_value_hit(value, annotated) is hit


def said(*texts):
    return [candidate for text in texts for candidate in outputs(text)]


def test_two_employers_are_a_conflict_and_a_city_in_its_country_is_none():
    assert len(conflicts_in(said("I work at Google", "I work at Microsoft"))) == 1
    assert conflicts_in(said("I live in Moscow", "I live in Russia")) == []
    assert conflicts_in(said("I love hiking", "I love chess")) == []


def test_a_like_stands_against_a_dislike_of_the_same_thing():
    assert len(conflicts_in(said("I love hiking", "I hate hiking"))) == 1


def test_a_change_that_is_said_to_be_one_is_no_conflict():
    assert conflicts_in(said("I work at Google", "I work at Microsoft now")) == []


def test_dialogues_are_counted_by_hundred():
    talks = [["I work at Google", "hello"], ["I love tea", "I work at IBM. ", "I work at Acme"]]
    # Only the second is long enough for its conflict to count.
    found = score_talks(talks, silent)
    assert found["convai_messages"] == 5
    assert found["convai_outputs_per_100"] == 80.0
    assert found["convai_conflicts_per_100_dialogues"] == 100.0


def test_folders_are_read_and_a_missing_one_is_named(tmp_path):
    folder = tmp_path / "personaext"
    folder.mkdir()
    line = {"text": "i love tea .", "subject": "i", "relation": "like_drink", "object": "tea"}
    (folder / "a.jsonl").write_text(json.dumps(line) + "\n\n" + json.dumps(line) + "\n")
    (folder / "b.json").write_text(json.dumps([line]))
    (folder / "schema.json").write_text(json.dumps({"relation_types": []}))
    steps = []
    found = evaluate(tmp_path, lambda done, total, label: steps.append((done, total, label)))
    assert found["rows"] == 3
    assert found["skipped"] == ["convai2_volunteers"]
    assert found["value_recall"] == 1.0
    assert steps == [(3, 3, "annotated utterances")]


def test_only_the_human_side_of_a_dialogue_is_read(tmp_path):
    folder = tmp_path / "convai2_volunteers"
    folder.mkdir()
    dialog = [
        {"sender_class": "Human", "text": "I work at Google"},
        {"sender_class": "Bot", "text": "I work at Microsoft"},
    ]
    (folder / "talks.json").write_text(json.dumps([{"dialog": dialog}, {"dialog": []}]))
    found = evaluate(tmp_path, silent)
    assert found["dialogues"] == 1
    assert found["skipped"] == ["personaext"]
    assert found["convai_conflicts_per_100_dialogues"] == 0.0


def test_nothing_to_read_is_said_and_not_an_error(tmp_path):
    found = evaluate(tmp_path, silent)
    assert found["skipped"] == ["personaext", "convai2_volunteers"]
