"""Whatever is kept about a person has been through the one gate: no way in the code leads round it.

The code is read, not run. A function that makes a row of a kind of memory asks the gate, or every
way that leads to it does.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
ROOMS = ("personas", "memory", "ledger", "conversations", "privacy", "config")
# What is kept about a person, and may be made only past the gate.
KEPT = {
    "memory.models": "ProfileFact Memory Override MemoryBlock NamespaceEntry LessonSupport Passage",
    "conversations.models": "Topic ConversationTopic",
    "personas.models": "UserPersona",
}
ROWS = frozenset(f"{room}.{name}" for room, names in KEPT.items() for name in names.split())
MAKES = frozenset("create bulk_create get_or_create update_or_create".split())
GATE = "memory.core.persistence_gate.decide_persistence"
# They ask for whoever calls them, and raise or say where the gate objects.
ASKERS = {
    "memory.notes.note_gate.judge",
    "memory.notes.note_gate.check_note",
    "memory.notes.note_gate.check_note_return",
    "memory.facts.revision._check_gate",
    "memory.blocks.private_blocks.check_block",
    "memory.lessons.contribution.decide_lesson_for",
    "memory.lessons.contribution._check_that_they_may",
    "memory.lessons.contribution.check_lesson",
    "ledger.promotion.private_facts.judge",
    "conversations.learning.indexing.is_findable",
    "conversations.topics.topic_detection._open_to_topics",
    "conversations.tools.visibility.refuse_where_nothing_is_kept",
}
# Ways that need no gate, with the reason.
EXEMPT = {
    "memory.facts.revision.narrow": "it takes a fact out of the profile, into one conversation",
    "memory.web.api.personas": "its owner says what they work as",
    "memory.lessons.role_answers": "its owner answers whether they work as something",
    "privacy.restoring": "its owner puts back, after a yes, what was kept before",
    "privacy.legacy": "its owner brings an earlier store; its rows pass the gates as they are read",
    "conversations.demo.setup": "the people of a demonstration",
    "conversations.topics.topic_store": "its owner puts their topics right by hand",
    "memory.retrieval.passage_index.reindex_passages": "passages made anew from themselves",
}


@dataclass
class Function:
    """One function: what it refers to by full name, and whether it makes something kept."""

    name: str
    refers: set[str] = field(default_factory=set)
    makes: bool = False


def _imported(tree: ast.Module, package: str) -> Iterator[tuple[str, str]]:
    """The names that a module imports from others, each with its full name there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            of = f"{package}.{node.module}" if node.level else node.module
            yield from ((a.asname or a.name, f"{of}.{a.name}") for a in node.names)


def _offered() -> dict[str, str]:
    """Return what the manager passes through, by where it is defined."""
    manager = (HOUSE / "memory" / "manager.py").read_text(encoding="utf-8")
    return {
        f"memory.manager.{name}": full
        for name, full in _imported(ast.parse(manager), "memory.manager")
    }


OFFERED = _offered()


def functions_of(code: str, module: str) -> Iterator[Function]:
    """The functions of a module. A reference counts like a call: it may be called later."""
    tree = ast.parse(code)
    names = {name: OFFERED.get(full, full) for name, full in _imported(tree, module)}
    local = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    names |= {name: f"{module}.{name}" for name in local}
    for top in tree.body:
        inside = top.body if isinstance(top, ast.ClassDef) else [top]
        for node in inside:
            if isinstance(node, ast.FunctionDef):
                owner = f"{top.name}." if isinstance(top, ast.ClassDef) else ""
                yield _read(node, f"{module}.{owner}{node.name}", names)


def _read(function: ast.FunctionDef, name: str, names: dict[str, str]) -> Function:
    found = Function(name)
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in names:
            found.refers.add(names[node.id])
        of = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(of, ast.Name) and of.id in names:
            found.refers.add(f"{names[of.id]}.{node.attr}")
        if isinstance(node, ast.Call):
            found.makes |= _makes(node, names)
    return found


def _makes(call: ast.Call, names: dict[str, str]) -> bool:
    """Whether it makes a row of a kind that is kept, or puts an entry into the hot tier."""
    target = call.func
    if isinstance(target, ast.Name):
        return names.get(target.id) in ROWS
    if not isinstance(target, ast.Attribute):
        return False
    if target.attr == "hold" and isinstance(target.value, ast.Name):
        return target.value.id == "tiers"
    model = target.value.value if isinstance(target.value, ast.Attribute) else None
    if target.attr not in MAKES or not isinstance(model, ast.Name):
        return False
    return names.get(model.id) in ROWS


def ways_round(functions: list[Function], exempt: tuple[str, ...] = tuple(EXEMPT)) -> set[str]:
    """Where a way to a row begins that passes no gate, by full name."""
    by_name = {one.name: one for one in functions}
    callers: dict[str, set[str]] = {}
    for one in functions:
        for name in one.refers:
            if name in by_name and name != one.name:
                callers.setdefault(name, set()).add(one.name)
    open_ends, seen = set(), set()
    waiting = [one.name for one in functions if one.makes]
    while waiting:
        name = waiting.pop()
        asks = not by_name[name].refers.isdisjoint({GATE, *ASKERS})
        if name in seen or asks or name.startswith(exempt):
            continue
        seen.add(name)
        waiting += callers.get(name, ())
        if not callers.get(name):
            open_ends.add(name)
    return open_ends


ROW = "from memory.models import Memory\nfrom conversations.models import Topic\n"
ASKS = f"from {GATE.rpartition('.')[0]} import decide_persistence\n"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def keep():\n    Memory.objects.create()", {"m.keep"}),
        (f"{ASKS}def keep():\n    decide_persistence()\n    Memory.objects.create()", set()),
        (
            f"{ASKS}def _make():\n    Topic()\ndef keep():\n    decide_persistence()\n    _make()",
            set(),
        ),
        ("def _make():\n    Topic()\ndef keep():\n    _make()", {"m.keep"}),
        (
            f"{ASKS}def _make():\n    Topic()\ndef a():\n    decide_persistence()\n    _make()\n"
            "def b():\n    deed = _make\n    deed()",
            {"m.b"},
        ),
        ("def keep():\n    tiers.hold()", {"m.keep"}),
        ("def read():\n    Memory.objects.filter()", set()),
    ],
)
def test_a_way_round_is_seen(code: str, found: set[str]) -> None:
    assert ways_round(list(functions_of(f"{ROW}{code}", "m"))) == found


def test_no_way_leads_round_the_gate() -> None:
    functions = []
    for room in ROOMS:
        for path in (HOUSE / room).rglob("*.py"):
            if "migrations" not in path.parts:
                module = ".".join(path.relative_to(HOUSE).with_suffix("").parts)
                code = path.read_text(encoding="utf-8")
                functions += functions_of(code, module.removesuffix(".__init__"))
    assert ways_round(functions) == set()
    by_name = {one.name: one for one in functions}
    assert all(not by_name[name].refers.isdisjoint({GATE, *ASKERS}) for name in ASKERS)
    needless = [way for way in EXEMPT if not ways_round(functions, tuple({*EXEMPT} - {way}))]
    assert needless == []
