"""A copy taken of one account and put into another, as tests need it."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from privacy import exporting
from privacy.models import Restore
from privacy.restoring import requests

Rows = dict[str, list[dict[str, Any]]]


def copied(user: User, *chosen: str) -> bytes:
    """The file of a fresh copy."""
    with acting_as(user):
        key = exporting.ask(user, chosen).pk
    work.do_waiting_work()
    return b"".join(exporting.pieces(user.pk, key))


def brought(user: User, file: bytes) -> Restore:
    """The copy, looked at and waiting for a yes."""
    with acting_as(user):
        return requests.bring(user, io.BytesIO(file))


def restored(user: User, file: bytes) -> Restore:
    """The copy, brought, accepted and restored by the worker, or refused by it."""
    key = brought(user, file).pk
    with acting_as(user):
        requests.accept(user, key)
    work.do_waiting_work()
    with acting_as(user):
        return Restore.objects.get(pk=key)


def rows_of(file: bytes) -> Rows:
    """The rows of a copy, by table."""
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        return {
            table: [json.loads(line) for line in archive.read(told["file"]).splitlines()]
            for table, told in manifest["tables"].items()
        }


def changed(file: bytes, table: str, change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    """The same copy with other rows in one table: somebody has edited it, and counted well."""
    rows = rows_of(file)[table]
    change(rows)
    name = f"data/{table}.jsonl"
    text = "".join(json.dumps(row) + "\n" for row in rows)

    def manifest(old: bytes) -> bytes:
        told = json.loads(old)
        told["tables"][table]["rows"] = len(rows)
        return json.dumps(told).encode()

    return rewritten(file, {name: lambda _: text.encode(), "manifest.json": manifest})


def rewritten(file: bytes, members: dict[str, Callable[[bytes], bytes]]) -> bytes:
    """The same ZIP with other bytes in some of its files."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(file)) as old,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, members.get(name, bytes)(old.read(name)))
    return made.getvalue()
