"""The alerts and the dashboard ask for what the site counts, and Prometheus takes them."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as site

from config.monitoring import gauges
from config.telemetry import Metrics

MONITORING = Path(site.BASE_DIR) / "deploy" / "monitoring"
GUIDE = Path(site.BASE_DIR) / "docs" / "monitoring.md"
NAMED = re.compile(r"throughline_\w+")


def rules() -> list[dict[str, Any]]:
    loaded = yaml.safe_load((MONITORING / "alerts.yaml").read_text(encoding="utf-8"))
    return [rule for group in loaded["groups"] for rule in group["rules"]]


def expressions() -> list[str]:
    board = json.loads((MONITORING / "grafana.json").read_text(encoding="utf-8"))
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]


@pytest.fixture
def counted(tmp_path: Path, settings: Any, db: None) -> set[str]:
    """The names of everything that `/metrics` can hold, a backup and a worker included."""
    from datetime import timedelta
    from uuid import uuid4

    from django.utils.timezone import now

    from accounts.database.isolation import acting_as_worker
    from accounts.models import Work, WorkerSeen
    from config.monitoring.last_backup import note_backup

    settings.LAST_BACKUP = str(tmp_path / "last-backup.json")
    note_backup(now() - timedelta(days=1), 1)
    WorkerSeen.objects.create(host="a", at=now())
    with acting_as_worker():
        Work.objects.create(kind="learn", subject=uuid4(), run_after=now())
    metrics = Metrics(tmp_path / "metrics")
    names = {f"{metrics.operations._name}_total", f"{metrics.tokens._name}_total"}
    histograms = [metrics.seconds]
    for counter, histogram, _ in metrics.measured.values():
        names.add(f"{counter._name}_total")
        histograms.append(histogram)
    ends = ("bucket", "count", "sum")
    names |= {f"{one._name}_{end}" for one in histograms for end in ends}
    return names | {family.name for family in gauges.SiteCollector().collect()}


def test_alerts_and_dashboard_ask_for_what_is_counted(counted: set[str]) -> None:
    alerts = {name for rule in rules() for name in NAMED.findall(rule["expr"])}
    panels = {name for expression in expressions() for name in NAMED.findall(expression)}
    assert len(alerts) > 8
    assert len(panels) > 12
    assert alerts <= counted
    assert panels <= counted


def test_every_gauge_and_count_is_on_the_dashboard(counted: set[str]) -> None:
    panels = {name for expression in expressions() for name in NAMED.findall(expression)}
    shown = {re.sub(r"_(bucket|count|sum)$", "", name) for name in panels}
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in counted} == shown


def test_the_guide_names_every_metric(counted: set[str]) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    names = {re.sub(r"_(bucket|count|sum)$", "", name) for name in counted}
    assert [name for name in sorted(names) if f"`{name}`" not in guide] == []


def test_the_guide_says_what_to_do_for_each_alert() -> None:
    headings = re.findall(r"^### (\w+)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [rule["alert"] for rule in rules()]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (prometheus) is missing")
def test_prometheus_takes_the_alerts_and_the_panels(tmp_path: Path) -> None:
    recorded = [
        {"record": f"panel:{number}", "expr": expression}
        for number, expression in enumerate(expressions())
    ]
    panels = tmp_path / "panels.yaml"
    panels.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": recorded}]}))
    for command in (
        ("check", "rules", "--lint-fatal", str(MONITORING / "alerts.yaml")),
        ("check", "rules", str(panels)),
        ("test", "rules", str(MONITORING / "alerts_test.yaml")),
    ):
        done = subprocess.run(["promtool", *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
