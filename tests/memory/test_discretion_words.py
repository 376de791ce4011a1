"""Private matters are recognised however they are told."""

import pytest

from memory.language.reading import Reading
from memory.language.safety import health_terms, sensitivity
from memory.slots import PRIVATE_SLOTS


@pytest.mark.parametrize(
    "text",
    [
        "I'm not gay, whatever people say",
        "I was HIV positive according to the first test",
        "My wife has breast cancer",
        "My son Tim is autistic",
        "I take 20 mg of sertraline every morning",
        "I was raped when I was 19",
        "I quit drinking and go to AA meetings",
        "I no longer believe in God",
        "I vote for the Greens",
        "We are behind on rent",
        "My boyfriend beats me every weekend",
        "I spent two years in prison for fraud",
        "I'm going to have an abortion next week",
        "I haven't told my family that I like girls",
        "I keep kosher",
        "I have coeliac disease",
        "I'm allergic to bee stings",
        "I carry an EpiPen",
        "My mother wears a pacemaker",
        "My blood type is O negative",
        "I have a severe allergy to penicillin",
        "I’m allergic to peanuts and wasp stings",
        "I'm allergic to cats",
        "I broke my leg in 2012",
        "My doctor says I have high blood pressure",
        "I have hay fever",
        "I am dyslexic",
        "I tore a ligament, so my knee is swollen",
        "I take ramipril for my heart",
        "I'm deaf in one ear",
        "I had my appendix out as a child",
        "I have a bad back",
        "My doctor prescribed me some pills",
        "I have been on lithium for a year",
        "I started drinking again, two bottles of red a night",
        "My boss harasses me and I think of quitting",
        "He told me he cheats on his wife with her",
        "My daughter was bullied because she is trans",
        "Who should I call when I want to kill myself?",
        "They fired me for stealing",
        "My blood pressure is up again",
        "I caught covid on the train",
        "My cholesterol is too high",
        "I told the therapist about it",
        "I was told that I have ADD",
    ],
)
def test_a_private_matter_is_one_however_it_is_told(text: str) -> None:
    assert sensitivity.is_private_text(text)
    assert sensitivity.private_stretches(Reading(f"Hello there. {text}. I like tea.")) != []


@pytest.mark.parametrize(
    "text",
    [
        "I booked a flight to Lisbon for the 12th of May",
        "I work as a nurse at the hospital",
        "I love my three dogs and a good strong tea",
        "My sister moved to Ghent",
        "I run every morning before work",
        "The train was late again",
        "I'm a teacher and I play the violin in an orchestra",
        "I prefer short answers",
        "That film was a disease",
        "I'm allergic to peanuts",
        "I have a severe nut allergy",
        "I have a bad allergy to shellfish and eggs",
        "I'm lactose intolerant",
        "It broke my heart to leave",
        "I broke my phone and my promise",
        "I am sick of waiting",
        "I take the tablet to work",
        "The lithium-ion pack of my bike died",
        "I stole the show at the party",
        "The celery stalks are in the fridge",
        "I add milk to my tea",
        "My physical therapist has a dog",
    ],
)
def test_ordinary_talk_is_none(text: str) -> None:
    assert not sensitivity.is_private_text(text)


def test_every_private_slot_has_words_that_tell_of_it_and_no_other_slot_has() -> None:
    assert {*health_terms.WORDS.sections["themes"]} == {*PRIVATE_SLOTS}


def test_only_the_sentence_itself_is_private() -> None:
    text = "I live in Rome. My wife has cancer. I like tea."
    ((start, end),) = sensitivity.private_stretches(Reading(text))
    assert text[start:end].strip() == "My wife has cancer"
