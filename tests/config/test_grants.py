"""Who the application is in the database, and what the owner lets it do."""

import pytest
from django.conf import settings
from django.db import DataError, ProgrammingError, connection, connections, transaction

from config import grants


def ask(sql: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


@pytest.mark.django_db
def test_the_application_is_neither_superuser_nor_exempt_from_row_security() -> None:
    assert ask("SELECT current_user") == settings.DATABASE_APP_ROLE
    assert ask("SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False
    assert ask("SELECT rolbypassrls FROM pg_roles WHERE rolname = current_user") is False


@pytest.mark.django_db
def test_the_application_can_write_rows_but_not_change_tables() -> None:
    assert ask("SELECT has_table_privilege('django_session', 'INSERT')") is True
    for statement in ("CREATE TABLE mine (id int)", "DROP TABLE django_session"):
        with pytest.raises(ProgrammingError), transaction.atomic():
            ask(statement)


@pytest.mark.django_db
def test_granting_as_the_application_itself_changes_nothing() -> None:
    grants.grant(connection, "TRIGGER")
    assert ask("SELECT has_table_privilege('django_session', 'TRIGGER')") is False


@pytest.mark.django_db(transaction=True)
def test_a_table_the_owner_makes_later_is_open_to_the_application() -> None:
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later AS SELECT 1 AS one")
    try:
        assert ask("SELECT current_user") == settings.DATABASE_APP_ROLE
        assert ask("SELECT one FROM later") == 1
    finally:
        with grants.as_owner(), connection.cursor() as cursor:
            cursor.execute("DROP TABLE later")


@pytest.mark.django_db(transaction=True)
def test_the_application_comes_back_after_an_error_as_the_owner() -> None:
    with pytest.raises(DataError), grants.as_owner():
        ask("SELECT 1 / 0")
    assert ask("SELECT current_user") == settings.DATABASE_APP_ROLE
    assert connections["default"].settings_dict["USER"] == settings.DATABASE_APP_ROLE
