"""Without a model: 'forget …' finds what is meant and asks, and denies nothing that is noted."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory import manager
from memory.facts import revision
from memory.models import Memory, ProfileFact
from memory.notes import note_store
from tests.people import Talk, dispute

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


def known(user: User) -> set[str]:
    with acting_as(user):
        return {fact.value for fact in ProfileFact.objects.current()}


def noted(user: User) -> set[str]:
    with acting_as(user):
        return {note.content for note in Memory.objects.active()}


def card(answer: Message) -> str:
    """What the one card of an answer says would be forgotten."""
    (step,) = answer.steps
    assert step["state"] == "asked"
    return str(step["found"])


def test_what_is_noted_is_found_in_many_wordings_and_asked_about_first(
    alice: User, talk: Talks
) -> None:
    here = talk()
    here.say("I like jazz. I like smoked paprika. I work as a baker. I live in Rome.")
    here.say("I have asthma")
    here.say("note it anyway")
    before = known(alice)
    for order, named in [
        ("forget that I like jazz", "jazz"),
        ("Please forget that I like smoked paprika.", "smoked paprika"),
        ("Could you forget about jazz?", "jazz"),
        ("I want you to forget that I like jazz", "jazz"),
        ("Delete the note that I like jazz from my profile, please", "jazz"),
        ("forget that I have asthma", "asthma"),
        ("forget my asthma", "asthma"),
        ("forget my job", "baker"),
        ("stop remembering where I live", "Rome"),
        ("Remove Rome from your notes", "Rome"),
        ("don't remember that I live in Rome", "Rome"),
    ]:
        answer = here.say(order)
        assert card(answer).startswith("1 fact would be forgotten: “"), order
        assert named in card(answer), order
        assert "not note" not in answer.content, order
    assert known(alice) == before
    assert here.say("yes").content == "Done: 1 fact forgotten."
    assert known(alice) == before - {"Rome"}


def test_what_is_named_by_its_kind_is_found(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("My birthday is 14 June 1955. I have a cat called Minka.")
    for private in ("I have a penicillin allergy.", "I have asthma."):
        here.say(private)
        here.say("note it anyway")
    before = known(alice)
    for order, named in [
        ("forget my penicillin allergy please", "penicillin"),
        ("forget the birthday I told you, it was wrong", "14 June 1955"),
        ("forget my birthday, that is not right", "14 June 1955"),
        ("remove my date of birth", "14 June 1955"),
        ("forget the date of birth you have", "14 June 1955"),
        ("forget my pets", "Minka"),
    ]:
        answer = here.say(order)
        assert re.match("1 (?:fact|memory) would be forgotten: “", card(answer)), order
        assert named in card(answer), order
    assert known(alice) == before


@pytest.mark.parametrize(
    "order",
    ["forget my allergy to nuts", "forget my dog", "forget my wedding day", "forget my debts"],
)
def test_another_thing_of_its_kind_is_not_meant(talk: Talks, order: str) -> None:
    here = talk()
    here.say("My birthday is 14 June 1955. I have a cat called Minka.")
    here.say("I am allergic to penicillin.")
    here.say("note it anyway")
    answer = here.say(order)
    assert answer.steps == []
    assert "anything like that" in answer.content


def test_only_what_is_not_noted_is_denied(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I live in Rome")
    here.say("I like tea")
    for order in (
        "forget that I like jazz",
        "forget my job",
        "forget about my sister Clara",
    ):
        answer = here.say(order)
        assert answer.content.startswith("I don’t remember anything like that."), order
        assert answer.steps == []


def test_one_yes_is_for_all_that_speaks_of_somebody_and_the_messages_stay(
    alice: User, talk: Talks
) -> None:
    with acting_as(alice):
        note_store.write_by_hand(alice.pk, "Rode to Vienna with Anna in October")
        note_store.write_by_hand(alice.pk, "Paints the fence with Jonas on Sunday")
    here = talk()
    here.say("My sister Anna lives in Kiel.")
    here.say("I like tea.")
    answer = here.say("Forget everything about Anna")
    assert "Vienna" in card(answer)
    assert "sister Anna" in card(answer)
    assert "\n- Rode to Vienna with Anna in October" in answer.content
    assert "messages are kept" in answer.content
    assert f"{reverse('conversations:search')}?q={quote('Anna')}" in answer.content
    assert "forgotten" in here.say("yes").content
    assert not any("Anna" in told for told in known(alice) | noted(alice))
    assert any("Jonas" in told for told in noted(alice))
    assert "tea" in known(alice)


def test_what_is_one_side_of_a_question_leads_there(alice: User, talk: Talks) -> None:
    dispute(alice)
    answer = talk().say("forget that I work at Microsoft")
    assert reverse("ledger:conflicts") in answer.content
    assert "anything like that" not in answer.content


def test_what_holds_here_alone_is_not_denied(talk: Talks) -> None:
    here = talk()
    here.say("Just for this chat: I live in Rome")
    assert "only in this conversation" in here.say("forget that I live in Rome").content


def test_a_conversation_that_is_named_is_found_by_the_search(talk: Talks) -> None:
    answer = talk().say("Forget our conversation about movers")
    assert f"{reverse('conversations:search')}?q=movers" in answer.content


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Mum's op is on the 12th, but don't bring that up unless I ask.", True),
        ("Don't write this down, but I owe Bill 600.", True),
        ("Please don't bring up the divorce with me again.", False),
        ("So, please, don't note that.", False),
    ],
)
def test_what_is_told_with_a_wish_not_to_note_it_stays_there(
    talk: Talks, text: str, stays: bool
) -> None:
    answer = talk().say(text).content
    assert answer.startswith("I didn’t note that")
    assert ("won’t bring it up anywhere else" in answer) is stays


def test_what_should_not_be_noted_was_not_noted(talk: Talks) -> None:
    here = talk()
    here.say("My sister Anna lives in Kiel")
    answer = here.say("Don't remember this: my sister Anna is moving")
    assert answer.content.startswith("I didn’t note that and won’t bring it up anywhere else.")
    assert answer.steps == []


@pytest.mark.parametrize("order", ["forget this conversation", "Please delete this chat."])
def test_a_conversation_is_deleted_on_its_own_page(talk: Talks, order: str) -> None:
    here = talk()
    here.say("I live in Rome")
    answer = here.say(order)
    assert here.conversation is not None
    assert reverse("conversations:delete", args=[here.conversation.pk]) in answer.content
    assert answer.steps == []


@pytest.mark.parametrize("decided", ["no", "yes", ""])
def test_what_was_just_said_is_never_what_only_directs_me(talk: Talks, decided: str) -> None:
    here = talk()
    here.say("I live in Seattle")
    here.say("My favourite band is Blur")
    here.say("summarise this conversation please")
    here.say("Where do I live?")
    assert "“My favourite band is Blur”" in card(here.say("forget what I just said"))
    if decided:
        here.say(decided)
    told = "I live in Seattle" if decided == "yes" else "My favourite band is Blur"
    assert f"“{told}”" in card(here.say("Forget what I just said, please"))


@pytest.mark.parametrize(
    "order", ["forget that I like jazz", "clean up my notes", "What is my name?", "Yes, please."]
)
def test_where_nothing_was_told_nothing_is_offered_to_go(talk: Talks, order: str) -> None:
    here = talk()
    here.say(order)
    answer = here.say("forget what I just said")
    assert answer.steps == []
    assert "You haven’t told me anything else" in answer.content


# --- What is over --------------------------------------------------------------------------------


def standing(user: User, value: str) -> str:
    with acting_as(user):
        return ProfileFact.objects.get(value=value).status


def test_what_was_told_as_over_is_found_and_asked_about_first(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I work at Google.")
    here.say("I worked at Post AG from 2009 to 2016.")
    here.say("I used to live in Graz.")
    for order, named in [
        ("Forget that I worked at Post AG", "Worked at Post AG"),
        ("please forget that I used to work at Post AG.", "Worked at Post AG"),
        ("forget about Post AG", "Worked at Post AG"),
        ("delete everything you know about Post AG", "Worked at Post AG"),
        ("forget that I lived in Graz", "Lived in Graz"),
        ("forget my previous employer", "Worked at Post AG"),
        ("Forget the former city.", "Lived in Graz"),
        ("forget my years at Post AG", "Worked at Post AG"),
        ("Forget where I lived before.", "Lived in Graz"),
        ("Remove Graz from your notes", "Lived in Graz"),
    ]:
        answer = here.say(order)
        assert card(answer) == f"1 fact would be forgotten: “{named}”", order
    assert standing(alice, "Graz") == "past"
    assert here.say("yes").content == "Done: 1 fact forgotten."
    assert (standing(alice, "Graz"), standing(alice, "Post AG")) == ("removed", "past")
    assert "Graz" not in talk().say("Where did I live before?").content
    assert known(alice) == {"Google"}


def test_the_way_back_of_what_was_over_is_where_it_was_told(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    here.say("I worked at Post AG from 2009 to 2016.")
    asked = talk()
    link = re.search(
        r"\[bring it back\]\((.*?)\)", asked.say("Forget that I worked at Post AG").content
    )
    assert link is not None
    asked.say("yes")
    page = as_alice.get(link[1].partition("#")[0]).content.decode()
    assert "Bring back: Worked at Post AG" in page


def test_what_ended_in_the_profile_is_named_with_the_page_that_erases_it(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    here.say("I work at Google.")
    with acting_as(alice):
        fact = ProfileFact.objects.get(value="Google")
    as_alice.post(f"/notebook/facts/{fact.pk}/over/", {"over": ""})
    told = here.say("Forget that I worked at Google")
    assert told.steps == []
    assert reverse("ledger:erase", args=[fact.pk]) in told.content
    assert "anything like that" not in told.content
    assert standing(alice, "Google") == "past"


def test_what_holds_now_is_meant_before_what_is_over(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I used to live in Graz.")
    here.say("I live in Rome.")
    assert card(here.say("forget where I live")) == "1 fact would be forgotten: “Lives in Rome”"


def test_the_way_back_of_one_fact_is_the_page_that_offers_it(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    here.say("I live in Rome.")
    link = re.search(r"\[bring it back\]\((.*?)\)", here.say("Forget that I live in Rome").content)
    assert link is not None
    here.say("yes")
    assert "Bring back" in as_alice.get(link[1]).content.decode()


@pytest.mark.parametrize(
    ("told", "order", "back"),
    [
        (["I live in Rome."], "Forget that I live in Rome", ["Lived in Rome", "Lives in Rome"]),
        (
            ["I have a sister, Ada.", "I have a cat called Ada."],
            "Forget everything about Ada",
            ["sister", "cat Ada"],
        ),
        (
            ["My neighbour Otto waters my plants on Mondays."],
            "Forget that Otto waters my plants",
            ["Otto waters my plants"],
        ),
        (
            [
                "My neighbour Otto waters my plants on Mondays.",
                "My neighbour Otto borrowed my ladder last week.",
            ],
            "Forget everything about Otto",
            ["Otto waters my plants", "borrowed my ladder"],
        ),
    ],
)
def test_the_way_back_leads_to_what_was_forgotten(
    told: list[str], order: str, back: list[str], alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    for text in told:
        here.say(text)
    link = re.search(r"\[bring it back\]\((.*?)\)", here.say(order).content)
    assert link is not None
    here.say("yes")
    page = as_alice.get(unescape(link[1])).content.decode()
    offered = page.split('<div class="fact-gone">')[1:]
    assert offered
    for entry in offered:
        assert "Bring back" in entry
        assert any(words in entry for words in back)


def test_what_was_forgotten_is_no_answer_where_it_was_said_either(talk: Talks) -> None:
    here = talk()
    here.say("I work at the tax office.")
    here.say("forget where I work")
    here.say("yes")
    answer = here.say("where do I work?").content
    assert "tax office" not in answer
    assert "forget where" not in answer


def test_a_wish_to_undo_asks_first(talk: Talks) -> None:
    here = talk()
    here.say("I work at the tax office.")
    assert here.say("undo that").steps[0]["state"] == "asked"


@pytest.mark.parametrize(
    ("slot", "value", "order"),
    [
        ("pets", "beagle Biscuit, five years old", "Forget that I have a beagle called Biscuit."),
        ("pets", "beagle Biscuit, five years old", "Forget that I have a beagle"),
        ("family", "sister Marta", "Forget that my sister is called Marta."),
        ("family", "sister Marta", "Forget that my sister's name is Marta."),
    ],
)
def test_a_fact_is_found_by_an_order_that_says_it_in_other_words(
    alice: User, talk: Talks, slot: str, value: str, order: str
) -> None:
    with acting_as(alice):
        revision.write_by_hand(alice.pk, slot, value)
    assert value in str(talk().say(order).steps)


def test_another_value_of_the_kind_is_not_what_an_order_names(alice: User, talk: Talks) -> None:
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "pets", "cat Soot")
    answer = talk().say("Forget that I have a beagle called Biscuit.")
    assert answer.steps == []
    assert known(alice) == {"cat Soot"}


@pytest.mark.parametrize(
    ("slot", "value", "order"),
    [
        ("family", "sister Marta", "Forget that my sister has moved to Lisbon."),
        ("likes", "tea", "forget that I hate tea"),
    ],
)
def test_the_nearest_are_shown_where_nothing_fits_closely(
    alice: User, talk: Talks, slot: str, value: str, order: str
) -> None:
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, slot, value)
    answer = talk().say(order)
    assert f"[{fact.kind.label}: {value}]({fact.get_absolute_url()})" in answer.content
    assert answer.steps == []
    assert known(alice) == {value}


@pytest.fixture
def aged(alice: User) -> None:
    """Alice's age, and the one before it."""
    with acting_as(alice):
        first = revision.write_by_hand(alice.pk, "age", "38")
        manager.end(first, now())
        revision.write_by_hand(alice.pk, "age", "39")


def test_earlier_values_go_with_the_kind_that_is_named(
    alice: User, talk: Talks, aged: None
) -> None:
    here = talk()
    assert "Earlier age: 38" in here.say("Forget my age.").content
    here.say("yes")
    with acting_as(alice):
        removed = list(ProfileFact.objects.filter(status="removed").order_by("value"))
        assert [fact.value for fact in removed] == ["38", "39"]
        for fact in removed:
            manager.restore(fact)
        held = dict(ProfileFact.objects.values_list("value", "status"))
    assert held == {"38": "past", "39": "current"}


def test_earlier_values_stay_where_one_value_is_named(alice: User, talk: Talks, aged: None) -> None:
    here = talk()
    asked = here.say("Forget that I'm 39.").content
    assert "38" not in re.sub(r"\([^)]*\)", "", asked)
    here.say("yes")
    with acting_as(alice):
        assert ProfileFact.objects.get(status="past").value == "38"
