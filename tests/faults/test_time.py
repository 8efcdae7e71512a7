"""Clocks that jump, and a scheduler that stood still: time may be wrong, the data may not.

First the services, which are given their time; then sites in processes of their own: on a PostgreSQL with a
clock that is lent to it, and without the scheduler and the workers that it needs.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import redis
from django.db.models import F
from pytest_django import DjangoDbBlocker

from deploy.suite import find_faketime
from judging.core.clock import now
from judging.models import Assignment, Event, Job, Judgment, Participation, Study, Unit, Visit
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import resume_lapsed_unit
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
    honest,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
)
from tests.faults.own_site import own_site
from tests.faults.steady import Crowd, Ledger
from tests.jobs.workers import database_url, working
from tests.support.databases import ON_SQLITE
from tests.support.http_crowd import memory_of
from tests.support.integrity import broken_invariants
from tests.support.postgresql import PostgreSQLServer
from tests.support.processes import Program
from tests.support.quick_sample import SECONDS
from tests.support.website import served

WORKERS = 12


@ON_SQLITE
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_a_clock_that_jumps_to_and_fro(database: str, seed: int) -> None:
    """Each step at a moment of its own, hours off; what has lapsed by one clock is live by the next."""
    study = make_study(topics=3, documents=12, judgments_per_document=3)
    rng = Random(f"jumping clock/{seed}")

    def moment() -> datetime:
        return NOW + timedelta(minutes=rng.choice((0, 1, 2, 5, 50, 61, 180, -1, -120)) * rng.random())

    def step(worker: Participation) -> None:
        now = moment()
        attempt = worker.assignments.order_by("number").last()
        if attempt is None or not attempt.live:
            reserve_unit(participation=worker, now=now, rng=Random(rng.random()))
        elif attempt.state == "question":
            answer_rightly(worker, now=now)
        else:
            see(worker, now=now)
            if rng.random() < 0.2:
                judge_unit(worker, now=moment(), magnitude=inverted if rng.random() < 0.1 else honest)
            else:
                back = attempt.cursor and rng.random() < 0.2
                send(worker, now=moment(), action="back" if back else "next")

    workers = [make_worker(study, now=moment()) for _ in range(WORKERS)]
    for _ in range(25 * WORKERS):
        step(rng.choice(workers))
        if rng.random() < 0.05:
            expire_assignments(now=moment())
    assert broken_invariants(study) == []
    states = Counter(Assignment.objects.values_list("state", flat=True))
    failed = states["checks_failed"] + states["revising"]  # an unchanged attempt costs nothing
    assert min(states["completed"], states["lapsed"], failed) > 0, states
    seconds = list(Visit.objects.values_list("seconds", flat=True))
    assert min(seconds) == 0.0
    assert max(seconds) <= study.visit_seconds


@ON_SQLITE
def test_a_scheduler_that_stood_still_for_an_hour(database: str) -> None:
    """All units are held by workers who are gone. Who comes gets one; who comes back goes on, or is told."""
    study = make_study(topics=1, documents=12, judgments_per_document=1)
    first, second = (make_worker(study, upto="judging") for _ in range(2))
    for worker in (first, second):
        see(worker)
        send(worker, now=later(25))
    late = later(hours=2)
    newcomer = make_worker(study, now=late)
    assert reserve_unit(participation=newcomer, now=late, rng=Random(1)) is not None
    assert broken_invariants(study) == []
    taken = live_assignment(newcomer).unit
    loser, lucky = (first, second) if live_assignment(first).unit == taken else (second, first)
    assert resume_lapsed_unit(participation=lucky, number=1, now=late)
    assert not resume_lapsed_unit(participation=loser, number=1, now=late)
    see(lucky, now=late)
    send(lucky, now=later(hours=2.01))
    assert live_assignment(lucky).state == "judging"
    assert live_assignment(lucky).judgments.exclude(number=None).count() == 2
    assert live_assignment(loser).state == "lapsed"
    assert live_assignment(loser).judgments.exclude(number=None).count() == 1, "kept, to be shown"
    judge_unit(newcomer, now=late)
    judge_unit(lucky, now=later(hours=2.1))
    assert expire_assignments(now=later(hours=4)) == 0
    assert broken_invariants(study) == []
    assert set(study.topics.get().units.values_list("state", flat=True)) == {"done"}


@pytest.fixture
def clock() -> Iterator[Path]:
    """A file that says by how much a server's clock is wrong, as `+2h`."""
    with TemporaryDirectory(prefix="plumbline-clock-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        clock = Path(folder) / "clock"
        clock.write_text("+0")
        yield clock


@pytest.mark.long
def test_the_clock_of_postgresql_jumps_while_people_judge(
    clock: Path, tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """All that is live lapses at once, then is of tomorrow: those who are at it go on all the same."""
    library = find_faketime()
    if library is None:
        pytest.skip("there is no libfaketime")
    wrong = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    server, ledger = PostgreSQLServer(**wrong, DONT_FAKE_MONOTONIC="1"), Ledger()
    try:
        with own_site(server.url, tmp_path, tmp_path, django_db_blocker) as (site, study):
            crowd = Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, 8)
            for jump in ("+3h", "-2h", "+30m"):
                crowd.wait_for_answers(20)
                output = now()
                clock.write_text(jump)
                assert abs(now() - output) > timedelta(minutes=20)
            crowd.finish()
            events = Counter(Event.objects.values_list("kind", flat=True))
            assert events["lapsed"] > 0
            assert ledger.faltered == []
            done = Unit.objects.filter(state="done")
            assert Judgment.objects.filter(assignment__state="completed").count() == 8 * done.count() > 0
            given_up = Assignment.objects.filter(ended_at__isnull=True)
            assert {item.unit.state for item in given_up} <= {"reserved"}
            assert all("d" in item.failed_checks for item in given_up), (
                "their time ran backwards, which failed check (d)"
            )
            assert Unit.objects.count() == done.count() + given_up.count()
            assert broken_invariants(study) == []
            seconds = list(Visit.objects.values_list("seconds", flat=True))
            assert 0.0 <= min(seconds) <= max(seconds) <= study.visit_seconds
    finally:
        server.stop()


@pytest.mark.long
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_scheduler_and_workers_come_back_after_an_hour(
    study: Study, valkey_server: str, tmp_path: Path
) -> None:
    """Until then whoever comes finds the units of those who left; then nothing is done a second time."""
    study.refresh_from_db()
    gone = [make_worker(study, upto="judging", now=now()) for _ in range(3)]
    hour = timedelta(hours=1, minutes=1)
    Assignment.objects.update(started_at=F("started_at") - hour, lapses_at=F("lapses_at") - hour)
    redis.Redis.from_url(valkey_server).flushdb()
    ledger = Ledger()
    with served(tmp_path, database_url(), valkey_server) as site:
        Crowd(site.address, study.slug, memory_of(study), ledger, SECONDS, 8).finish()
        assert set(Unit.objects.values_list("state", flat=True)) == {"done"}
        assert ledger.lost() == set()
        assert broken_invariants(study) == []
        left = {item.pk: live_assignment(item).state for item in gone}
        site_of = {"DATABASE_URL": database_url(), "REDIS_URL": valkey_server, "PLUMBLINE_VAR": str(tmp_path)}
        scheduler = Program(tmp_path / "scheduler.log", "run_scheduler", **site_of)
        try:
            with working(tmp_path, valkey_server, "--queues", "clock") as worker:
                worker.wait_for(lambda: Job.objects.filter(kind="expire", state="done").exists())
        finally:
            scheduler.stop()
    assert {item.pk: live_assignment(item).state for item in gone} == left
    assert set(left.values()) == {"lapsed"}
    assert set(Unit.objects.values_list("state", flat=True)) == {"done"}
    assert broken_invariants(study) == []
