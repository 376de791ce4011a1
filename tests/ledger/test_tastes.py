"""One thing that is liked in two ways is one line, and goes or stays as one."""

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import ProfileFact
from tests.people import tell, values

pytestmark = pytest.mark.django_db


def test_loving_what_one_is_into_is_the_same_said_again(alice: User) -> None:
    tell(alice, "I'm into photography")
    tell(alice, "I love photography")
    assert values(alice, "interests") | values(alice, "likes") == {"photography"}
    with acting_as(alice):
        assert ProfileFact.objects.count() == 1
        assert ProfileFact.objects.get().mentions.count() == 2
