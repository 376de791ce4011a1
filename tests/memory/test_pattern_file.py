"""Patterns that are kept as data: what stands in their braces, and that each can be read."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import memory.language
from memory.language.safety import instructions, pattern_file
from memory.language.safety.pattern_file import PatternFile


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PatternFile:
    (tmp_path / "some.toml").write_text(
        "[lists]\ndrop = 'forget let_go'\n[parts]\nthem = '(?:{drop} them)'\n"
        "both = '''{them}|\n  {drop}{gap 1}all'''\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(pattern_file, "__file__", str(tmp_path / "module.py"))
    return PatternFile("some.toml")


def test_a_name_in_braces_stands_for_its_part_or_for_a_word_of_its_list(
    written: PatternFile,
) -> None:
    assert written.part("them") == "(?:(?:forget|let go) them)"


def test_a_line_break_in_a_pattern_means_nothing(written: PatternFile) -> None:
    assert written.part("both").startswith("(?:(?:forget|let go) them)|(?:forget|let go)[")


def test_every_pattern_can_be_compiled() -> None:
    assert [rule.kind for rule in instructions.RULES if rule.pattern.fullmatch("x")] == []


FILES = sorted(Path(memory.language.__file__).parent.rglob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_two_parts_of_a_file_have_one_name(file: Path) -> None:
    sections = tomllib.loads(file.read_text(encoding="utf-8")).values()
    tables = [section for section in sections if isinstance(section, dict)]
    names = Counter(
        name for table in tables for name, part in table.items() if isinstance(part, str)
    )
    assert [name for name, times in names.items() if times > 1] == []
