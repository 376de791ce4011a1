"""Searching outside of text columns: the hot tier, exports, and files of e-mails."""

import tempfile
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO
from uuid import UUID

from django.apps import apps
from django.conf import settings

from memory import manager
from memory.deletion.sought import ErasureTarget
from memory.manager import Tier

# The maximum number of e-mails and broker messages searched, and how much of each is read.
_MOST_FILES, _MOST_BYTES = 5_000, 1_000_000


def in_the_hot_tier(user_id: UUID, target: ErasureTarget) -> Iterator[str]:
    """Yield hot-tier entries of this session with the target, as 'namespace key number'."""
    entries = manager.find_matching_entries(user_id, target)
    hot = [entry.namespace for entry in entries if entry.tier is Tier.HOT]
    yield from (f"{namespace} {number}" for number, namespace in enumerate(hot, 1))


def in_copies(user_id: UUID, target: ErasureTarget) -> Iterator[str]:
    """Yield the ids of exports that contain the target; each is unpacked line by line."""
    pieces = apps.get_model("privacy", "ExportPiece")._default_manager.filter(user_id=user_id)
    for key in pieces.values_list("export_id", flat=True).distinct():
        with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
            of_it = pieces.filter(export_id=key).order_by("number").values_list("data", flat=True)
            for piece in of_it.iterator(1):
                file.write(bytes(piece))
            if any(_has(target, line) for line in _lines(file)):
                yield str(key)


def in_files(email: str, target: ErasureTarget) -> tuple[int, list[str]]:
    """Return how many e-mail files to this address were read, and names of those with a hit."""
    read, names = 0, []
    for path in islice(_newest(Path(settings.EMAIL_FILE_PATH)), _MOST_FILES):
        try:
            with path.open("rb") as file:
                text = file.read(_MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            # Removed meanwhile.
            continue
        if f"To: {email}" in text:
            read += 1
            if _has(target, text):
                names.append(path.name)
    return read, names


def _has(target: ErasureTarget, text: str) -> bool:
    return target.is_in(text) or target.names(text)


def _newest(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    return sorted(files, key=lambda path: path.name, reverse=True)


def _lines(file: IO[bytes]) -> Iterator[str]:
    file.seek(0)
    if not zipfile.is_zipfile(file):
        file.seek(0)
        yield file.read().decode("utf-8", "replace")
        return
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                for line in member:
                    yield line.decode("utf-8", "replace")
