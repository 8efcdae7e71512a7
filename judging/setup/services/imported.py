"""Writing judgments that were collected elsewhere, as completed units of workers who never came here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import Model

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.studies import mark_simulated
from judging.models import (
    COUNTS,
    IMPORTED,
    Assignment,
    Judgment,
    Participation,
    Study,
    Unit,
    UnitDocument,
    Visit,
)
from judging.protocol import codes
from judging.protocol.states import AssignmentState, ParticipationState, StudyState, UnitState
from judging.setup.judgments.rows import Given

M = TypeVar("M", bound=Model)
LONGEST_PSEUDONYM: Final = 20
_BATCH: Final = 1000


class PoolRow(NamedTuple):
    """A document in the pool of a topic; `pk` and `topic` are primary keys."""

    pk: int
    topic: int
    anchor: str


class ImportedJudgment(NamedTuple):
    """One judgment from a file, and the document of the pool that it is about."""

    pooled: PoolRow
    given: Given


@dataclass(frozen=True)
class ImportedUnit:
    """What one worker judged in one unit. `topic` is a primary key, `worker` the id in the file, or empty."""

    topic: int
    number: int
    worker: str
    completed_at: datetime | None
    judgments: Sequence[ImportedJudgment]


class _Owned(NamedTuple):
    """A unit, the participation that gets it, and its number among theirs."""

    worker: Participation
    number: int
    unit: ImportedUnit


def refuse_unless_empty(study: Study) -> None:
    """Raise RefusedError unless the study is a draft in which nobody took part: what came in must not mix."""
    if study.state != StudyState.DRAFT:
        raise RefusedError(
            f"Study {study.slug} is {study.state}, and judgments go into a draft alone;"
            " import the study file again with --slug NEW, and then the judgments into that study."
        )
    if Participation.objects.filter(study=study).exists():
        raise RefusedError(
            f"Study {study.slug} has participations already; import the study file again with --slug NEW,"
            " and then the judgments into that study."
        )


@transaction.atomic
def write_imported(
    *,
    study: Study,
    units: Sequence[ImportedUnit],
    simulated: bool,
    now: datetime,
    rng: Random,
    **detail: object,
) -> int:
    """Write the units, and return how many workers they have; nothing is owed for them.

    A worker's id is taken as the pseudonym where it is short enough; for a longer one, which may be a
    platform's, a pseudonym is drawn, and it is not stored: as a platform id it would let the person in here
    without consent. Units without a worker have one each. Judgments that came from a simulated crowd stay
    marked as such, and so does the study. `detail` goes into the audit log. Raises RefusedError as does
    `refuse_unless_empty`.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    refuse_unless_empty(study)
    if simulated:
        mark_simulated(study=study, now=now)
    by_worker: dict[tuple[str, int], list[ImportedUnit]] = {}
    for place, unit in enumerate(units):
        by_worker.setdefault((unit.worker, 0 if unit.worker else place), []).append(unit)
    workers = _write_workers(study, [worker for worker, _ in by_worker], simulated, now, rng)
    owned = [
        _Owned(worker, number, unit)
        for worker, theirs in zip(workers, by_worker.values(), strict=True)
        for number, unit in enumerate(theirs, start=1)
    ]
    for start in range(0, len(owned), _BATCH):
        _write_units(owned[start : start + _BATCH], now, rng)
    audit("judgments_imported", study=study, actor=None, now=now, workers=len(workers), **detail)
    return len(workers)


def _write_workers(
    study: Study, names: Sequence[str], simulated: bool, now: datetime, rng: Random
) -> list[Participation]:
    taken = {name for name in names if _is_pseudonym(name)}
    rows = []
    for name in names:
        pseudonym = name
        while not _is_pseudonym(name) and (pseudonym == name or pseudonym in taken):
            pseudonym = codes.pseudonym(rng)
        taken.add(pseudonym)
        rows.append(
            Participation(
                study=study,
                pseudonym=pseudonym,
                token=codes.token(rng),
                state=ParticipationState.READY,
                consent_version=IMPORTED,
                consented_at=now,
                simulated=simulated,
                simulated_kind=IMPORTED if simulated else "",
            )
        )
    return Participation.objects.bulk_create(rows, batch_size=_BATCH)


def _is_pseudonym(name: str) -> bool:
    return 0 < len(name) <= LONGEST_PSEUDONYM


def _write_units(owned: Sequence[_Owned], now: datetime, rng: Random) -> None:
    """Each unit with its documents, its completed assignment, judgments and times."""
    units = (Unit(topic_id=one.unit.topic, number=one.unit.number, state=UnitState.DONE) for one in owned)
    rows = _create(Unit, units)
    _create(
        UnitDocument,
        (
            UnitDocument(unit=row, pool_document_id=pooled.pk)
            for row, one in zip(rows, owned, strict=True)
            for pooled, _ in one.unit.judgments
            if not pooled.anchor  # as in units planned here: the anchors come to every unit
        ),
    )
    assignments = _create(
        Assignment, (_assignment(row, one, now, rng) for row, one in zip(rows, owned, strict=True))
    )
    judgments = _create(
        Judgment,
        (
            _judgment(assignment, pooled, given)
            for assignment, one in zip(assignments, owned, strict=True)
            for pooled, given in one.unit.judgments
        ),
    )
    _create(Visit, _visits(judgments, [given for one in owned for _, given in one.unit.judgments]))


def _create(model: type[M], rows: Iterable[M]) -> list[M]:
    return model._default_manager.bulk_create(rows, batch_size=_BATCH)


def _assignment(row: Unit, one: _Owned, now: datetime, rng: Random) -> Assignment:
    """Return the completed attempt; what a file of judgments never says is unknown here, not 0."""
    ended = one.unit.completed_at or now
    return Assignment(
        participation=one.worker,
        unit=row,
        topic_id=one.unit.topic,
        state=AssignmentState.COMPLETED,
        number=one.number,
        option_order=[],  # no question was shown here
        started_at=None,
        **dict.fromkeys(COUNTS),
        lapses_at=ended,
        ended_at=ended,
        completion_code=codes.completion_code(rng),
        pay=0,  # paid where they were collected
        judgment_count=len(one.unit.judgments),
    )


def _judgment(assignment: Assignment, pooled: PoolRow, given: Given) -> Judgment:
    return Judgment(
        assignment=assignment,
        pool_document_id=pooled.pk,
        position=given.position,
        raw_input=given.raw_input,
        magnitude=given.magnitude,
        justification=given.comment,
        visible_seconds=given.visible_seconds,
        revisions=given.revisions,
        saved_at=given.completed_at,
    )


def _visits(judgments: Sequence[Judgment], given: Sequence[Given]) -> Iterable[Visit]:
    """Yield a visit for each document whose time is known, one after the other up to the unit's end."""
    closes: dict[int, datetime] = {}
    for judgment, one in reversed(list(zip(judgments, given, strict=True))):
        assignment = judgment.assignment
        closed = closes.get(assignment.pk, assignment.ended_at)
        if one.seconds is None or closed is None:
            continue
        closes[assignment.pk] = opened = closed - timedelta(seconds=one.seconds)
        yield Visit(
            judgment=judgment, assignment=assignment, opened_at=opened, closed_at=closed, seconds=one.seconds
        )
