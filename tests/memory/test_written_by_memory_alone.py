"""Only memory's own modules write its rows; the other rooms read them and ask memory to write."""

import ast
import tomllib
from pathlib import Path

import pytest
from django.apps import apps

HOUSE = Path(__file__).parents[2]
OTHER_ROOMS = ("accounts", "personas", "ledger", "conversations", "privacy", "evaluation", "config")
# Methods of a manager, a query or a row that write.
WRITES = frozenset(
    "create acreate bulk_create bulk_update get_or_create update_or_create update delete save"
    " save_base".split()
)
# They take rows of every room at once, told apart by owner: starting over, and coming back.
FOR_EVERY_ROOM = {"accounts/database/owned.py"}
OURS = {model.__name__ for model in apps.get_app_config("memory").get_models()}


def writes_of_memory(code: str) -> list[int]:
    """The lines on which a chain of calls begins with a model of memory and writes.

    What a function builds and another one writes is not followed: whoever reads a change sees that.
    """
    nodes = list(ast.walk(ast.parse(code)))
    named = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _begins_with(node.value, OURS)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in WRITES
        and _begins_with(node.func.value, OURS | named)
    ]


def _begins_with(node: ast.expr, names: set[str]) -> bool:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in names


@pytest.mark.parametrize(
    ("code", "writes"),
    [
        ("Memory.objects.filter(pk=1).delete()", True),
        ("rows = Memory.objects.all()\nrows.filter(pk=1).update(trust=1)", True),
        ("fact = ProfileFact.objects.get(pk=1)\nfact.save()", True),
        ("Conversation.objects.filter(pk=1).delete()", False),
        ("Memory.objects.filter(pk=1).values()", False),
    ],
)
def test_a_write_is_seen(code: str, writes: bool) -> None:
    assert bool(writes_of_memory(code)) is writes


def test_no_other_room_writes_rows_of_memory() -> None:
    found = {
        f"{path.relative_to(HOUSE)}:{line}"
        for room in OTHER_ROOMS
        for path in (HOUSE / room).rglob("*.py")
        if "migrations" not in path.parts
        and path.relative_to(HOUSE).as_posix() not in FOR_EVERY_ROOM
        for line in writes_of_memory(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_no_package_offers_what_only_few_may_do() -> None:
    contracts = tomllib.loads((HOUSE / "pyproject.toml").read_text())["tool"]["importlinter"]
    closed = {
        module
        for contract in contracts["contracts"]
        if contract["type"] == "protected"
        for module in contract["protected_modules"]
    }
    assert "memory.facts.revision" in closed
    for stub in (HOUSE / "memory").glob("*/__init__.pyi"):
        offered = {
            f"memory.{stub.parent.name}.{node.module}"
            for node in ast.parse(stub.read_text()).body
            if isinstance(node, ast.ImportFrom)
        }
        assert not {part for name in offered for part in (name, name.rpartition(".")[0])} & closed
