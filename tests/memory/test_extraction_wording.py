"""How values are written down, and which mere mentions are worth a note."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts
from memory.language.values.normalization import gerund, normalized_value, place_of


def noted_in(text):
    return {(c.slot, c.value) for c in extract_facts(text) if c.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("verb", "expected"),
    [("run", "running"), ("bake", "baking"), ("sew", "sewing"), ("ski", "skiing"),
     ("tie", "tying"), ("read", "reading"), ("swim", "swimming"), ("collect", "collecting")],
)  # fmt: skip
def test_a_bare_verb_is_written_as_a_pastime(verb, expected):
    assert gerund(verb) == expected


@pytest.mark.parametrize(
    ("slot", "value", "expected"),
    [
        ("likes", "walking my dog", "walking the dog"),
        ("likes", "time with my friends", "time with friends"),
        ("likes", "cup of cocoa", "cocoa"),
        ("likes", "participate in rallies", "participating in rallies"),
        ("likes", "fish", "fish"),
        ("interests", "sew", "sewing"),
        ("interests", "draw a lot of foxes", "drawing foxes"),
        ("pets", "pet gecko", "gecko"),
        ("home", "with my parents", "with parents"),
        ("vehicle", "truck", "a truck"),
        ("vehicle", "two vans", "two vans"),
        ("career_goal", "architect", "an architect"),
        ("career_goal", "Batman", "Batman"),
        ("diet", "organically", "organic food"),
        ("expertise", "law degree", "law"),
        ("education", "oxford two years ago", "oxford"),
        ("name", "May", "May"),
    ],
)
def test_a_value_is_written_as_somebody_else_would_say_it(slot, value, expected):
    assert normalized_value(slot, value) == expected


@pytest.mark.parametrize(
    ("slot", "value"),
    [("pets", "pets"), ("likes", "to take mine along"), ("interests", "collect"),
     ("vehicle", "vehicle")],
)  # fmt: skip
def test_a_value_that_says_nothing_alone_is_not_written_down(slot, value):
    assert normalized_value(slot, value) == ""


def test_food_that_is_enjoyed_is_liked_and_a_car_that_is_owned_is_driven():
    assert place_of("interests", "spaghetti") == "likes"
    assert place_of("interests", "spelunking") == "interests"
    assert place_of("possessions", "car toyota") == "vehicle"
    assert place_of("possessions", "piano") == "possessions"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we like to visit the sea and shop", {("likes", "to shop")}),
        ("i hate my boss", {("dislikes", "own boss")}),
        ("i am a huge fan of opera", {("likes", "opera")}),
        ("my pet is a goat", {("pets", "a goat")}),
        ("i realy like turnips", {("likes", "turnips")}),
        ("i have loved pottery since i was ten", {("likes", "pottery")}),
        ("pottery is a passion of mine", {("likes", "pottery")}),
        ("i want to be a physical therapist", {("career_goal", "a physical therapist")}),
        ("i have a house in texas", {("location", "Texas")}),
    ],
)  # fmt: skip
def test_values_come_out_whole(text, expected):
    found = {(slot if slot != "interests" or "interests" in dict(expected) else "likes", value)
             for slot, value in noted_in(text)}  # fmt: skip
    assert expected <= found


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("i prefer rowing and sailing , spinning at the club is so dull", "likes", "spinning"),
        ("i like to ride roller coasters makes me happy", "likes", "to ride roller coasters makes"),
        ("i love my red , old jeep", "likes", "red"),
        ("i love my cat", "likes", "cat"),
        ("i adore my wife", "likes", "wife"),
        ("i love early walks , helps clear my head", "likes", "helps clear"),
        ("i own a farm in kansas", "location", "Kansas"),
        ("not usually i go to work out at the gym", "employer", "gym"),
        ("i am so nervous it is my favorite day", "likes", "nervous"),
        ("my husbands pet is a snake", "pets", "snake"),
    ],
)  # fmt: skip
def test_a_piece_of_something_else_is_no_note(text, slot, value):
    assert (slot, value) not in noted_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "i just finished baking for the fair",
        "i just got back from shopping",
        "now i am going to drink some wine",
        "it tastes better than tacos and i will eat it",
        "i need cooking lessons",
        "i burn my eggs",
        "i am too tall for yoga",
        "my son is good but i hear soccer is hard",
        "i was in a grunge band",
    ],
)
def test_one_occasion_a_lesson_or_a_comparison_tells_of_no_taste(text):
    assert not {slot for slot, _ in noted_in(text)} & {"likes", "interests"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i usually eat tacos on fridays", "tacos"),
        ("i do a lot of baking", "baking"),
        ("just eating sushi , my favorite", "sushi"),
        ("hiking , camping and yoga", "camping"),
    ],
)
def test_a_habit_or_a_word_of_liking_makes_a_mention_worth_a_note(text, value):
    assert value in {value for _, value in noted_in(text)}


@pytest.mark.parametrize(
    "text",
    [
        "I only love 2 things",
        "I love watching my team",
        "I live alone",
        "I love Merkel",
    ],
)
def test_what_says_nothing_by_itself_or_is_bygone_is_not_written(text: str) -> None:
    assert [one for one in extract_facts(text) if one.trust > 0.6] == []


def test_a_clause_that_runs_on_is_no_part_of_what_is_liked() -> None:
    values = {one.value for one in extract_facts("I love to cook and friends say I am good at it")}
    assert values == {"to cook"}


@pytest.mark.parametrize(
    ("text", "scopes"),
    [
        ("Just for this chat: I prefer short answers", ["conversation"]),
        ("I prefer short answers, just for this chat", ["conversation"]),
        ("Only here: I prefer short answers", ["conversation"]),
        ("For now, in this chat, call me Captain", ["conversation"]),
        ("For the rest of this talk I prefer short answers", ["conversation"]),
        ("I live in Rome (just for this conversation)", ["conversation"]),
        ("I live in Rome. Only in this chat.", ["conversation"]),
        ("I live in Rome. Just for this conversation: call me Bob", ["profile", "conversation"]),
        ("I live in Rome and I prefer short answers, only here", ["profile", "conversation"]),
        ("I live in Rome, not just for this chat", ["profile"]),
        ("I live in Rome, only here do I feel well", ["profile"]),
        ("I told my friend in our conversation that I live in Rome", ["profile"]),
    ],
)
def test_what_is_framed_for_this_conversation_holds_nowhere_else(
    text: str, scopes: list[str]
) -> None:
    found = extract_facts(text)
    assert [one.scope for one in found] == scopes
    assert not any("just" in one.value or "only" in one.value for one in found)
