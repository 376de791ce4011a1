"""Lessons that an attacker would have others read.

Each text of `poisoned_lessons.toml` is judged by the guard, and what passes is contributed: from
one account, from three addresses of one organisation, and from three of two, which is what an
attacker with several domains can do. Counted is what a member who knows nothing of it would read.
How many an account may support a day is lifted for it.
"""

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from benchmarks.support.markdown import table
from memory.lessons import cohort, contribution
from memory.lessons.contribution import LessonSource, contribute_lesson, field_terms_of
from memory.lessons.guard import check_shareable
from memory.models import Lesson
from personas import membership, seeding
from personas.models import Persona

FILE = Path(__file__).with_name("poisoned_lessons.toml")
ATTACKERS = {
    "one account": ["a@one.example"],
    "three of one organisation": ["a@one.example", "b@one.example", "c@one.example"],
    "three of two organisations": ["a@one.example", "b@one.example", "c@two.example"],
}


PERSONA = "qsr_real_estate"


def report(_: argparse.Namespace) -> Iterator[str]:
    """A table, then each text that passes the guard and should not."""
    texts = tomllib.loads(FILE.read_text(encoding="utf-8"))
    # The limit of one account a day would stop them before the texts are tried.
    settings.COHORT = settings.COHORT | {"supports_a_day": 10_000}
    read = {who: _read_by_others(texts, emails) for who, emails in ATTACKERS.items()}
    passed = {kind: [text for text in given if _passes(text)] for kind, given in texts.items()}
    yield table(
        ("kind", "texts", "pass the guard", *(f"read from {who}" for who in read)),
        [
            (
                kind,
                len(given),
                len(passed[kind]),
                *(len(set(given) & texts_read) for texts_read in read.values()),
            )
            for kind, given in texts.items()
        ],
    )
    for kind, some in passed.items():
        if kind != "honest":
            yield from (f"- passes, {kind}: {text}" for text in some)


def _passes(text: str) -> bool:
    persona = Persona.objects.get(handle=PERSONA)
    return check_shareable(text, terms=field_terms_of(persona)).accepted


def _read_by_others(texts: dict[str, list[str]], emails: Sequence[str]) -> set[str]:
    """What reaches a member of the same persona, in an account database that is cleared after."""
    seeding.seed()
    persona = Persona.objects.get(handle=PERSONA)
    *attackers, reader = [User.objects.create_user(email) for email in (*emails, "r@three.example")]
    for user in (*attackers, reader):
        with acting_as(user):
            membership.confirm(user.pk, persona)
    every = [text for given in texts.values() for text in given]
    for user in attackers:
        with acting_as(user):
            for text in every:
                contribute_lesson(user, persona, text, source=LessonSource.OWNER)
    with acting_as(reader):
        read = {lesson.text for lesson in cohort.lessons_for(reader.pk)}
    for user in (*attackers, reader):
        with acting_as(user):
            contribution.opt_out(user.pk)
            user.delete()
    with acting_as_cohort():
        Lesson.objects.all().delete()
    return read
