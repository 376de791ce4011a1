"""Rows that all tests of a file look at, made once instead of before each of them.

For files of many short tests about the same rows. Each test's own changes are rolled back to a
savepoint, and the rows go with the transaction that made them. Such a file must not hold a test
that needs transactions of its own (`transaction=True`): it would run inside this one.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from pytest_django import DjangoDbBlocker


@contextmanager
def made_once(blocker: DjangoDbBlocker) -> Iterator[None]:
    """What the block makes stays until the file is done: for a fixture of the module.

    Make the rows, then `yield` them inside the block.
    """
    with blocker.unblock(), undone():
        yield


@contextmanager
def rolled_back(blocker: DjangoDbBlocker) -> Iterator[None]:
    """For a fixture named `db`, which takes the place of pytest-django's in that file."""
    with blocker.unblock(), undone():
        yield
        connection.check_constraints()


@contextmanager
def undone() -> Iterator[None]:
    """Roll back what the block writes, and let a durable block of the product stand inside."""
    block = transaction.atomic()
    # As in Django's own TestCase: a durable block of the product may stand directly inside.
    block._from_testcase = True
    with block:
        try:
            yield
        finally:
            transaction.set_rollback(True)
