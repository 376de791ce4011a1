"""The faces are brought along: every machine shows the same, and loads little for it."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

FONTS = Path(settings.BASE_DIR, "static/fonts")
SHEET = Path(settings.BASE_DIR, "static/css/fonts.css").read_text()


def test_each_face_is_there_with_its_licence_and_all_are_light() -> None:
    named = re.findall(r"\.\./fonts/([\w-]+\.woff2)", SHEET)
    files = {file.name: file for file in FONTS.glob("*.woff2")}
    assert sorted(named) == sorted(files)
    assert sum(file.stat().st_size for file in files.values()) < 300_000
    for name, file in files.items():
        assert file.read_bytes().startswith(b"wOF2")
        assert "SIL OPEN FONT LICENSE" in (FONTS / f"{name.partition('-')[0]}-OFL.txt").read_text()


@pytest.mark.django_db
def test_a_page_fetches_early_what_its_words_are_set_in() -> None:
    page = Client().get("/").content.decode()
    early = re.findall(r'rel="preload" href="[^"]*/fonts/([\w-]+)[.\w]*\.woff2"', page)
    assert early == ["inter-latin", "newsreader-latin"]
    assert SHEET.count("font-display: swap") == SHEET.count("@font-face")
