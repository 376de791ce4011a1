"""What the libraries say of a form is said in this product's words, and what was typed stays."""

import re
from html import unescape
from pathlib import Path

import allauth
import django
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils.translation import gettext, ngettext

from accounts.models import User
from tests.people import PASSWORD, client_for

pytestmark = pytest.mark.django_db
SENTENCES = Path(settings.LOCALE_PATHS[0], "en_GB/LC_MESSAGES/django.po")


@pytest.fixture(autouse=True)
def no_tries_so_far(db: None) -> None:
    cache.clear()


def page(client: Client, address: str, **typed: str) -> str:
    return unescape(client.post(address, typed).content.decode())


@pytest.mark.parametrize(
    ("password", "sentence"),
    [
        ("short", "Use at least 8 characters"),
        ("password1", "Try three random words"),
        ("5820619374", "Add a word or two"),
        ("newcomer@example.com", "too close to your e-mail"),
        ("", "Fill this in"),
    ],
)
def test_a_refused_password_says_what_to_type_and_keeps_the_address(
    password: str, sentence: str
) -> None:
    shown = page(Client(), "/accounts/signup/", email="newcomer@example.org", password1=password)
    assert sentence in shown
    assert 'value="newcomer@example.org"' in shown
    assert not password or f'value="{password}"' not in shown


def test_an_address_that_is_none_says_how_one_looks() -> None:
    shown = page(Client(), "/accounts/signup/", email="newcomer", password1=PASSWORD)
    assert "name@example.org" in shown
    assert 'value="newcomer"' in shown


def test_a_wrong_password_says_what_to_do_and_keeps_the_address(alice: User) -> None:
    shown = page(Client(), "/accounts/login/", login=alice.email, password="wrong")
    assert "That e-mail and password don’t match" in shown
    assert f'value="{alice.email}"' in shown


def test_a_lock_out_says_how_many_minutes_it_lasts(alice: User) -> None:
    for _ in range(5):
        page(Client(), "/accounts/login/", login=alice.email, password="wrong")
    shown = page(Client(), "/accounts/login/", login=alice.email, password=PASSWORD)
    assert "Wait 5 minutes, then try again" in shown


def test_many_tries_from_one_place_wait_a_minute(db: None) -> None:
    for number in range(10):
        page(Client(), "/accounts/login/", login=f"{number}@example.org", password="wrong")
    shown = page(Client(), "/accounts/login/", login="other@example.org", password="wrong")
    assert "Wait a minute, then try again" in shown


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"oldpassword": "wrong"}, "not your current password"),
        ({"oldpassword": PASSWORD, "password2": "x"}, "The two passwords differ"),
    ],
)
def test_a_new_password_that_is_not_taken_says_why(
    alice: User, typed: dict[str, str], sentence: str
) -> None:
    typed = {"password1": "three calm words", "password2": "three calm words", **typed}
    assert sentence in page(client_for(alice), "/accounts/password/change/", **typed)


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
