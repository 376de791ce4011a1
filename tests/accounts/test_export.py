"""What a person takes away: every table of theirs has its fields named, or says why it stays."""

from typing import Any

import pytest

from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.database.owned import OwnedModel, owned_models
from accounts.models import User
from conversations.models import Conversation, Message
from tests.accounts.test_isolation_tables import fill_the_notebook_of

SECRET = {"token", "digest", "token_key", "password", "client_key", "audit_pseudonym", "user"}

each_table = pytest.mark.parametrize("model", owned_models(), ids=lambda one: one._meta.db_table)


def taken_away(user: User) -> dict[str, list[dict[str, Any]]]:
    with acting_as(user):
        return {label: list(rows) for label, rows in owned.export(user.pk)}


@each_table
def test_a_table_names_its_fields_or_says_why_none(model: type[OwnedModel]) -> None:
    assert bool(model.exported) != bool(model.not_exported)
    columns = {field.attname for field in model._meta.concrete_fields}
    assert set(model.exported) <= columns - SECRET - {"user_id"}
    assert len(set(model.exported)) == len(model.exported)


@pytest.mark.django_db
def test_a_person_takes_away_their_own_rows_and_nobody_elses(alice: User, bob: User) -> None:
    for user in (alice, bob):
        fill_the_notebook_of(user)
    hers = taken_away(alice)
    labels = [model._meta.label_lower for model in owned_models() if model.exported]
    assert list(hers) == labels
    assert all(hers.values())
    with acting_as(alice):
        assert len(hers["conversations.message"]) == Message.objects.count()
        keys = [
            str(key) for key in Conversation.objects.order_by("pk").values_list("pk", flat=True)
        ]
    assert [str(row["id"]) for row in hers["conversations.conversation"]] == keys
    assert hers == taken_away(alice)
    ids = {row["id"] for rows in taken_away(bob).values() for row in rows}
    assert not ids & {row["id"] for rows in hers.values() for row in rows}
