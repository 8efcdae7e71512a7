"""The work in a bundle: units, workers, attempts, judgments, events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Final

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from judging.archive.bundles import layout
from judging.archive.bundles.values import RowFaultError
from judging.archive.bundles.writing import (
    Batch,
    DefinitionWriter,
    Lined,
    MemberWriter,
    Values,
    look_up,
    own,
)
from judging.core.selectors.judgments import ACCEPTED
from judging.core.selectors.kinds import planned_kind
from judging.core.words import as_sentence
from judging.models import (
    Assignment,
    Event,
    Judgment,
    Participation,
    PoolDocument,
    PracticeAttempt,
    Unit,
    UnitDocument,
    Visit,
)
from judging.models.event import IN_FACTS
from judging.protocol import codes
from judging.protocol.checks import unit_checks
from judging.protocol.paying import PayDecision
from judging.protocol.scales import compares_pairs, scale_of
from judging.protocol.states import LIVE, AssignmentState, UnitState
from judging.protocol.words import gettext_noop as _

_DIFFERENT_CROWD: Final = _(
    "The value differs from the one in {file}. Simulated and real workers cannot be in the same study."
)
_NO_OTHER_UNIT: Final = _("This field must contain the number of another unit of the same topic.")
_RESERVED: Final = _("The unit is reserved, but a bundle cannot contain reserved units.")
_ANCHOR_LISTED: Final = _("The document {document} is an anchor. Do not list anchors in a unit.")
_NOT_ENDED: Final = _("The attempt has the state {state}, but every attempt in a bundle must have ended.")
_COMPLETED: Final = _("The unit has the state {state}, but {file} has a completed attempt at this unit.")
_NOT_COMPLETED: Final = _(
    "The unit has the state {state}, but {file} has no completed attempt at this unit, or only attempts whose"
    " judgments were deleted."
)
_NO_JUDGMENTS: Final = _(
    "This attempt cannot have judgments, because it was not completed or its judgments were deleted."
)
_NOT_IN_UNIT: Final = _("The document {document} is not in the unit, and it is not an anchor.")
_NO_PAIR: Final = _("The scale {scale} compares two documents, so the field must name the second document.")
_PAIR: Final = _("The scale {scale} does not compare documents, so the field must be null.")
_SAME: Final = _("The document {document} is compared with itself.")
_ONE_NULL: Final = _("This field and failed_finishes must both be null or both be numbers.")
_NEGATIVE: Final = _("The number is below 0.")


@dataclass
class _UnitRow:
    """A unit, its line number, its documents, and whether it has a completed attempt with judgments."""

    unit: Unit
    line: int
    documents: frozenset[str]
    has_judgments: bool = False


class WorkWriter:
    """Writes the units, workers, attempts, judgments and events of a bundle into a study.

    The definition of the study must be written first. Workers get new codes and tokens, because bundles do
    not contain any. All payments that are due are marked as paid, because the site that collected the
    judgments makes these payments.
    """

    def __init__(
        self, writer: MemberWriter, defined: DefinitionWriter, *, now: datetime, rng: Random
    ) -> None:
        self._writer = writer
        self._study = writer.study
        self._defined = defined
        self._now = now
        self._rng = rng
        self._kind = planned_kind(self._study)
        self._units: dict[tuple[str, int], _UnitRow] = {}
        self._workers: dict[str, int] = {}
        self._attempts: dict[tuple[str, int], tuple[Assignment, str, _UnitRow]] = {}
        self.judgments = 0

    def write(self) -> None:
        self._write_units()
        self._write_workers()
        for batch in self._writer.write(layout.ATTEMPTS, self._attempt):
            for row, attempt in batch:
                unit = self._units[row.values["topic"], row.values["unit"]]
                unit.has_judgments = unit.has_judgments or _has_judgments(attempt)
                self._attempts[row.values["worker"], row.values["attempt"]] = (
                    attempt,
                    row.values["topic"],
                    unit,
                )
        self._check_units()
        self._write_judgments()
        for _batch in self._writer.write(layout.EVENTS, self._event):
            pass

    def _write_units(self) -> None:
        copies = []
        for batch in self._writer.write(layout.UNITS, self._unit):
            for row, instance in batch:
                documents = frozenset(row.values["documents"])
                self._units[row.values["topic"], instance.number] = _UnitRow(instance, row.line, documents)
            copies += [(row, instance) for row, instance in batch if row.values["copy_of"] is not None]
            self._writer.write_parts(layout.UNITS, self._unit_documents(batch))
        for row, instance in copies:
            key = row.values["topic"], row.values["copy_of"]
            if key not in self._units or key[1] == instance.number:
                where = self._writer.archive.where(layout.UNITS.name, row.line)
                self._writer.archive.faults.add(where, "copy_of", _NO_OTHER_UNIT)
            else:
                instance.copy_of = self._units[key].unit
        self._writer.archive.faults.raise_if_any()
        Unit.objects.bulk_update([instance for _, instance in copies], ["copy_of"], batch_size=500)

    def _unit(self, values: Values) -> Unit:
        topic = look_up(self._defined.topics, values["topic"], "topic", layout.TOPICS)
        if values["state"] == UnitState.RESERVED:
            raise RowFaultError("state", _RESERVED)
        for document in values["documents"]:
            if look_up(self._defined.pool, (values["topic"], document), "documents", layout.POOL).anchor:
                raise RowFaultError("documents", _ANCHOR_LISTED, document=document)
        return Unit(topic_id=topic, kind=self._kind, **own(layout.UNITS, values))

    def _unit_documents(self, batch: Batch[Unit]) -> Iterator[Lined]:
        for row, unit in batch:
            for document in row.values["documents"]:
                pooled = self._defined.pool[row.values["topic"], document]
                yield row.line, UnitDocument(unit=unit, pool_document=pooled)

    def _write_workers(self) -> None:
        def parts(batch: Batch[Participation]) -> Iterator[Lined]:
            for row, worker in batch:
                for attempt in row.values["practice"]:
                    yield row.line, PracticeAttempt(participation=worker, **attempt)

        for batch in self._writer.write(layout.WORKERS, self._worker):
            self._workers |= {row.values["worker"]: worker.pk for row, worker in batch}
            self._writer.write_parts(layout.WORKERS, parts(batch))

    def _worker(self, values: Values) -> Participation:
        if values["simulated"] != self._study.simulated:
            raise RowFaultError("simulated", _DIFFERENT_CROWD, file=layout.STUDY.name)
        return Participation(
            study=self._study,
            token=codes.token(self._rng),
            kind=self._kind,
            paid_at=self._paid_at(values, owed=values["compensation"] > 0),
            **own(layout.WORKERS, values),
        )

    def _attempt(self, values: Values) -> Assignment:
        if values["state"] in LIVE:
            raise RowFaultError("state", _NOT_ENDED, state=values["state"])
        worker = look_up(self._workers, values["worker"], "worker", layout.WORKERS)
        unit = look_up(self._units, (values["topic"], values["unit"]), "unit", layout.UNITS).unit
        completed = values["state"] == AssignmentState.COMPLETED
        return Assignment(
            participation_id=worker,
            unit=unit,
            topic_id=unit.topic_id,
            completion_code=codes.completion_code(self._rng) if completed else None,
            paid_at=self._paid_at(values, owed=completed or values["compensation"] > 0),
            failed_checks=_failed_checks(values),
            **own(layout.ATTEMPTS, values),
        )

    def _paid_at(self, values: Values, *, owed: bool) -> datetime | None:
        return self._now if owed and values["pay_decision"] == PayDecision.PAY else None

    def _check_units(self) -> None:
        """Add a fault for each unit that is done but has no judgments, or has judgments but is not done."""
        for row in self._units.values():
            if (row.unit.state == UnitState.DONE) != row.has_judgments:
                where = self._writer.archive.where(layout.UNITS.name, row.line)
                text = _COMPLETED if row.has_judgments else _NOT_COMPLETED
                values = {"state": row.unit.state, "file": layout.ATTEMPTS.name}
                self._writer.archive.faults.add(where, "state", as_sentence(text, values))
        self._writer.archive.faults.raise_if_any()

    def _write_judgments(self) -> None:
        for batch in self._writer.write(layout.JUDGMENTS, self._judgment):
            self._writer.write_parts(layout.JUDGMENTS, _visits(batch))
            self.judgments += len(batch)
        self._count_judgments()

    def _count_judgments(self) -> None:
        """Set `judgment_count` for every attempt whose judgments are accepted. This takes one query."""
        own_rows = Judgment.objects.filter(assignment=OuterRef("pk")).order_by().values("assignment")
        number = Coalesce(Subquery(own_rows.annotate(number=Count("pk")).values("number")), 0)
        attempts = Assignment.objects.filter(ACCEPTED, participation__study=self._study)
        attempts.update(judgment_count=number)

    def _judgment(self, values: Values) -> Judgment:
        key = values["worker"], values["attempt"]
        assignment, topic, unit = look_up(self._attempts, key, "attempt", layout.ATTEMPTS)
        if not _has_judgments(assignment):
            raise RowFaultError("attempt", _NO_JUDGMENTS)
        pooled = self._judged(topic, unit, values["document"], "document")
        compared = None
        if values["compared_with"] is not None:
            compared = self._judged(topic, unit, values["compared_with"], "compared_with")
        self._check_pair(pooled, compared, values)
        number = values["magnitude"]
        if number is not None and not scale_of(self._study).holds_in(self._study, number):
            text = _("The number is not on the scale of the study. Export the bundle again.")
            raise RowFaultError("magnitude", text)
        return Judgment(
            assignment=assignment,
            pool_document=pooled,
            compared_with=compared,
            **own(layout.JUDGMENTS, values),
        )

    def _judged(self, topic: str, unit: _UnitRow, document: str, field: str) -> PoolDocument:
        """Return a document of the unit, or an anchor. Raise RowFaultError for any other document."""
        pooled = look_up(self._defined.pool, (topic, document), field, layout.POOL)
        if not pooled.anchor and document not in unit.documents:
            raise RowFaultError(field, _NOT_IN_UNIT, document=document)
        return pooled

    def _check_pair(self, first: PoolDocument, second: PoolDocument | None, values: Values) -> None:
        scale = self._study.scale
        if compares_pairs(self._study) != (second is not None):
            raise RowFaultError("compared_with", _PAIR if second else _NO_PAIR, scale=scale)
        if second is not None and first.pk == second.pk:
            raise RowFaultError("compared_with", _SAME, document=values["document"])

    def _event(self, values: Values) -> Event:
        worker = look_up(self._workers, values["worker"], "worker", layout.WORKERS)
        topic = unit = assignment = None
        if values["topic"] is not None:
            topic = look_up(self._defined.topics, values["topic"], "topic", layout.TOPICS)
        if values["unit"] is not None:
            key = values["topic"], values["unit"]
            unit = look_up(self._units, key, "unit", layout.UNITS).unit
        if values["attempt"] is not None:
            key = values["worker"], values["attempt"]
            assignment = look_up(self._attempts, key, "attempt", layout.ATTEMPTS)[0]
        return Event(
            study=self._study,
            participation_id=worker,
            topic_id=topic,
            unit=unit,
            assignment=assignment,
            facts=_further_facts(values),
            **own(layout.EVENTS, values),
        )


def _further_facts(values: Values) -> dict[str, object]:
    """Return the facts of an event for which the model has no column, by name."""
    paths = {field.name: field.attribute for field in layout.EVENTS.fields}
    return {
        name: value
        for name, value in values.items()
        if value is not None and paths.get(name, "").startswith(IN_FACTS)
    }


def _failed_checks(values: Values) -> dict[str, int] | None:
    """Return a dict from the letter of each failed check to the number of failures.

    Return None if the numbers are unknown. Raise RowFaultError if a number is impossible.
    """
    counts = {check: values[layout.failed_field(check)] for check in unit_checks()}
    for check, number in counts.items():
        if (number is None) != (values["failed_finishes"] is None):
            raise RowFaultError(layout.failed_field(check), _ONE_NULL)
        if number is not None and number < 0:
            raise RowFaultError(layout.failed_field(check), _NEGATIVE)
    if None in counts.values():
        return None
    return {check.letter: number for check, number in counts.items() if number}


def _has_judgments(assignment: Assignment) -> bool:
    return assignment.state == AssignmentState.COMPLETED and assignment.judgments_deleted_at is None


def _visits(batch: Batch[Judgment]) -> Iterator[Lined]:
    for row, judgment in batch:
        for visit in row.values["visits"]:
            yield row.line, Visit(judgment=judgment, assignment_id=judgment.assignment_id, **visit)
