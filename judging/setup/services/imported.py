"""Store imported judgments as completed units."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from judging.core.selectors.kinds import planned_kind
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.studies import mark_simulated
from judging.models import (
    COUNTS,
    IMPORTED,
    Actor,
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
from judging.setup.judgments.rows import JudgmentRow

M = TypeVar("M", bound=Model)
LONGEST_PSEUDONYM: Final = 20
_BATCH: Final = 1000
_MOST_NAMED: Final = 10
"""The largest number of workers that a message names."""


class PoolRow(NamedTuple):
    """A document in the pool of a topic; `pk` and `topic` are primary keys."""

    pk: int
    topic: int
    anchor: str
    sampled: bool


class ImportedJudgment(NamedTuple):
    """A judgment from a file, with its document in the pool and, in a pair, the second document."""

    pooled: PoolRow
    row: JudgmentRow
    compared_with: PoolRow | None = None


@dataclass(frozen=True)
class ImportedUnit:
    """One worker's judgments in one unit. `topic` is a primary key; `worker` is the id in the file."""

    topic: int
    number: int
    worker: str
    completed_at: datetime | None
    judgments: Sequence[ImportedJudgment]


class _AssignedUnit(NamedTuple):
    """A unit and its participation. `number` is 1 for the first unit of this participation."""

    worker: Participation
    number: int
    unit: ImportedUnit


def refuse_unless_empty(study: Study) -> None:
    """Raise RefusedError if the study has workers, or is neither a draft nor a study for analysis.

    Imported judgments must not be mixed with other judgments.
    """
    if study.state != StudyState.DRAFT and not study.is_for_analysis:
        text = _(
            "Study {slug} is {state}, but judgments can only be imported into a draft."
            " Import the study file again with --slug NEW, then import the judgments into the new study."
        )
        raise RefusedError(text.format(slug=study.slug, state=study.state))
    if Participation.objects.filter(study=study).exists():
        text = _(
            "Study {slug} already has workers."
            " Import the study file again with --slug NEW, then import the judgments into the new study."
        )
        raise RefusedError(text.format(slug=study.slug))


@transaction.atomic
def delete_imported(study: Study) -> int:
    """Delete the imported judgments of a study, with their workers and units, and return how many there were.

    Raise RefusedError, and delete nothing, if other workers have taken part: the judgments of these workers
    must stay, and imported judgments must not be mixed with them. Also raise it if no judgments were
    imported, or if the study has been opened.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    workers = Participation.objects.filter(study=study)
    others = list(
        workers.exclude(consent_version=IMPORTED).order_by("pk").values_list("pseudonym", flat=True)
    )
    if others:
        text = _(
            "Nothing was replaced. These workers have taken part in study {slug}, so their judgments stay:"
            " {workers}. Import the study file again with --slug NEW, then import the judgments into the new"
            " study."
        )
        more = ["…"] if len(others) > _MOST_NAMED else []
        named = ", ".join([*others[:_MOST_NAMED], *more])
        raise RefusedError(text.format(slug=study.slug, workers=named))
    if not workers.exists():
        text = _("Study {slug} has no imported judgments to replace. Leave out --replace.")
        raise RefusedError(text.format(slug=study.slug))
    if study.state != StudyState.DRAFT and not study.is_for_analysis:
        text = _(
            "Nothing was replaced. Study {slug} is {state}, but imported judgments can only be replaced in a"
            " draft. Import the study file again with --slug NEW."
        )
        raise RefusedError(text.format(slug=study.slug, state=study.state))
    attempts = Assignment.objects.filter(participation__study=study)
    units = list(attempts.values_list("unit", flat=True))
    judgments = Judgment.objects.filter(assignment__participation__study=study).count()
    attempts.delete()
    workers.delete()
    Unit.objects.filter(topic__study=study, pk__in=units).delete()
    study.simulated = False
    study.save(update_fields=["simulated"])
    return judgments


@transaction.atomic
def write_imported(
    *,
    study: Study,
    units: Sequence[ImportedUnit],
    simulated: bool,
    now: datetime,
    rng: Random,
    actor: Actor = None,
    **detail: object,
) -> int:
    """Write the units, and return the number of their workers. Plumbline does not pay these workers.

    A short worker id becomes the pseudonym. A long worker id could belong to a person on a platform. If this
    id were stored, the person could start without giving consent. So the worker gets a random pseudonym
    instead. Each unit without a worker id gets its own worker. If the judgments are simulated, the judgments
    and the study are marked as simulated.

    `detail` is added to the entry in the audit log. Raise RefusedError as `refuse_unless_empty` does.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    refuse_unless_empty(study)
    if simulated:
        mark_simulated(study=study, now=now)
        study.refresh_from_db()
    elif study.simulated:
        raise RefusedError(
            _("Simulated workers do the judging in this study, so real people cannot take part.")
        )
    by_worker: dict[tuple[str, int], list[ImportedUnit]] = {}
    for place, unit in enumerate(units):
        by_worker.setdefault((unit.worker, 0 if unit.worker else place), []).append(unit)
    workers = _write_workers(study, [worker for worker, _place in by_worker], simulated, now, rng)
    assigned = [
        _AssignedUnit(worker, number, unit)
        for worker, units_of_worker in zip(workers, by_worker.values(), strict=True)
        for number, unit in enumerate(units_of_worker, start=1)
    ]
    for start in range(0, len(assigned), _BATCH):
        _write_units(study, assigned[start : start + _BATCH], now, rng)
    audit("judgments_imported", study=study, actor=actor, now=now, workers=len(workers), **detail)
    return len(workers)


def _write_workers(
    study: Study, names: Sequence[str], simulated: bool, now: datetime, rng: Random
) -> list[Participation]:
    used = {name for name in names if _is_pseudonym(name)}
    rows = []
    for name in names:
        pseudonym = name
        while not _is_pseudonym(name) and (pseudonym == name or pseudonym in used):
            pseudonym = codes.pseudonym(rng)
        used.add(pseudonym)
        rows.append(
            Participation(
                study=study,
                pseudonym=pseudonym,
                token=codes.token(rng),
                state=ParticipationState.READY,
                consent_version=IMPORTED,
                consented_at=now,
                kind=planned_kind(study),
                behaviour=IMPORTED if simulated else "",
            )
        )
    return Participation.objects.bulk_create(rows, batch_size=_BATCH)


def _is_pseudonym(name: str) -> bool:
    return 0 < len(name) <= LONGEST_PSEUDONYM


def _write_units(study: Study, assigned: Sequence[_AssignedUnit], now: datetime, rng: Random) -> None:
    """Write the units with their documents, completed assignments, judgments and times."""
    units = (
        Unit(
            topic_id=entry.unit.topic,
            number=entry.unit.number,
            kind=planned_kind(study),
            state=UnitState.DONE,
        )
        for entry in assigned
    )
    rows = _create(Unit, units)
    _create(
        UnitDocument,
        (
            UnitDocument(unit=row, pool_document_id=pooled.pk)
            for row, entry in zip(rows, assigned, strict=True)
            for pooled in _documents(entry.unit)
            if not pooled.anchor  # as in planned units, which do not list the anchors
        ),
    )
    assignments = _create(
        Assignment, (_assignment(row, entry, now, rng) for row, entry in zip(rows, assigned, strict=True))
    )
    judgments = _create(
        Judgment,
        (
            _judgment(assignment, judged)
            for assignment, entry in zip(assignments, assigned, strict=True)
            for judged in entry.unit.judgments
        ),
    )
    _create(Visit, _visits(judgments, [judged.row for entry in assigned for judged in entry.unit.judgments]))


def _documents(unit: ImportedUnit) -> Iterable[PoolRow]:
    """Return the documents of a unit, each once, in the order in which its judgments name them."""
    first = (judged.pooled for judged in unit.judgments)
    second = (judged.compared_with for judged in unit.judgments if judged.compared_with)
    return dict.fromkeys([*first, *second])


def _create(model: type[M], rows: Iterable[M]) -> list[M]:
    return model._default_manager.bulk_create(rows, batch_size=_BATCH)


def _assignment(unit: Unit, entry: _AssignedUnit, now: datetime, rng: Random) -> Assignment:
    """Return the completed assignment of a unit.

    Counts that are missing from a file of judgments are None, not 0.
    """
    ended = entry.unit.completed_at or now
    return Assignment(
        participation=entry.worker,
        unit=unit,
        topic_id=entry.unit.topic,
        state=AssignmentState.COMPLETED,
        number=entry.number,
        option_order=[],  # no question was shown
        started_at=None,
        **dict.fromkeys(COUNTS),
        lapses_at=ended,
        ended_at=ended,
        completion_code=codes.completion_code(rng),
        pay=0,  # the workers were paid elsewhere
        judgment_count=len(entry.unit.judgments),
    )


def _judgment(assignment: Assignment, judged: ImportedJudgment) -> Judgment:
    row, compared = judged.row, judged.compared_with
    return Judgment(
        assignment=assignment,
        pool_document_id=judged.pooled.pk,
        compared_with_id=compared.pk if compared else None,
        position=row.position,
        raw_input=row.raw_input,
        number=row.number,
        justification=row.comment,
        highlight=row.highlight,
        highlight_start=row.highlight_start,
        highlight_end=row.highlight_end,
        visible_seconds=row.visible_seconds,
        revisions=row.revisions,
        saved_at=row.completed_at,
    )


def _visits(judgments: Sequence[Judgment], rows: Sequence[JudgmentRow]) -> Iterable[Visit]:
    """Yield a visit for each judgment whose time is known.

    Within a unit, each visit ends when the next one starts. The last visit ends when the unit ends.
    """
    closes: dict[int, datetime] = {}
    for judgment, row in reversed(list(zip(judgments, rows, strict=True))):
        assignment = judgment.assignment
        closed = closes.get(assignment.pk, assignment.ended_at)
        if row.seconds is None or closed is None:
            continue
        closes[assignment.pk] = opened = closed - timedelta(seconds=row.seconds)
        yield Visit(
            judgment=judgment, assignment=assignment, opened_at=opened, closed_at=closed, seconds=row.seconds
        )
