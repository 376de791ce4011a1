"""What is over, refused, wished for or somebody else's is not taken for what holds now."""

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


def over(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in {"past", "denial"}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I used to study botany", "botany"),
        ("we used to study physics", "physics"),
        ("used to study chemistry", "chemistry"),
        ("I used to attend Cornell", "Cornell"),
        ("I used to be a student at Leiden", "Leiden"),
    ],
)
def test_schooling_that_used_to_be_is_past(text, value):
    assert ("education", value) in over(text)
    assert not current(text)


@pytest.mark.parametrize(
    "text",
    [
        "I applied to Cornell",
        "I got rejected by Tufts",
        "I got turned down by Tufts University",
        "I wasn't accepted to MIT",
    ],
)
def test_a_school_that_did_not_take_somebody_is_not_theirs(text):
    assert not current(text)


def test_what_is_changed_about_a_school_is_no_change_of_school():
    assert not over("I changed from Purdue sweatshirts to Emory ones")


@pytest.mark.parametrize(
    ("text", "left", "now"),
    [
        ("I quit my job at Shell for one at Siemens", "Shell", "Siemens"),
        ("I left my position at Ford for a new role at Tesla", "Ford", "Tesla"),
        ("I moved from Intel to IBM", "Intel", "IBM"),
        ("I worked for Intel, now at IBM", "Intel", "IBM"),
    ],
)
def test_who_changes_firms_has_left_the_one_and_is_at_the_other(text, left, now):
    assert current(text) == {("employer", now)}
    assert over(text) == {("employer", left)}


@pytest.mark.parametrize(
    ("text", "left", "now"),
    [
        ("I got promoted from cashier to supervisor", "cashier", "supervisor"),
        ("I went from waiter to chef", "waiter", "chef"),
        ("formerly a cop, now a barber", "cop", "barber"),
        ("I was a lawyer, now a gardener", "lawyer", "gardener"),
    ],
)
def test_who_changes_trades_has_left_the_one_and_has_the_other(text, left, now):
    assert current(text) == {("job_title", now)}
    assert over(text) == {("job_title", left)}


@pytest.mark.parametrize(
    "text",
    [
        "I interned at Intel in 2018",
        "I volunteered at Siemens last summer",
    ],
)
def test_an_internship_that_was_done_is_past(text):
    assert {slot for slot, _ in over(text)} == {"employer"}
    assert not current(text)


@pytest.mark.parametrize(
    "text",
    [
        "The woman I work with is from Peru",
        "the guys I work with are funny",
        "I was at Target, now at Walmart",
        "I was at Intel, now at lunch",
        "My dad was a cop, now a barber",
    ],
)
def test_who_or_what_is_only_named_beside_work_is_no_firm_and_no_trade(text):
    assert not {slot for slot, _ in current(text)} & {"employer", "job_title"}


def test_a_day_of_the_week_is_no_name_of_a_firm():
    assert ("employer", "Monday") not in current("I run a shop, Monday to Friday")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I run my own company, Brightwood", "Brightwood"),
        ("I own a bakery called Sweet Crumbs", "Sweet Crumbs"),
        ("I started my own studio, Pixelwood", "Pixelwood"),
        ("I founded a startup, Quibbly, last year", "Quibbly"),
    ],
)
def test_a_firm_of_ones_own_is_known_by_its_name(text, value):
    assert ("employer", value) in current(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My favourite singer used to be Adele", "Adele (favourite singer)"),
        ("my favorite game used to be tag", "tag (favourite game)"),
    ],
)
def test_a_favourite_that_used_to_be_is_past(text, value):
    assert over(text) == {("likes", value)}
    assert not current(text)


@pytest.mark.parametrize(
    ("text", "slot", "wrong", "right"),
    [
        ("I live in Oslo, no wait, Bergen", "location", "Oslo", "Bergen"),
        ("I live in Oslo - no, Bergen", "location", "Oslo", "Bergen"),
        ("I work at Intel, sorry, Siemens", "employer", "Intel", "Siemens"),
        ("My name is Tom, wait, Tim", "name", "Tom", "Tim"),
        ("I'm 25, no wait, 26", "age", "25", "26"),
        ("I'm 46, no, 47, had one in July", "age", "46", "47"),
        ("I'm a nurse, no, a midwife", "job_title", "nurse", "midwife"),
        ("I live in Rome. No wait, Milan.", "location", "Rome", "Milan"),
    ],
)
def test_what_is_said_instead_takes_the_place_of_what_was_wrong(text, slot, wrong, right):
    assert current(text) == {(slot, right)}
    assert over(text) == {(slot, wrong)}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I live in Oslo, no kids", "location", "Oslo"),
        ("I work at Intel. Wait, Siemens bought it.", "employer", "Intel"),
        ("I work at Intel. Sorry, Anna, what did you say?", "employer", "Intel"),
        ("My name is Tom. Sorry, Mark!", "name", "Tom"),
        ("I live in Rome. No, thanks.", "location", "Rome"),
    ],
)
def test_a_no_or_a_sorry_that_goes_on_about_something_else_corrects_nothing(text, slot, value):
    assert current(text) == {(slot, value)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I miss living in Rome", "Rome"),
        ("I miss my life in Lisbon", "Lisbon"),
        ("I stopped living in Oslo", "Oslo"),
        ("used to live in dallas", "Dallas"),
    ],
)
def test_a_place_that_is_missed_or_was_left_is_past(text, value):
    assert over(text) == {("location", value)}
    assert not current(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I gave up golf after my injury", "golf"),
        ("I stopped dancing", "dancing"),
    ],
)
def test_a_pastime_that_was_given_up_is_past(text, value):
    assert over(text) == {("interests", value)}
    assert not current(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I get sick from shrimp", "no shrimp"),
    ],
)
def test_what_is_not_eaten_or_not_borne_is_a_diet_and_no_liking(text, value):
    (one,) = extract_facts(text)
    assert (one.slot, one.value) == ("diet", value)
    assert one.trust <= 0.70


@pytest.mark.parametrize(
    "text",
    [
        "If I lived in Peru I would eat lobster daily",
        "If I were rich I'd eat lobster every day",
        "My friend is a doctor at Mayo Clinic",
        "The weather is awful",
        "the traffic is terrible",
        "She gets sick from eggs",
    ],
)
def test_what_is_supposed_or_only_found_bad_today_is_no_taste(text):
    assert not extract_facts(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Don't call me Nick, I prefer Nicky", "Nicky"),
        ("please don't call me Bobby, I prefer Robert", "Robert"),
        ("Call me Kate, I prefer Katie", "Katie"),
        ("I'm Katherine, I prefer Kathy", "Kathy"),
    ],
)
def test_a_name_that_is_preferred_is_a_name_and_no_liking(text, value):
    assert ("preferred_name", value) in current(text)
    assert not [one for one in extract_facts(text) if one.slot == "likes"]


def test_a_thing_preferred_after_a_name_is_no_name():
    assert "preferred_name" not in {one.slot for one in extract_facts("I'm Sam. I prefer tea")}


@pytest.mark.parametrize("rest", ["working at night", "working from home", "working alone"])
def test_how_somebody_would_rather_work_is_a_preference(rest):
    assert current(f"I prefer {rest}") == {("preferences", rest)}
