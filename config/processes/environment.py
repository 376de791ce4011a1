"""The reference of the environment variables, as a document and as a file to fill in."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEANINGS = Path(__file__).parents[1] / "variables.toml"
INTRODUCTION = """\
# Environment variables

*Written by `manage.py environment`, from `config/variables.toml` and the settings.*

They are read when a process starts, from its environment and from `.env` beside `manage.py`.
Switches are `1` or `0`."""
FILE_INTRODUCTION = """\
# Settings of a Throughline server, described in docs/environment.md. Lines with "#" are defaults.
# Only the user of the site may read this file. Written by `manage.py environment --file`."""


@dataclass(frozen=True)
class Variable:
    """One variable, with its default in words, and a value for a server that needs one."""

    name: str
    meaning: str
    default: str
    plain_default: str
    example: str | None
    only: str


def described(defaults: dict[str, Any]) -> dict[str, list[Variable]]:
    """Return the described variables by section. Raises LookupError if the settings read others."""
    with MEANINGS.open("rb") as file:
        sections = tomllib.load(file)
    names = {name for section in sections.values() for name in section}
    if wrong := names ^ defaults.keys():
        raise LookupError(f"Read by the settings or described, but not both: {sorted(wrong)}.")
    return {
        title: [_variable(name, entry, defaults[name]) for name, entry in section.items()]
        for title, section in sections.items()
    }


def as_document(sections: dict[str, list[Variable]]) -> str:
    """Return the reference in Markdown."""
    return "\n".join([INTRODUCTION, *_document_lines(sections), ""])


def as_file(sections: dict[str, list[Variable]]) -> str:
    """Return an environment file for systemd and containers, without command-only variables."""
    return "\n".join([FILE_INTRODUCTION, *_file_lines(sections), ""])


def _document_lines(sections: dict[str, list[Variable]]) -> Iterator[str]:
    for title, variables in sections.items():
        yield from ("", f"## {title}", "", "| variable | default | meaning |", "|---|---|---|")
        for variable in variables:
            only = f"; only for {variable.only}" if variable.only else ""
            yield f"| `{variable.name}` | {variable.default} | {variable.meaning}{only} |"


def _file_lines(sections: dict[str, list[Variable]]) -> Iterator[str]:
    for title, variables in sections.items():
        yield from ("", f"# --- {title}")
        for variable in variables:
            if variable.only:
                continue
            if variable.example is None:
                yield f"#{variable.name}={variable.plain_default}"
            else:
                yield f"{variable.name}={variable.example}"


def _variable(name: str, entry: str | dict[str, str], default: Any) -> Variable:
    more = {"meaning": entry} if isinstance(entry, str) else entry
    plain = _plain(default)
    in_words = f"`{plain}`" if isinstance(default, str) and plain else plain or "none"
    return Variable(
        name,
        more["meaning"],
        more.get("default", in_words),
        more.get("on_a_server", "" if "default" in more else plain),
        more.get("example"),
        more.get("only", ""),
    )


def _plain(default: Any) -> str:
    """Return a default as the environment would spell it; empty for none."""
    if isinstance(default, bool):
        return str(int(default))
    if isinstance(default, int | float):
        return f"{default:g}"
    return default if isinstance(default, str) else ""
