"""The API does what its description says: schemathesis finds no failure in its operations."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import House, running_house

pytestmark = pytest.mark.slow

CONFIG = Path(__file__).with_name("schemathesis.toml")
OWNER = "ada@example.org"
# They end what the requests come in with, or all that there is to try.
ENDING = ("tokens_revoke", "forget_everything")
# Random requests for each operation; test_hostile_input has those at the limits.
EXAMPLES = int(os.environ.get("API_EXAMPLES", "3"))


def failures(house: House, *options: str) -> str:
    """Return what schemathesis prints of its failures; '' where it finds none."""
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG)),
        *(
            "run",
            f"{house.url}/api/schema",
            "--header",
            f"Authorization: Token {house.token(OWNER)}",
        ),
        *("--phases", "fuzzing", "--continue-on-failure"),
        *("--max-examples", str(EXAMPLES), "--seed", "1", *options),
    ]
    done = subprocess.run(
        command,
        cwd=house.data_dir,
        env=os.environ | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_every_operation_does_what_its_description_says() -> None:
    left_out = [word for name in ENDING for word in ("--exclude-operation-id", name)]
    with running_house(API_LIMIT="0") as house:
        assert not failures(house, *left_out)
        for name in ENDING:
            assert not failures(house, "--include-operation-id", name)
