"""Who the application is in the database, and what the owner lets it do."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import DataError, ProgrammingError, connection, connections, transaction

from config import grants
from tests.database import allow_emptying


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


@pytest.fixture
def as_on_the_site(transactional_db: None) -> Iterator[None]:
    """The rights that the site gives, without what transactional tests need more."""
    with grants.as_owner() as owner:
        grants.grant(owner)
    yield
    with grants.as_owner() as owner:
        allow_emptying(owner)


@pytest.mark.usefixtures("as_on_the_site")
@pytest.mark.parametrize("right", ["INSERT", "UPDATE", "DELETE"])
@pytest.mark.parametrize("table", grants.READ_ONLY)
def test_the_application_only_reads_what_migrations_write(table: str, right: str) -> None:
    assert ask(f"SELECT has_table_privilege('{table}', 'SELECT')") is True
    assert ask(f"SELECT has_table_privilege('{table}', '{right}')") is False


@pytest.mark.usefixtures("as_on_the_site")
@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE django_migrations SET name = 'other'",
        "INSERT INTO auth_permission (name, content_type_id, codename) VALUES ('a', 1, 'a')",
        "SELECT lo_creat(-1)",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'kept outside every policy')",
    ],
)
def test_the_database_refuses_what_the_application_has_no_use_for(attempt: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        ask(attempt)
