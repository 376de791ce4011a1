"""What the libraries say of a form is said in this product's words, and what was typed stays."""

import re
from pathlib import Path

import allauth
import django
import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext

pytestmark = pytest.mark.django_db
SENTENCES = Path(settings.LOCALE_PATHS[0], "en_GB/LC_MESSAGES/django.po")


def stock_sentences() -> str:
    """The templates of translation that Django, its parts and allauth bring, on one line each."""
    homes = [Path(library.__file__).parent for library in (django, allauth)]
    files = [file for home in homes for file in home.rglob("locale/en/LC_MESSAGES/django.po")]
    return "".join(file.read_text() for file in files).replace('"\n"', "")


def test_every_sentence_still_stands_in_the_libraries_and_is_compiled() -> None:
    """One that a new version words anew would come back in the library's own words."""
    stock = stock_sentences()
    ours = re.findall(
        r'^msgid "(.+)"\n(?:msgid_plural "(.+)"\n)?', SENTENCES.read_text(), re.MULTILINE
    )
    assert len(ours) > 20
    for asked, plural in ours:
        assert f'"{asked}"' in stock
        assert (ngettext(asked, plural, 2) if plural else gettext(asked)) not in {asked, plural}
