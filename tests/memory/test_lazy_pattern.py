"""A pattern is compiled when it is first used, once, and is then as quick as any other."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from subprocess import check_output

import pytest
from django.conf import settings

from memory.language.lazy_pattern import compile_lazily

# Most of them are the libraries'. The rules about language are some thousand more.
MOST_AT_THE_START = 600
COUNT_WHAT_IS_COMPILED = """
import os, re._compiler as compiler
compiled, compile_ = [], compiler.compile
def counted(pattern, flags=0):
    compiled.append(pattern)
    return compile_(pattern, flags)
compiler.compile = counted
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
import memory.language.reading
print(len(compiled))
"""


@pytest.mark.parametrize("method", ["match", "search", "fullmatch", "findall", "sub", "split"])
def test_it_does_what_a_compiled_pattern_does(method: str) -> None:
    lazy, compiled = (make(r"\s*(\w+)", re.IGNORECASE) for make in (compile_lazily, re.compile))
    words = ("-", "one two") if method == "sub" else ("one two",)
    told, expected = (getattr(pattern, method)(*words) for pattern in (lazy, compiled))
    assert getattr(told, "groups", list)() == getattr(expected, "groups", list)()
    assert isinstance(expected, re.Match) or told == expected


def test_its_text_and_flags_are_there_without_compiling() -> None:
    wrong = compile_lazily("(", re.IGNORECASE)
    assert wrong.pattern == "("
    assert wrong.flags == re.compile("", re.IGNORECASE).flags
    with pytest.raises(re.error):
        wrong.search("")


def test_threads_that_use_it_first_at_once_compile_it_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[str] = []
    compile_ = re.compile

    def counted(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "compile", counted)
    lazy = compile_lazily("river(?:side|bank)?")
    with ThreadPoolExecutor(24) as threads:
        found = list(threads.map(lambda _: lazy.search("along the riverbank"), range(24)))
    assert all(found)
    assert len(compiled) == 1


@pytest.mark.slow
def test_whoever_loads_the_rules_compiles_few_of_them() -> None:
    command = [sys.executable, "-c", COUNT_WHAT_IS_COMPILED]
    told = check_output(command, cwd=settings.BASE_DIR, text=True)
    assert int(told) < MOST_AT_THE_START
