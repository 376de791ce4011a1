"""All readers by the name that patterns call them by."""

from __future__ import annotations

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon
from memory.language.readers import (
    activities,
    ages_and_dates,
    antecedents,
    belongings,
    food_and_colours,
    names,
    things,
    work,
)
from memory.language.readers.phrases import Reader, Value, noun_phrase
from memory.language.readers.phrases import after_determiner as _after


def noun(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A noun phrase of at most five words, whatever it names."""
    first = _after(tokens, index, stop)
    end = noun_phrase(tokens, first, stop, 5, frozenset({"of", "in"}))
    if tokens.words[end - 1] in lexicon.NUMBER_WORDS:
        return []
    return [Value(first, end, tokens.said(first, end))] if end > first else []


def rest(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """All that is said up to the end of the clause or its first mark, at most ten words."""
    end = index
    while end < stop and tokens.words[end] not in {
        ".",
        "!",
        "?",
        ";",
        "but",
        "because",
        "if",
        "when",
    }:
        end += 1
    return (
        [Value(index, end, tokens.said(index, end).rstrip(" ,"))] if 0 < end - index <= 10 else []
    )


READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (
        activities.activities, activities.activity_phrase, activities.collecting,
        activities.pastime,
        ages_and_dates.age, ages_and_dates.date, ages_and_dates.day_or_month,
        antecedents.favourite_of_topic, antecedents.topic, antecedents.topic_kept,
        antecedents.topic_liked, belongings.animals,
        belongings.full_name, belongings.kind_of_pet, belongings.own_vehicle,
        belongings.pet_named, belongings.possessions, belongings.pronouns, belongings.relative,
        belongings.relatives, belongings.vehicle, food_and_colours.colour,
        food_and_colours.colour_before, food_and_colours.dish, food_and_colours.foods_avoided,
        food_and_colours.not_food, names.any_workplace, names.bare_person, names.called,
        names.capital_employer, names.capital_person, names.dwelling, names.employer,
        names.industry, names.known_employer, names.known_organisation, names.known_place,
        names.organisation, names.person, names.place, names.region, names.workplace,
        things.favourite, things.known_work, things.nouns, things.things, work.announced_job,
        work.degree, work.hoped_job, work.job, work.languages, work.named_school, work.school,
        work.studied, work.technologies, noun, rest,
    )
}  # fmt: skip
