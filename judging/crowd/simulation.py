"""Run many simulated workers at once on a virtual clock.

The simulation has a queue of workers, each with the time of the next action. The worker with the earliest
time acts, and returns to the queue with a later time. So workers overlap as real workers do: they compete for
units, run out of time, and get units that others have lost.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from evaluation import crowds
from evaluation.crowds import Workers
from judging.core.selectors.arms import arm_keys, arms_of
from judging.core.services.errors import RefusedError
from judging.core.services.studies import mark_simulated, open_study
from judging.crowd.mind import Mind, traits_of
from judging.crowd.worker import SimulatedWorker, Steps
from judging.crowd.world import World
from judging.models import Assignment, Participation, Study, Unit, Visit
from judging.protocol.seeding import seeded_random
from judging.protocol.states import LIVE, StudyState, UnitState, takes_work
from judging.watching.selectors.progress import Progress, study_progress, total
from judging.worker.services.lapse import expire_assignments

START: Final = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
"""The default start time, fixed so that a seed always gives the same data."""
ARRIVAL_GAP: Final = 90.0
"""The mean number of seconds between the arrivals of two workers."""
LAPSE_ROUNDS: Final = timedelta(minutes=10)
"""How often the simulation frees the units whose time has run out."""
ACTS_PER_TRANSACTION: Final = 64
"""The number of actions in a transaction, chosen for speed. The services' own transactions are savepoints."""


@dataclass(frozen=True)
class Crowd:
    """The number of workers, their seed, and the `model` from which their traits are drawn.

    By default, the levels of the documents depend only on the study. So workers who are added later judge
    documents with the same levels. With `draws_levels`, the levels also depend on the seed.
    """

    workers: int
    seed: int
    model: crowds.Crowd = crowds.TYPICAL
    draws_levels: bool = False


def prepare(study: Study, now: datetime) -> bool:
    """Mark the study as simulated, and open it if it is a draft. Return whether it was a draft.

    Raise RefusedError and change nothing if the study has real workers, is a draft that cannot open, or is
    paused or closed. Do the same if `now` is outside the study's dates.
    """
    with transaction.atomic():
        mark_simulated(study=study, now=now)
        draft = study.state == StudyState.DRAFT
        if draft:
            open_study(study=study, now=now)
        study.refresh_from_db()
        if study.state != StudyState.OPEN:
            raise RefusedError(
                _("Study {study} is {state}. Open it so that workers can take part.").format(
                    study=study.slug, state=study.get_state_display()
                )
            )
        if not takes_work(StudyState.OPEN, opens_at=study.opens_at, closes_at=study.closes_at, now=now):
            raise RefusedError(
                _("{time} is before study {study} opens or after it closes. Choose another --start.").format(
                    time=f"{now:%Y-%m-%d %H:%M}", study=study.slug
                )
            )
    return draft


def start_of(study: Study) -> datetime:
    """Return the start time of a simulation, which is the time of the last activity in the study or its arms.

    If there was no activity, return `opens_at`, or `START` if the study has no `opens_at`.
    """
    arms = arm_keys(study)
    latest = [
        Participation.objects.filter(study__in=arms).aggregate(at=Max("consented_at"))["at"],
        *Assignment.objects.filter(participation__study__in=arms)
        .aggregate(started=Max("started_at"), ended=Max("ended_at"))
        .values(),
        *Visit.objects.filter(assignment__participation__study__in=arms)
        .aggregate(opened=Max("opened_at"), closed=Max("closed_at"))
        .values(),
    ]
    return max((moment for moment in latest if moment), default=study.opens_at or START)


def progress_of(study: Study) -> Progress:
    """Return the progress of a study, with all its arms."""
    return total(list(study_progress(arms_of(study)).values()))


def simulate(
    study: Study, crowd: Crowd, start: datetime, *, progress: Callable[[int], object] = lambda done: None
) -> datetime:
    """Let the workers judge an open, simulated study. Return the virtual time at which the simulation ends.

    In a study with arms, the workers are assigned to the arms as real workers are. `progress` is called with
    the number of completed units. If the simulation is interrupted, only the last
    actions are lost. Another call adds new workers, who get the remaining units.
    """
    return run(study, _arrivals(study, crowd), start, progress=progress)


def run(
    study: Study,
    lives: Sequence[Steps[None]],
    start: datetime,
    *,
    progress: Callable[[int], object] = lambda done: None,
) -> datetime:
    """Let workers with these lives judge a study, as `simulate` does for the workers of a crowd."""
    arms = arms_of(study)
    queue = [(start + timedelta(seconds=next(life)), number, life) for number, life in enumerate(lives)]
    heapify(queue)
    now, next_round = start, start
    while queue:
        with transaction.atomic():
            for _act in range(min(ACTS_PER_TRANSACTION, len(queue))):
                now, number, life = heappop(queue)
                if now >= next_round:
                    _expire(arms, now)
                    next_round = now + LAPSE_ROUNDS
                if (wait := _next_act(life, now)) is not None:
                    heappush(queue, (now + timedelta(seconds=wait), number, life))
        progress(Unit.objects.filter(topic__study__in=arms, state=UnitState.DONE).count())
    live = Assignment.objects.filter(participation__study__in=arms, state__in=LIVE)
    if last_lapse := live.aggregate(at=Max("lapses_at"))["at"]:
        now = max(now, last_lapse)
        _expire(arms, now)
    return now


def _expire(arms: Sequence[Study], now: datetime) -> None:
    for arm in arms:
        expire_assignments(now=now, study=arm)


def _arrivals(study: Study, crowd: Crowd) -> list[Steps[None]]:
    """Return the workers' lives. The workers' numbers continue from the study's earlier simulations."""
    before = Participation.objects.filter(study__in=arm_keys(study)).count()
    rng = seeded_random("crowd", crowd.seed, before)
    world = World(study, crowd.model, seed=crowd.seed if crowd.draws_levels else None)
    lives, arrival = [], 0.0
    for number, traits in enumerate(traits_of(crowd.model, crowd.workers, rng), start=before + 1):
        arrival += rng.expovariate(1 / ARRIVAL_GAP)
        lives.append(_worker(study, world, traits, crowd.seed, number).life(arrival))
    return lives


def _worker(study: Study, world: World, traits: Workers, seed: int, number: int) -> SimulatedWorker:
    name = f"worker/{seed}/{number}"
    mind = Mind(traits, seeded_random(name, "mind"), least_seconds=study.seconds_per_document, study=study)
    return SimulatedWorker(
        study,
        world,
        mind,
        rng=seeded_random(name, "protocol"),
        names=seeded_random(name, "names", study.slug),
    )


def _next_act(life: Steps[None], now: datetime) -> float | None:
    """Let the worker act. Return the seconds until the next action, or None if this was the last action."""
    try:
        return life.send(now)
    except StopIteration:
        return None
