"""A prompt keeps its limits whatever is kept of somebody, and still answers the question."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as property_settings
from hypothesis import strategies as st

from memory.context import prompt_memory
from memory.context.prompt_memory import PromptMemory
from memory.core.scoring import Score
from memory.language.text import token_count
from memory.manager import Recall
from memory.models import Memory, Override, ProfileFact
from memory.retrieval.passage_search import Hit
from memory.retrieval.relevance import Question, ScoredFact, ScoredNote, ScoredQuote

TODAY = datetime(2026, 11, 22, 12, tzinfo=UTC)
QUESTION = Question((), (), (), None, TODAY)
WORDS = st.text("abcdefghij klmnop qrstuv", min_size=1, max_size=300)
ANYTHING = WORDS | st.text(min_size=1, max_size=300) | st.text("😀語#)(9", min_size=1, max_size=300)
# Nothing else bears on the question as well as what is asked for.
SCORES = st.builds(Score, st.floats(0, 0.9), st.floats(0.5, 0.9), st.floats(0.2, 0.9))
CORE = Memory.Priority.CORE
# A mixture is large, and the first text that is counted loads the tokenizer.
unhurried = property_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def note(
    text: str, score: Score, priority: int, category: str = "fact", days: int = 0
) -> ScoredNote:
    return ScoredNote(
        id=uuid4(),
        category=category,
        priority=priority,
        content=text,
        original="",
        said_at=TODAY - timedelta(days=days),
        happened_on=None,
        conversation_id=None,
        message_id=uuid4(),
        origin="typed",
        score=score,
    )


def fact(slot: str, value: str, status: str = "current") -> ProfileFact:
    return ProfileFact(id=uuid4(), slot=slot, value=value, status=status)


def quote(text: str, score: Score) -> ScoredQuote:
    hit = Hit(
        message_id=uuid4(),
        conversation_id=uuid4(),
        number=1,
        said_at=TODAY,
        by_user=True,
        speaker="",
        text=text,
        score=1.0,
        factors=(),
    )
    return ScoredQuote(hit, score)


def choose(
    facts: Sequence[ScoredFact] = (),
    notes: Sequence[ScoredNote] = (),
    quotes: Sequence[ScoredQuote] = (),
    overrides: Sequence[Override] = (),
    challengers: Sequence[ProfileFact] = (),
) -> PromptMemory:
    held: dict[str, list[Override]] = {}
    for one in overrides:
        held.setdefault(one.slot, []).append(one)
    known: dict[str, list[ProfileFact]] = {}
    for scored in facts:
        known.setdefault(scored.fact.slot, []).append(scored.fact)
    against: dict[str, list[ProfileFact]] = {}
    for rival in challengers:
        against.setdefault(rival.slot, []).append(rival)
    return prompt_memory.choose_for_prompt(
        Recall(held, known, against), facts, notes, quotes, QUESTION
    )


def keeps_its_limits(made: PromptMemory) -> bool:
    numbers = settings.MEMORY
    noted = [item for item in made.items if item.what != "quote"]
    quotes = [item for item in made.items if item.what == "quote"]
    text = prompt_memory.render(noted, TODAY)
    return (
        len(noted) <= numbers["injected_memories"]
        and len(text) <= numbers["injected_characters"]
        and token_count.count_tokens(text) <= numbers["injected_tokens"]
        and len(quotes) <= numbers["quotes"]
        and sum(token_count.count_tokens(item.line) for item in quotes) <= numbers["quote_tokens"]
    )


def mixture(texts: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, list[object]]]:
    slots = st.sampled_from(["preferences", "constraints", "pronouns", "interests", "diet", "pets"])
    priorities = st.sampled_from([CORE, CORE, Memory.Priority.HIGH, Memory.Priority.NORMAL])
    return st.fixed_dictionaries(
        {
            "facts": st.lists(
                st.builds(ScoredFact, st.builds(fact, slots, texts), SCORES), max_size=40
            ),
            "notes": st.lists(st.builds(note, texts, SCORES, priorities), max_size=40),
            "summaries": st.lists(
                st.builds(
                    note,
                    texts,
                    SCORES,
                    st.just(Memory.Priority.NORMAL),
                    st.just("summary"),
                    st.integers(0, 900),
                ),
                max_size=4,
            ),
            "quotes": st.lists(st.builds(quote, texts, SCORES), max_size=12),
            "overrides": st.lists(
                st.builds(
                    lambda slot, value: Override(id=uuid4(), slot=slot, value=value), slots, texts
                ),
                max_size=6,
            ),
            "challengers": st.lists(
                st.builds(fact, st.just("employer"), texts, st.just("challenger")), max_size=4
            ),
        }
    )


@unhurried
@given(found=mixture(ANYTHING))
def test_no_mixture_makes_a_prompt_larger_than_its_limits(found: dict[str, list[object]]) -> None:
    notes = [*found.pop("notes"), *found.pop("summaries")]
    assert keeps_its_limits(choose(notes=notes, **found))  # type: ignore[arg-type]


@unhurried
@given(found=mixture(WORDS), answer=WORDS, which=st.sampled_from(["fact", "note", "quote"]))
def test_what_bears_on_the_question_and_the_name_are_in_beside_any_mixture(
    found: dict[str, list[object]], answer: str, which: str
) -> None:
    best = Score(1.0, 1.0, 1.0)
    facts, notes, quotes = found.pop("facts"), found.pop("notes"), found.pop("quotes")
    name = ScoredFact(fact("name", "Alice Moreau"), Score(0.0, 1.0, 0.5))
    wanted: UUID
    if which == "fact":
        facts.append(ScoredFact(asked := fact("employer", answer), best))
        wanted = asked.pk
    elif which == "note":
        notes.append(kept := note(answer, best, Memory.Priority.NORMAL))
        wanted = kept.id
    else:
        quotes.append(said := quote(answer, best))
        wanted = said.hit.message_id
    made = choose(
        [*facts, name],  # type: ignore[list-item]
        [*notes, *found.pop("summaries")],  # type: ignore[list-item]
        quotes,  # type: ignore[arg-type]
        **found,  # type: ignore[arg-type]
    )
    assert wanted in [item.id for item in made.items]
    assert "Name: Alice Moreau." in made.text
    assert keeps_its_limits(made)


def test_an_allergy_comes_before_other_notes_that_are_always_in_mind() -> None:
    many = [
        note(f"Wants thing {n} " + "so and so " * 12, Score(0.9, 1, 1), CORE) for n in range(30)
    ]
    allergy = ScoredFact(fact("diet", "allergic to peanuts"), Score(0.0, 1.0, 0.9))
    assert "allergic to peanuts" in choose([allergy], many).text
