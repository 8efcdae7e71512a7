"""The plan of a bundle and what its workers did: units, workers, attempts, judgments, events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from judging.archive.bundles import layout
from judging.archive.bundles.fields import Member
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
from judging.models import (
    Assignment,
    Event,
    Judgment,
    Participation,
    PracticeAttempt,
    Unit,
    UnitDocument,
    Visit,
)
from judging.protocol import codes
from judging.protocol.checks import unit_checks
from judging.protocol.states import LIVE, AssignmentState, UnitState


@dataclass
class _UnitRow:
    """A unit as written, its line, its documents, and whether a completed attempt holds it."""

    unit: Unit
    line: int
    documents: frozenset[str]
    held: bool = False


class WorkWriter:
    """Writes into a study whose definition is written already.

    Codes and tokens are drawn anew: those of the workers are in no bundle. What a worker was owed was paid
    where the study was made: here it counts as handed over, so that nobody is paid twice.
    """

    def __init__(
        self, writer: MemberWriter, defined: DefinitionWriter, *, now: datetime, rng: Random
    ) -> None:
        self._writer = writer
        self._study = writer.study
        self._defined = defined
        self._now = now
        self._rng = rng
        self._units: dict[tuple[str, int], _UnitRow] = {}
        self._workers: dict[str, int] = {}
        self._attempts: dict[tuple[str, int], tuple[Assignment, str, _UnitRow]] = {}
        self.judgments = 0

    def write(self) -> None:
        self._write_units()
        self._write_workers()
        for batch in self._writer.write(layout.ATTEMPTS, self._attempt):
            for row, made in batch:
                unit = self._units[row.values["topic"], row.values["unit"]]
                unit.held = unit.held or _holds(made)
                self._attempts[row.values["worker"], row.values["attempt"]] = made, row.values["topic"], unit
        self._check_units()
        self._write_judgments()
        for _ in self._writer.write(layout.EVENTS, self._event):
            pass

    def _write_units(self) -> None:
        copies = []
        for batch in self._writer.write(layout.UNITS, self._unit):
            for row, made in batch:
                documents = frozenset(row.values["documents"])
                self._units[row.values["topic"], made.number] = _UnitRow(made, row.line, documents)
            copies += [one for one in batch if one[0].values["copy_of"] is not None]
            self._writer.write_parts(layout.UNITS, self._unit_documents(batch))
        for row, made in copies:
            key = row.values["topic"], row.values["copy_of"]
            if key not in self._units or key[1] == made.number:
                self._fault(layout.UNITS, row.line, "copy_of", "is no other unit of the topic")
            else:
                made.copy_of = self._units[key].unit
        self._writer.archive.faults.raise_if_any()
        Unit.objects.bulk_update([made for _, made in copies], ["copy_of"], batch_size=500)

    def _unit(self, values: Values) -> Unit:
        topic = look_up(self._defined.topics, values["topic"], "topic", layout.TOPICS)
        if values["state"] == UnitState.RESERVED:
            raise RowFaultError("state", "is reserved, and nobody holds a unit of a bundle")
        for document in values["documents"]:
            if look_up(self._defined.pool, (values["topic"], document), "documents", layout.POOL).anchor:
                raise RowFaultError("documents", f"{document} is an anchor, which comes to every unit")
        return Unit(topic_id=topic, **own(layout.UNITS, values))

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
            raise RowFaultError("simulated", f"differs from that in {layout.STUDY.name}: crowds never mix")
        return Participation(
            study=self._study,
            token=codes.token(self._rng),
            paid_at=self._now if values["compensation"] > 0 else None,
            **own(layout.WORKERS, values),
        )

    def _attempt(self, values: Values) -> Assignment:
        if values["state"] in LIVE:
            raise RowFaultError("state", f"is {values['state']}, and in a bundle every attempt has ended")
        worker = look_up(self._workers, values["worker"], "worker", layout.WORKERS)
        unit = look_up(self._units, (values["topic"], values["unit"]), "unit", layout.UNITS).unit
        completed = values["state"] == AssignmentState.COMPLETED
        return Assignment(
            participation_id=worker,
            unit=unit,
            topic_id=unit.topic_id,
            completion_code=codes.completion_code(self._rng) if completed else None,
            paid_at=self._now if completed or values["compensation"] > 0 else None,
            failed_checks=_failed_checks(values),
            **own(layout.ATTEMPTS, values),
        )

    def _check_units(self) -> None:
        """A unit is done exactly where a completed attempt holds it."""
        for row in self._units.values():
            if (row.unit.state == UnitState.DONE) != row.held:
                held = "one" if row.held else "no"
                what = f"is {row.unit.state}, and {held} completed attempt in {layout.ATTEMPTS.name} holds it"
                self._fault(layout.UNITS, row.line, "state", what)
        self._writer.archive.faults.raise_if_any()

    def _write_judgments(self) -> None:
        for batch in self._writer.write(layout.JUDGMENTS, self._judgment):
            self._writer.write_parts(layout.JUDGMENTS, _visits(batch))
            self.judgments += len(batch)
        self._count_judgments()

    def _count_judgments(self) -> None:
        """Set how many judgments each attempt that counts has, in one query."""
        own_rows = Judgment.objects.filter(assignment=OuterRef("pk")).order_by().values("assignment")
        number = Coalesce(Subquery(own_rows.annotate(number=Count("pk")).values("number")), 0)
        attempts = Assignment.objects.filter(ACCEPTED, participation__study=self._study)
        attempts.update(judgment_count=number)

    def _judgment(self, values: Values) -> Judgment:
        key = values["worker"], values["attempt"]
        assignment, topic, unit = look_up(self._attempts, key, "attempt", layout.ATTEMPTS)
        if not _holds(assignment):
            raise RowFaultError("attempt", "was not completed, or its judgments were deleted")
        document = values["document"]
        pooled = look_up(self._defined.pool, (topic, document), "document", layout.POOL)
        if not pooled.anchor and document not in unit.documents:
            raise RowFaultError("document", f"{document} is not in the unit, and no anchor")
        return Judgment(assignment=assignment, pool_document=pooled, **own(layout.JUDGMENTS, values))

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
            **own(layout.EVENTS, values),
        )

    def _fault(self, member: Member, line: int, field: str, what: str) -> None:
        self._writer.archive.faults.add(self._writer.archive.where(member.name, line), field, what)


def _failed_checks(values: Values) -> dict[str, int] | None:
    """Return the failures by check, as attempts have them. Raises RowFaultError for impossible counts."""
    counts = {check: values[layout.failed_field(check)] for check in unit_checks()}
    for check, number in counts.items():
        if (number is None) != (values["failed_finishes"] is None):
            raise RowFaultError(
                layout.failed_field(check), "is null, or failed_finishes is: both are, or none"
            )
        if number is not None and number < 0:
            raise RowFaultError(layout.failed_field(check), "is below 0")
    if None in counts.values():
        return None
    return {check.letter: number for check, number in counts.items() if number}


def _holds(assignment: Assignment) -> bool:
    return assignment.state == AssignmentState.COMPLETED and assignment.judgments_deleted_at is None


def _visits(batch: Batch[Judgment]) -> Iterator[Lined]:
    for row, judgment in batch:
        for visit in row.values["visits"]:
            yield row.line, Visit(judgment=judgment, assignment_id=judgment.assignment_id, **visit)
