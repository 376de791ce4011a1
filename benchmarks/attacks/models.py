"""Servers of language models that each speak the API in their own way, and what comes of asking.

Each case is a scripted server that refuses parameters, answers whole, breaks off or never ends. The
table says what was asked, what the server does, with which parameters it was asked in the end and
after how many requests, and what was answered. The cases are those of the tests.
"""

import argparse
from collections.abc import Iterator

from django.conf import settings

from benchmarks.support.markdown import table
from conversations.llm import adapting
from tests.fakes.model_cases import CASES, Case, Outcome, play
from tests.fakes.model_server import ModelServer

HEAD = ("asked for", "the server", "requests", "sent in the end", "answered", "as expected")


def report(_options: argparse.Namespace) -> Iterator[str]:
    settings.OPENAI_API_KEY, settings.CHAT_MODEL = "key", "small"
    settings.MODEL_READ_TIMEOUT = 30.0
    rows = [(case, _played(case)) for case in CASES]
    expected = sum(_is_expected(*row) for row in rows)
    yield table(HEAD, (_row(*row) for row in rows))
    yield f"\n{expected} of {len(rows)} as expected."


def _played(case: Case) -> Outcome:
    adapting.forget()
    before = {name: getattr(settings, name) for name in case.changes}
    settings.MODEL_RETRIES = 0
    for name, value in case.changes.items():
        setattr(settings, name, value)
    with ModelServer(case.script) as server:
        settings.OPENAI_BASE_URL = server.url
        outcome = play(case, server)
    for name, value in before.items():
        setattr(settings, name, value)
    return outcome


def _is_expected(case: Case, outcome: Outcome) -> bool:
    return outcome.answered == case.answers


def _row(case: Case, outcome: Outcome) -> tuple[object, ...]:
    answered = outcome.words or outcome.answered
    return (
        case.asked,
        case.name,
        len(outcome.requests),
        outcome.last_request(),
        " ".join(answered.split()).replace("|", "\\|"),
        "yes" if _is_expected(case, outcome) else "no",
    )
