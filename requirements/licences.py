"""Write docs/licences.md: under which licences the pinned packages of requirements/base.txt are.

Fails for a licence that is not allowed here. Needs an environment in which they are installed.
"""

import re
import sys
from collections import defaultdict
from importlib.metadata import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
HEAD = """# Licences of dependencies

Throughline is under Apache-2.0. The packages of `requirements/base.txt` state these licences.
`make audit` writes this page.

| licence | packages |
|---|---|
"""
# One name for each way to write a licence.
NAMES = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
# LGPL is allowed for what is imported and not changed.
ALLOWED = re.compile(r"(Apache-2\.0|BSD|0BSD|MIT|ISC|MPL-2\.0|PSF-2\.0|LGPL-3\.0|Zlib|CC0-1\.0)")


def pinned() -> list[str]:
    """Return the names of the packages that running needs."""
    text = (ROOT / "requirements" / "base.txt").read_text(encoding="utf-8")
    return re.findall(r"^([a-z0-9._-]+)==", text, re.MULTILINE)


def licence_of(package: str) -> str:
    """Return the licence that an installed package states: an expression, classifiers or a text."""
    stated = metadata(package)
    if expression := stated.get("License-Expression"):
        return str(expression)
    classifiers = (line.split(" :: ") for line in stated.get_all("Classifier") or [])
    named = sorted({parts[-1] for parts in classifiers if parts[0] == "License"})
    named = [name for name in named if name != "OSI Approved"]
    lines = (stated.get("License") or "none stated").splitlines()
    return " OR ".join(NAMES.get(name, name) for name in named or lines[:1])


def table(packages: list[str]) -> str:
    """Return a row for each licence, with its packages."""
    by_licence: dict[str, list[str]] = defaultdict(list)
    for package in packages:
        by_licence[licence_of(package)].append(package)
    rows = sorted(by_licence.items(), key=lambda row: (-len(row[1]), row[0]))
    return "".join(f"| {licence} | {', '.join(names)} |\n" for licence, names in rows)


def refused(packages: list[str]) -> list[str]:
    """Return the packages under a licence that is not allowed, with it."""
    stated = {package: licence_of(package) for package in packages}
    return [
        f"{package}: {licence}"
        for package, licence in stated.items()
        if not any(
            all(ALLOWED.match(part) for part in choice.split(" AND "))
            for choice in licence.split(" OR ")
        )
    ]


if __name__ == "__main__":
    if faults := refused(pinned()):
        sys.exit("Not allowed: " + "; ".join(faults))
    PAGE.write_text(HEAD + table(pinned()), encoding="utf-8")
