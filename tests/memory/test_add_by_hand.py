"""Adding a line by hand where one stands already: no dead end, and nothing typed is lost."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.people import Talk, tell, the_fact, values

ADD = "/notebook/profile/add/"


def test_a_second_employer_is_told_where_to_change_the_first_and_how_to_keep_both(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google.")
    refused = as_alice.post(ADD, {"slot": "employer", "value": "Salt & Wax", "since": ""})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert 'value="Salt &amp; Wax"' in page
    edit = f"/notebook/facts/{the_fact(alice, 'employer').pk}/edit/?value=Salt+%26+Wax"
    assert edit in page
    assert 'value="Salt &amp; Wax"' in as_alice.get(edit).content.decode()
    assert values(alice, "employer") == {"Google"}


def test_what_is_over_is_added_to_the_history_beside_what_holds_now(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    tell(alice, "I work at Google.")
    told = {"slot": "employer", "value": "Post AG", "since": "2009-01-01", "over": "2016-01-01"}
    kept = as_alice.post(ADD, told)
    assert kept.status_code == 302
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "employer", "past") == {"Post AG"}
    assert "Post AG: 2009 to 2016" in talk().say("Where did I work before?").content


@pytest.mark.parametrize(
    ("changes", "mend"),
    [
        ({"since": "2016-01-01", "over": "2009-01-01"}, "The end must come after the start."),
        (
            {"value": "Bosch", "since": "2010-01-01", "over": "2012-01-01"},
            "Choose different dates.",
        ),
        ({"value": "Google", "over": "2012-01-01"}, "If it has ended, change that fact."),
    ],
)
def test_a_past_that_cannot_be_says_what_to_mend(
    alice: User, as_alice: Client, changes: dict[str, str], mend: str
) -> None:
    tell(alice, "I work at Google.")
    told = {"slot": "employer", "value": "Post AG", "since": "2009-01-01", "over": "2016-01-01"}
    as_alice.post(ADD, told)
    refused = as_alice.post(ADD, {**told, "since": "", **changes})
    assert refused.status_code == 422
    assert mend in refused.content.decode()
    assert values(alice, "employer", "past") == {"Post AG"}
