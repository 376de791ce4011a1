"""The page of licences has each package that running needs, and no licence that is not allowed."""

import re
import runpy

import pytest

from config import settings

licences = runpy.run_path(str(settings.BASE_DIR / "requirements" / "licences.py"))


def test_each_pinned_package_is_on_the_page() -> None:
    page = licences["PAGE"].read_text(encoding="utf-8")
    listed = {
        name
        for row in re.findall(r"\| ([a-z][^|]*) \|$", page, re.MULTILINE)
        for name in row.split(", ")
    }
    assert listed - {"packages"} == set(licences["pinned"]())


@pytest.mark.parametrize(
    ("stated", "is_allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only AND MIT", False),
        ("AGPL-3.0-or-later", False),
        ("none stated", False),
    ],
)
def test_a_licence_is_allowed_where_one_choice_of_it_is(
    stated: str, is_allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(licences["refused"].__globals__, "licence_of", lambda _: stated)
    assert (licences["refused"](["it"]) == []) is is_allowed
