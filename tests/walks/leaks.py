"""What the hunts for leaks share: counting what was tried, and asking for another's rows."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.http import QueryDict

from accounts.database.isolation import acting_person
from memory.core import statements
from tests.walks.test_doors import SECRETS, body

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("accounts", "personas", "memory", "ledger", "conversations", "privacy", "config")
# How often something of another's was asked for, by the way of asking.
TRIED: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def counted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Says at the end of a file how much was tried in it."""
    before = TRIED.copy()
    yield
    tried = TRIED - before
    plugins = request.config.pluginmanager
    reporter, capture = (plugins.get_plugin(n) for n in ("terminalreporter", "capturemanager"))
    if reporter is None or not tried:
        return
    listed = ", ".join(f"{count} by {way}" for way, count in sorted(tried.items()))
    # What a fixture prints is shown with a failure only.
    with capture.global_and_fixture_disabled():
        reporter.write_line(f"\n{request.path.name}: {tried.total()} tries ({listed})")


def told_nothing(way: str, told: object, *, asked: str = "") -> None:
    """Count a try, and find no word of hers in what came of it: a response, or any text. What was
    `asked` may be repeated.
    """
    TRIED[way] += 1
    text = body(told) if hasattr(told, "streaming") else str(told)
    assert not [word for word in SECRETS if word in text and word not in asked], (
        f"{way} told {text[:400]}"
    )


# What differs between two answers that say the same.
_OF_THE_MOMENT = re.compile(
    r'(?<=csrfmiddlewaretoken" value=")[^"]+|(?<=nonce=")[^"]+|(?<=X-CSRFToken": ")[^"]+'
    r"|(?<=&quot;X-CSRFToken&quot;: &quot;)\w+|(?<=X-CSRFToken&quot;:&quot;)\w+"
    r'|(?<="request_id":")[^"]+'
)


def in_general(response: Any, row: object) -> tuple[int, str, str]:
    """An answer without what names the row that was asked for, and without what is new each time:
    its status, its body and where it leads.
    """
    text = _OF_THE_MOMENT.sub("", body(response)).replace(str(row), "…")
    return response.status_code, text, response.headers.get("Location", "").replace(str(row), "…")


# --- What a page looks for in its address ---------------------------------------------------------


@contextmanager
def names_read() -> Iterator[set[str]]:
    """The names that are looked up in a query. A page that never looks for a name is the same with
    it as without.
    """
    read: set[str] = set()

    def noting(method: str, names: Callable[[Any, tuple[Any, ...]], Iterable[str]]) -> None:
        asked = getattr(QueryDict, method)

        def noted(self: Any, *args: Any, **more: Any) -> Any:
            if not self._mutable:  # as it is while it is being read from the address
                read.update(names(self, args))
            return asked(self, *args, **more)

        patch.setattr(QueryDict, method, noted)

    with pytest.MonkeyPatch.context() as patch:
        for method in ("__getitem__", "__contains__", "get", "getlist"):
            noting(method, lambda _, args: args[:1])
        # Whoever goes through all of a query reads each name in it.
        whole = ("__iter__", "keys", "values", "items", "lists", "dict", "urlencode", "copy")
        for method in (*whole, "__copy__", "__deepcopy__"):
            noting(method, lambda query, _: dict.keys(query))
        yield read


# --- Statements that ask for another's rows -------------------------------------------------------

# The tables without a wall: they say who somebody is, before anybody is known.
_FIRST_TABLE = re.compile(r'\b(?:from|into|update)\s+"?(\w+)', re.IGNORECASE)
_UNWALLED = {"accounts_user", "account_emailaddress", "django_session"}


@contextmanager
def asking_for(theirs: UUID, mine: UUID, *, but: Container[str] = ()) -> Iterator[Counter[str]]:
    """In `mine`'s block every statement asks for the rows of `theirs` instead, whether Django made
    it or it is written out; the setting app.user_id stays. Those of the files in `but` are left as
    they are, '' for Django's own. Yields the files that sent such ones.
    """
    changed: Counter[str] = Counter()

    def anew(statement: str, values: Any) -> Any:
        if acting_person() != mine or "set local app.user_id" in statement:
            return values
        asked, sender = _put(values, mine, theirs), _sender()
        if asked == values or sender in but or (not sender and _is_of_accounts(statement)):
            return values
        changed[sender] += 1
        return asked

    def django(execute: Any, statement: str, values: Any, many: bool, context: Any) -> Any:
        return execute(statement, anew(statement, values), many, context)

    prepared = statements._execute

    def prepare(cursor: Any, statement: str, values: Any) -> None:
        prepared(cursor, statement, anew(statement, values))

    with pytest.MonkeyPatch.context() as patch, connection.execute_wrapper(django):
        patch.setattr(statements, "_execute", prepare)
        yield changed


def _put(value: Any, mine: UUID, theirs: UUID) -> Any:
    """What a statement is sent with, with the one in place of the other wherever it stands."""
    if isinstance(value, UUID):
        return theirs if value == mine else value
    if isinstance(value, str):
        return value.replace(str(mine), str(theirs))
    if isinstance(value, Mapping):
        return {name: _put(part, mine, theirs) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_put(part, mine, theirs) for part in value)
    return value


def _is_of_accounts(statement: str) -> bool:
    first = _FIRST_TABLE.search(statement)
    return first is not None and first[1] in _UNWALLED


def _sender() -> str:
    """The file that wrote the statement out; '' where Django made it."""
    frame = sys._getframe(2)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if "site-packages" not in path.parts and path.is_relative_to(ROOT):
            name = path.relative_to(ROOT).as_posix()
            if name not in _BETWEEN:
                return name
        elif _MAKES_STATEMENTS & set(path.parts):
            return ""
        frame = frame.f_back
    return ""


# What stands between who wrote a statement out and where it is changed.
_BETWEEN = {
    Path(__file__).resolve().relative_to(ROOT).as_posix(),
    "accounts/database/slow_log.py",
    "memory/core/statements.py",
    "memory/core/tracing.py",
}
_MAKES_STATEMENTS = {"models", "sessions", "cache", "admin"}
