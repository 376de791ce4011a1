"""The forms of a word brought together, without a database to ask."""

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text.stemming import english, stem

# Every rule of the algorithm, and what the rules must not touch.
WORDS = """
abilities able ably absurdly academies according activation adoption aggressively agreed agreement
allergies amazing ambitiously analogies analysis anxious arsenal atlas attentively baking bathed
being beloved bias biases biking bled boxes businesses buses buying bees calling callousness canning
caresses cats caused cities classes communities communication consistently controlling cosmos cries
crying dancing decisiveness dependent differently digitizer disabilities dying early earrings easily
eating effective enjoyed exceeding exhibition falling feed feudalism filing fizzed flies formality
friendliness fulfilled generally generosity gently goodness happily hopefulness hoping hopping
horribly howe idly impressively instruments irritant kickboxing laziness lesson loving luckily lying
making marries matting meeting national news nicely only operator outings owed painting ponies
pottery predication probate proceed queasy radically rate rational relational replacement revival
sensibly sensitive singly skies skis sky sleeping stayed succeeding tanned tied triplicate troubled
trying ugly urgently valency vibes vileness volunteering waiting yoga youth
""".split()


@pytest.mark.django_db
def test_stems_are_those_of_the_databases_own_dictionary() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "select w, (ts_lexize('english_stem', w))[1] from unnest(%s::text[]) w", [WORDS]
        )
        # Its stop words have no stem there.
        theirs = {word: stemmed for word, stemmed in cursor.fetchall() if stemmed}
    assert len(theirs) > 120
    assert {word: english(word) for word in theirs} == theirs


@pytest.mark.parametrize(
    ("one", "other"),
    [("bought", "buying"), ("children", "child"), ("taught", "teaches"), ("mum", "mother")],
)
def test_forms_without_a_common_stem_are_brought_together(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["2023", "übung", "猫", "x", "", "'"])
def test_what_is_no_english_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word.removeprefix("'")


@given(st.text(max_size=40))
def test_no_text_breaks_the_stemmer(word: str) -> None:
    assert len(stem(word)) <= len(word) + 10
