"""What kind of thing a question asks for, who is meant by a role, and how many questions there are:
decided by words alone, without a database.
"""

import pytest

from conversations.notebook import answer_types
from conversations.notebook.said.coreference import names_by_role

TELLING = {
    "How old is Nora?": ("Nora turned nine in May", "Nora has a red coat for £79"),
    "What size are her shoes?": ("She takes a 38 in boots", "She likes boots"),
    "What is the code of the shed?": ("The shed opens with 4471", "The shed is open"),
    "What time is the dentist?": ("The dentist is at half past nine", "The dentist is on 12 May"),
    "How much did I pay for the sofa?": ("The sofa was 340 euros", "The sofa is grey"),
    "How many hens do we have?": ("We have a dozen hens", "The hens like corn"),
    "How long does the drive take?": ("The drive is two hours", "The drive is lovely"),
    "What colour is the door?": ("I painted the door mustard", "I painted the door"),
    "When is the wedding?": ("The wedding is in June", "The wedding was lovely"),
    "What's her surname?": ("Her surname is Okafor", "Her name is Ada"),
    "What is the cat called?": ("The cat is called Mimi", "The cat sleeps a lot"),
}


@pytest.mark.parametrize(("question", "tells", "no"), [(q, *t) for q, t in TELLING.items()])
def test_only_what_tells_the_kind_of_thing_answers(question: str, tells: str, no: str) -> None:
    assert answer_types.of_its_kind(question, [tells, no], [1, 1]) == [True, False]


@pytest.mark.parametrize(
    ("question", "text", "may"),
    [
        ("How much will the suit cost me?", "No, I meant the right wrist, not the left", False),
        ("How much will the suit cost me?", "It was 95 pounds in the end", True),
        ("Where do I sleep before I fly?", "No, seat 14, not 41, I mixed the digits", False),
        ("Who's making the tamales again?", "Wait no, it's Carmen does the tamales", True),
        ("who's making the tamales", "no wait its carmen does them", True),
        ("What did the vet say?", "I had that wrong", True),
    ],
)
def test_what_may_tell_it_by_itself(question: str, text: str, may: bool) -> None:
    assert answer_types.may_tell(question, text) is may


@pytest.mark.parametrize("question", [q for q in TELLING if not q.startswith("When")])
def test_where_nothing_tells_it_nothing_answers(question: str) -> None:
    assert answer_types.of_its_kind(question, ["It rained on us"], [1]) == [False]


@pytest.mark.parametrize(("nearness", "may"), [(1.0, True), (0.4, False)])
def test_who_may_be_told_in_any_way_by_what_comes_nearer(nearness: float, may: bool) -> None:
    texts = ["The keys are with the baker", "I met Petra in Graz"]
    found = answer_types.of_its_kind("Who has the keys?", texts, [nearness, 0.5])
    assert found == [may, True]


@pytest.mark.parametrize(
    ("role", "text", "names"),
    [
        ("sister", "My sister Hanna came by", {"hanna"}),
        ("sister", "sis (Hanna) came by", {"hanna"}),
        ("boss", "Petra is my boss now", {"petra"}),
        ("landlord", "our landlord is called Mr Ferro", {"ferro"}),
        ("dog", "the dog, Biscuit, is ill", {"biscuit"}),
        ("sister", "My sister came by", set()),
        ("sister", "My sister and I went", set()),
        ("garden", "My garden Eden", set()),
    ],
)
def test_a_role_has_the_names_that_it_was_given(role: str, text: str, names: set[str]) -> None:
    assert names_by_role([role], [text]).get(role, frozenset()) == names
