"""A disk without room: what cannot be stored is not acknowledged, and all goes on when there is room."""

import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from judging.core.clock import now
from judging.core.services import jobs
from judging.models import JobKind
from tests.factories import judge_unit, make_study, make_worker
from tests.faults.own_site import own_site
from tests.faults.steady import Crowd, Ledger
from tests.faults.test_killed import judged_whole
from tests.support.databases import ON_SQLITE
from tests.support.http_crowd import memory_of
from tests.support.integrity import broken_invariants
from tests.support.postgresql import PostgreSQLServer
from tests.support.quick_sample import SECONDS

MEGABYTES = 24
OF_POSTGRESQL = 256
"""An empty database and its journal are some 60."""
JUDGMENTS, WORKERS = 2, 12
MORE_JUDGMENTS, MORE_WORKERS = 6, 24
"""Work for longer than a database goes on with the room that it has kept for itself; PostgreSQL has more."""


@pytest.fixture
def disk(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A small disk of its own, in memory; of another size by `indirect`."""
    size = f"size={getattr(request, 'param', MEGABYTES)}m"
    # In a folder where a server that is not root gets at it.
    with tempfile.TemporaryDirectory(prefix="plumbline-disk-", dir="/tmp") as folder:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, text=True
        )
        if done.returncode:
            pytest.skip(f"only root may mount a disk: {done.stderr.strip()}")
        yield Path(folder)
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path) -> Path:
    """Take all the room that is left, to the last byte."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return ballast


def _fill_for_a_while(disk: Path, crowd: Crowd) -> None:
    """While people are at work, until they have noticed."""
    crowd.wait_for_answers(15)
    ballast = fill(disk)
    crowd.wait_for_faults(10)
    ballast.unlink()


def test_judging_on_a_disk_that_fills_up(
    disk: Path, tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    ledger, url = Ledger(), f"sqlite:///{disk / 'site.sqlite3'}"
    with own_site(url, tmp_path, disk, django_db_blocker, judgments=JUDGMENTS) as (site, study):
        crowd = Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, WORKERS)
        _fill_for_a_while(disk, crowd)
        crowd.finish()
        assert set(ledger.faltered) == {"500"}
        judged_whole(study, ledger)


@pytest.mark.long
@pytest.mark.parametrize("disk", [OF_POSTGRESQL], indirect=True)
def test_judging_while_the_disk_of_postgresql_fills_up(
    disk: Path, tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """The server refuses what it has no room for, or ends: then somebody makes room, and starts it again."""
    ledger = Ledger()
    # Old files of the journal would be room that the server has kept for itself.
    small = ("max_wal_size=64MB", "wal_recycle=off")
    safe = ("fsync=on", "full_page_writes=on", "synchronous_commit=on", *small)
    server = PostgreSQLServer(*safe, data=disk / "data")
    try:
        own = own_site(server.url, tmp_path, tmp_path, django_db_blocker, judgments=MORE_JUDGMENTS)
        with own as (site, study):
            crowd = Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, MORE_WORKERS)
            for _ in range(2):
                _fill_for_a_while(disk, crowd)
                if server.process.poll() is not None:
                    server.start_again()
                site.wait_until(200)
            crowd.finish()
            connection.close()  # the one of before
            assert len(ledger.faltered) >= 20, "nobody noticed: it tells nothing"
            judged_whole(study, ledger)
    finally:
        server.stop()


@ON_SQLITE
def test_an_export_to_a_full_disk_says_so(database: str, disk: Path, settings: Settings) -> None:
    """The row of the job stands elsewhere; nothing half-written is left, and asked for again it is made."""
    study = make_study(topics=3)
    judge_unit(make_worker(study))
    settings.EXPORTS_FOLDER = disk / "exports"
    ballast = fill(disk)
    wanted = {"what": "judgments", "format": "csv"}
    job = jobs.request(kind=JobKind.EXPORT, study=study, parameters=wanted, now=now())
    job.refresh_from_db()
    assert job.state == "failed"
    assert os.strerror(errno.ENOSPC) in job.error
    ballast.unlink()
    assert list(disk.rglob("*.csv")) == []
    again = jobs.request(kind=JobKind.EXPORT, study=study, parameters=wanted, now=now())
    again.refresh_from_db()
    assert (again.state, again.result["rows"]) == ("done", 8)
    assert broken_invariants(study) == []
