"""A search of a test's own through all that is stored, as the role that owns the tables: no row
security, no code of the product, every table, packed bytes and copies opened, and the cache.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.cache import caches
from django.db import connection

from config import grants
from memory.models.packing import unpack_json


def places_with(word: str) -> set[str]:
    """The tables, and 'hot tier' or files, in which a word stands, in letters of any size."""
    wanted = word.lower().encode()
    return {place for place, content in everything() if wanted in content.lower()}


def everything() -> Iterator[tuple[str, bytes]]:
    """All of it, a row or a file at a time."""
    yield from tables()
    for value in caches["hot"]._cache.values():  # type: ignore[attr-defined]
        yield "hot tier", bytes(value)
    for path in Path(settings.EMAIL_FILE_PATH).rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes()


def tables() -> Iterator[tuple[str, bytes]]:
    """Every row of the database as text, and each of its columns of bytes as what it packs."""
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        names = [name for (name,) in cursor.fetchall()]
        assert len(names) > 60
        for name in names:
            cursor.execute(f'select t::text from "{name}" t')
            yield from ((name, row.encode()) for (row,) in cursor.fetchall())
            cursor.execute(
                "select column_name from information_schema.columns"
                " where table_schema = 'public' and table_name = %s and data_type = 'bytea'",
                [name],
            )
            for (column,) in cursor.fetchall():
                cursor.execute(f'select "{column}" from "{name}" where "{column}" is not null')
                for (value,) in cursor.fetchall():
                    yield from ((name, content) for content in opened(bytes(value)))


def opened(value: bytes) -> Iterator[bytes]:
    """Bytes as they are, unpacked, and as the files of an archive."""
    yield value
    with suppress(zlib.error, KeyError, IndexError, ValueError):
        yield str(unpack_json(value)).encode()
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(value)) as archive:
        for name in archive.namelist():
            yield archive.read(name)
