"""Gauges read at each scrape: jobs, workers, database, disk and backup of the site."""

from collections.abc import Iterable, Iterator

from django.db import Error
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from psycopg_pool import PoolTimeout

from config import health
from config.monitoring.report import Disk, Report, Site, gather

Gauge = GaugeMetricFamily


class SiteCollector(Collector):
    """Gauges of the whole site, the same from each of its processes."""

    def collect(self) -> Iterable[Gauge]:
        """Yield the gauges; while the database is down, only those that do not need it."""
        try:
            gathered = gather()
        except (Error, PoolTimeout):
            # It went away meanwhile; Prometheus sees no gauges, and asks again.
            return []
        return list(_gauges(gathered))


def _gauges(report: Report) -> Iterator[Gauge]:
    up = Gauge("throughline_part_up", "1 if a part of the site is well, else 0.", labels=["part"])
    for part, state in report.health.parts.items():
        up.add_metric([part], float(state == health.OK))
    yield up
    yield from _disk(report.disk)
    if report.backup is not None:
        at = report.backup.at.timestamp()
        yield _gauge("throughline_backup_timestamp_seconds", "Moment of the last backup.", at)
    version = Gauge("throughline_version_info", "The version that runs.", labels=["version"])
    version.add_metric([report.version], 1)
    yield version
    if report.site is not None:
        yield from _jobs(report.site)
        yield from _workers(report.site)
        yield from _database(report.site)


def _gauge(name: str, words: str, value: float) -> Gauge:
    return Gauge(name, words, value=value)


def _disk(disk: Disk) -> Iterator[Gauge]:
    yield _gauge(
        "throughline_disk_free_bytes", "Free bytes on the disk that holds DATA_DIR.", disk.free
    )
    yield _gauge("throughline_disk_size_bytes", "Bytes of that disk.", disk.size)


def _jobs(site: Site) -> Iterator[Gauge]:
    families = {
        "waiting": Gauge("throughline_jobs_waiting", "Jobs that are due.", labels=["kind"]),
        "failing": Gauge(
            "throughline_jobs_failing", "Jobs that failed and are tried again.", labels=["kind"]
        ),
        "given_up": Gauge(
            "throughline_jobs_given_up", "Jobs that failed too often.", labels=["kind"]
        ),
        "oldest_seconds": Gauge(
            "throughline_job_oldest_seconds", "How long the oldest is due.", labels=["kind"]
        ),
    }
    for jobs in site.jobs.kinds:
        for column, family in families.items():
            family.add_metric([jobs.kind], getattr(jobs, column))
    yield from families.values()


def _workers(site: Site) -> Iterator[Gauge]:
    if site.workers:
        latest = max(worker.at for worker in site.workers).timestamp()
        yield _gauge(
            "throughline_worker_seen_timestamp_seconds", "Last sign of any worker.", latest
        )


def _database(site: Site) -> Iterator[Gauge]:
    database = site.database
    yield _gauge("throughline_database_size_bytes", "Bytes of the database.", database.size)
    words = "Database connections of all processes, by state; 'others' are of other programs."
    connections = Gauge("throughline_database_connections", words, labels=["state"])
    connections.add_metric(["in_use"], database.in_use)
    connections.add_metric(["idle"], database.idle)
    connections.add_metric(["others"], database.all - database.in_use - database.idle)
    yield connections
    yield _gauge("throughline_database_connections_allowed", "Most connections.", database.allowed)
