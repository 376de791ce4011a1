"""The files of deploy/ agree with the settings, the commands and the documents."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from config import settings
from config.processes import embedded, environment
from tests.external import documented_sql

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
# Of the interpreter and of the image of PostgreSQL, and what a client of the MCP server reads.
OF_OTHERS = {"LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "THROUGHLINE_TOKEN"}


def sections() -> dict[str, list[environment.Variable]]:
    return environment.described(settings.env.defaults)


def variables() -> set[str]:
    return {variable.name for section in sections().values() for variable in section}


def test_the_reference_has_every_variable_that_the_settings_read() -> None:
    written = (ROOT / "docs" / "environment.md").read_text()
    assert written == environment.as_document(sections()), (
        "run `manage.py environment > docs/environment.md`"
    )


def test_the_example_of_a_file_has_every_variable_of_the_site() -> None:
    written = (DEPLOY / "throughline.env.example").read_text()
    assert written == environment.as_file(sections()), (
        "run `manage.py environment --file > deploy/throughline.env.example`"
    )


def test_a_variable_without_a_meaning_is_refused() -> None:
    with pytest.raises(LookupError, match="NEW_VARIABLE"):
        environment.described({**settings.env.defaults, "NEW_VARIABLE": ""})


def test_a_meaning_of_what_nobody_reads_is_refused() -> None:
    read = {name: told for name, told in settings.env.defaults.items() if name != "LOG_LEVEL"}
    with pytest.raises(LookupError, match="LOG_LEVEL"):
        environment.described(read)


def test_only_the_settings_read_variables() -> None:
    packages = "accounts config conversations evaluation ledger memory personas privacy webhooks"
    read = re.compile(r"environ(?:\.get\(|\[)\"([A-Z_]+)\"[,)\]](?! =)|Env\(\)\.\w+\(\"([A-Z_]+)\"")
    elsewhere = {
        "".join(names)
        for package in packages.split()
        for path in (ROOT / package).rglob("*.py")
        for names in read.findall(path.read_text(encoding="utf-8"))
    }
    assert "DATA_DIR" in elsewhere
    assert elsewhere - variables() - OF_OTHERS == set()


def test_the_settings_read_the_example(tmp_path: Path) -> None:
    lines = (DEPLOY / "throughline.env.example").read_text().splitlines()
    pairs = [line.removeprefix("#").partition("=") for line in lines if re.match(r"#?[A-Z]", line)]
    given = {name: value for name, _, value in pairs if value}
    given |= {
        "SECRET_KEY": "Zq3vN8xT5bLwR2mK7cYdHfJ0aGsEuPi4oQnXtVy6WzB1lCkM9r",
        "DATA_DIR": str(tmp_path),
    }
    ended = subprocess.run(
        [sys.executable, "-c", "from config import settings; print(settings.EMAIL_HOST)"],
        cwd=ROOT,
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.strip() == "mail.example.org", ended.stderr


def commands(text: str) -> set[str]:
    return set(re.findall(r"manage\.py,? ([a-z_]+)", text))


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_exists(unit: Path) -> None:
    text = unit.read_text()
    assert commands(text) <= get_commands().keys()
    programs = re.findall(r"\.venv/bin/(\w+)", text)
    assert programs
    for program in programs:
        assert (Path(sys.executable).parent / program).exists()


def test_compose_and_kubernetes_name_variables_and_commands_that_exist() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    kubernetes = yaml.safe_load((DEPLOY / "kubernetes.yaml").read_text())
    ours = [each for each in compose["services"].values() if each["image"] == "throughline"]
    templates = [
        item["spec"]["template"] for item in kubernetes["items"] if "template" in item["spec"]
    ]
    containers = [each for template in templates for each in template["spec"]["containers"]]
    assert len(ours) == 6
    assert len(containers) == 4
    named = {name for each in ours for name in each["environment"]}
    named |= {variable["name"] for each in containers for variable in each["env"]}
    assert named <= variables()
    words = [
        *(each.get("command", []) for each in ours),
        *(each.get("args", []) for each in containers),
    ]
    started = commands("\n".join(" ".join(each) for each in words))
    assert {"migrate", "backup"} <= started <= get_commands().keys()


def test_kubernetes_starts_the_image_of_this_version() -> None:
    images = set(re.findall(r"image: (\S+)", (DEPLOY / "kubernetes.yaml").read_text()))
    assert images == {f"throughline:{settings.VERSION}"}


def test_compose_has_a_value_for_each_password() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+):\?\}", (DEPLOY / "compose.yaml").read_text()))
    offered = set(
        re.findall(r"^([A-Z_]+)=", (DEPLOY / "compose.env.example").read_text(), re.MULTILINE)
    )
    assert asked == offered


def test_the_roles_are_those_of_the_document() -> None:
    script = (DEPLOY / "postgres" / "roles.sh").read_text()
    statements = re.findall(r"^(?:create|grant|revoke|alter) .*;$", script, re.MULTILINE)
    roles, in_each = documented_sql()
    hidden = [re.sub(r"password '.*?'", "password …", line) for line in (*roles, *in_each)]
    assert [re.sub(r"password :'\w+'", "password …", line) for line in statements] == hidden


def test_the_database_is_one_that_the_documents_allow() -> None:
    least = re.search(r"PostgreSQL (\d+) or newer", (ROOT / "docs" / "environment.md").read_text())
    image = re.search(r"image: pgvector/pgvector:pg(\d+)", (DEPLOY / "compose.yaml").read_text())
    assert least is not None
    assert image is not None
    newest = subprocess.run(
        [embedded.binaries() / "pg_dump", "--version"], capture_output=True, text=True, check=True
    )
    # What comes with Throughline has to read it, for backups.
    dumps = int(newest.stdout.split()[-1].split(".")[0])
    assert int(least[1]) <= int(image[1]) <= dumps


def test_the_image_is_given_all_packages_that_the_settings_name() -> None:
    allowed = set(
        re.findall(r"^!(.+)$", (DEPLOY / "Containerfile.dockerignore").read_text(), re.MULTILINE)
    )
    assert all((ROOT / name).exists() for name in allowed)
    apps = {name.split(".")[0] for name in settings.INSTALLED_APPS}
    assert {name for name in apps if (ROOT / name).is_dir()} <= allowed
