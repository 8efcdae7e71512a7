"""Many simulated workers at once, on a virtual clock.

The simulation is a queue of (time, worker): the earliest acts, and joins the queue again for its next act.
So workers overlap as in life; reservations contend, lapse and are taken by others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from typing import Final

from django.db import transaction
from django.db.models import Max

from judging.core.services.errors import RefusedError
from judging.core.services.studies import mark_simulated, open_study
from judging.crowd.kinds import DEFAULT_MIX, Kind, deal
from judging.crowd.mind import Mind
from judging.crowd.way import Steps, Way
from judging.crowd.world import World
from judging.models import Assignment, Participation, Study, Unit, Visit
from judging.protocol.seeding import seeded_random
from judging.protocol.states import LIVE, StudyState, UnitState, takes_work
from judging.watching.selectors.progress import Progress, study_progress
from judging.worker.services.lapse import expire_assignments

START: Final = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
"""When a crowd begins to come where nothing else is said; fixed, so that a seed gives the same rows."""
ARRIVAL_GAP: Final = 90.0
"""Mean seconds between the arrivals of two workers."""
LAPSE_ROUNDS: Final = timedelta(minutes=10)
"""How often the scheduler would free what has lapsed."""
ACTS_PER_TRANSACTION: Final = 64
"""Acts committed together, for speed. The services' own transactions become savepoints within."""


@dataclass(frozen=True)
class Crowd:
    """Who comes: how many workers, from which seed, in which mix of kinds (shares, see `kinds`)."""

    workers: int
    seed: int
    mix: Mapping[str, int] = field(default_factory=lambda: DEFAULT_MIX)


def prepare(study: Study, now: datetime) -> bool:
    """Give the study to a simulated crowd, and open it where it is a draft; returns whether it was one.

    Raises RefusedError, and changes nothing, where real workers took part, where the study cannot open, is
    paused or closed, or `now` lies outside its dates.
    """
    with transaction.atomic():
        mark_simulated(study=study, now=now)
        draft = study.state == StudyState.DRAFT
        if draft:
            open_study(study=study, now=now)
        study.refresh_from_db()
        if study.state != StudyState.OPEN:
            raise RefusedError(f"Study {study.slug} is {study.state}; only an open study takes workers.")
        if not takes_work(StudyState.OPEN, opens_at=study.opens_at, closes_at=study.closes_at, now=now):
            raise RefusedError(f"{now:%Y-%m-%d %H:%M} is outside the dates of {study.slug}; choose --start.")
    return draft


def start_of(study: Study) -> datetime:
    """When the crowd comes: after what happened in the study, or when the study opens, or at `START`."""
    latest = [
        Participation.objects.filter(study=study).aggregate(at=Max("consented_at"))["at"],
        *Assignment.objects.filter(participation__study=study)
        .aggregate(started=Max("started_at"), ended=Max("ended_at"))
        .values(),
        *Visit.objects.filter(assignment__participation__study=study)
        .aggregate(opened=Max("opened_at"), closed=Max("closed_at"))
        .values(),
    ]
    return max((moment for moment in latest if moment), default=study.opens_at or START)


def progress_of(study: Study) -> Progress:
    """How far the study has come."""
    return study_progress([study]).get(study.pk, Progress())


def simulate(
    study: Study, crowd: Crowd, start: datetime, *, progress: Callable[[int], object] = lambda done: None
) -> datetime:
    """Let the crowd come to an open, simulated study; returns when the last of them left (virtual time).

    `progress` is called with the number of units done. An interruption loses at most the last acts; the same
    call again brings a new crowd, who take what is left.
    """
    queue = _arrivals(study, crowd, start)
    now, next_round = start, start
    while queue:
        with transaction.atomic():
            for _ in range(min(ACTS_PER_TRANSACTION, len(queue))):
                now, number, life = heappop(queue)
                if now >= next_round:
                    expire_assignments(now=now, study=study)
                    next_round = now + LAPSE_ROUNDS
                if (wait := _next_act(life, now)) is not None:
                    heappush(queue, (now + timedelta(seconds=wait), number, life))
        progress(Unit.objects.filter(topic__study=study, state=UnitState.DONE).count())
    live = Assignment.objects.filter(participation__study=study, state__in=LIVE)
    if last_lapse := live.aggregate(at=Max("lapses_at"))["at"]:
        now = max(now, last_lapse)
        expire_assignments(now=now, study=study)
    return now


def _arrivals(study: Study, crowd: Crowd, start: datetime) -> list[tuple[datetime, int, Steps[None]]]:
    """The queue before anybody acts. Workers are numbered on from those who were there before."""
    before = Participation.objects.filter(study=study).count()
    dice = seeded_random("crowd", crowd.seed, before)
    world = World(study)
    kinds: Sequence[Kind] = deal(crowd.mix, crowd.workers, dice)
    queue, arrival = [], 0.0
    for number, kind in enumerate(kinds, start=before + 1):
        arrival += dice.expovariate(1 / ARRIVAL_GAP)
        life = _worker(study, world, kind, crowd.seed, number).life(arrival)
        queue.append((start + timedelta(seconds=next(life)), number, life))
    heapify(queue)
    return queue


def _worker(study: Study, world: World, kind: Kind, seed: int, number: int) -> Way:
    name = f"worker/{seed}/{number}"
    mind = Mind(kind, seeded_random(name, "mind"), least_seconds=study.seconds_per_document)
    return Way(
        study,
        world,
        mind,
        rng=seeded_random(name, "protocol"),
        names=seeded_random(name, "names", study.slug),
    )


def _next_act(life: Steps[None], now: datetime) -> float | None:
    """Let the worker act; seconds until its next act, or None where there is none."""
    try:
        return life.send(now)
    except StopIteration:
        return None
