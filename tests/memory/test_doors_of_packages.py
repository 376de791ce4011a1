"""Each package of memory offers names to the other rooms; what few may do is not among them."""

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUBS = sorted((ROOT / "memory").glob("*/__init__.pyi"))


def offered(stub: Path) -> list[tuple[str, str]]:
    """The modules of a package, each with a name that the package offers of it."""
    package = f"memory.{stub.parent.name}"
    return [
        (f"{package}.{node.module}", alias.name)
        for node in ast.parse(stub.read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]


def protected() -> set[str]:
    """What only the few importers of a contract may import."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return {
        module
        for contract in contracts["contracts"]
        if contract["type"] == "protected"
        for module in contract["protected_modules"]
        if "*" not in module and module.startswith("memory.")
    }


@pytest.mark.parametrize("stub", STUBS, ids=[stub.parent.name for stub in STUBS])
def test_a_package_offers_what_its_modules_define_and_says_so(stub: Path) -> None:
    package = importlib.import_module(f"memory.{stub.parent.name}")
    described = set(re.findall(r"`(\w+)`", ast.get_docstring(ast.parse(stub.read_text())) or ""))
    names = offered(stub)
    assert described == {name for _, name in names}
    assert not {name for _, name in names} & {path.stem for path in stub.parent.iterdir()}
    for module, name in names:
        assert getattr(package, name) is getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("stub", STUBS, ids=[stub.parent.name for stub in STUBS])
def test_no_package_offers_what_only_few_may_do(stub: Path) -> None:
    closed = protected()
    assert "memory.facts.revision" in closed
    for module, _ in offered(stub):
        assert not {module, module.rpartition(".")[0]} & closed, module
