"""The work in a bundle: units, workers, attempts, judgments, events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Final

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from judging.archive.bundles import layout
from judging.archive.bundles.fields import Work
from judging.archive.bundles.values import RowFaultError
from judging.archive.bundles.work_values import failed_checks_of, further_facts
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
from judging.protocol import codes
from judging.protocol.judges import is_simulated
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


@dataclass
class UnitRow:
    """A unit, its line number, its documents, and whether it has a completed attempt with judgments.

    `judge` is the name of the machine judge for whom it is planned, or empty.
    """

    unit: Unit
    line: int
    documents: frozenset[str]
    judge: str = ""
    has_judgments: bool = False


class WorkWriter:
    """Writes the units, workers, attempts, judgments and events of some kinds of judges into a study.

    The definition of the study must be written first. `units` maps the topic and number of each unit to its
    row, and `workers` each pseudonym to its key, in the order of their files. Workers get new codes and
    tokens, because bundles do not contain any. All payments that are due are marked as paid, because the site
    that collected the judgments makes these payments. Machine judges get no pay.
    """

    def __init__(
        self, writer: MemberWriter, defined: DefinitionWriter, work: Work, *, now: datetime, rng: Random
    ) -> None:
        self._writer = writer
        self._study = writer.study
        self._defined = defined
        self._now = now
        self._rng = rng
        self._work = work
        self._kind = work.kind or planned_kind(self._study)
        self.units: dict[tuple[str, int], UnitRow] = {}
        self.workers: dict[str, int] = {}
        self._attempts: dict[tuple[str, int], tuple[Assignment, str, UnitRow]] = {}
        self.judgments = 0

    def write(self) -> None:
        self._write_units()
        self._write_workers()
        for batch in self._writer.write(self._work.attempts, self._attempt):
            for row, attempt in batch:
                unit = self.units[row.values["topic"], row.values["unit"]]
                unit.has_judgments = unit.has_judgments or _has_judgments(attempt)
                self._attempts[row.values["worker"], row.values["attempt"]] = (
                    attempt,
                    row.values["topic"],
                    unit,
                )
        self._check_units()
        self._write_judgments()
        for _batch in self._writer.write(self._work.events, self._event):
            pass

    def _write_units(self) -> None:
        copies = []
        for batch in self._writer.write(self._work.units, self._unit):
            for row, instance in batch:
                documents = frozenset(row.values["documents"])
                self.units[row.values["topic"], instance.number] = UnitRow(
                    instance, row.line, documents, judge=row.values.get("judge", "")
                )
            copies += [(row, instance) for row, instance in batch if row.values["copy_of"] is not None]
            self._writer.write_parts(self._work.units, self._unit_documents(batch))
        for row, instance in copies:
            key = row.values["topic"], row.values["copy_of"]
            if key not in self.units or key[1] == instance.number:
                where = self._writer.archive.where(self._work.units.name, row.line)
                self._writer.archive.faults.add(where, "copy_of", _NO_OTHER_UNIT)
            else:
                instance.copy_of = self.units[key].unit
        self._writer.archive.faults.raise_if_any()
        Unit.objects.bulk_update([instance for _, instance in copies], ["copy_of"], batch_size=500)

    def _unit(self, values: Values) -> Unit:
        topic = look_up(self._defined.topics, values["topic"], "topic", layout.TOPICS)
        if values["state"] == UnitState.RESERVED:
            raise RowFaultError("state", _RESERVED)
        for document in values["documents"]:
            if look_up(self._defined.pool, (values["topic"], document), "documents", layout.POOL).anchor:
                raise RowFaultError("documents", _ANCHOR_LISTED, document=document)
        return Unit(topic_id=topic, kind=self._kind, **own(self._work.units, values))

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

        for batch in self._writer.write(self._work.workers, self._worker):
            self.workers |= {row.values["worker"]: worker.pk for row, worker in batch}
            self._writer.write_parts(self._work.workers, parts(batch))

    def _worker(self, values: Values) -> Participation:
        if values["simulated"] != is_simulated(self._kind):
            raise RowFaultError("simulated", _DIFFERENT_CROWD, file=layout.STUDY.name)
        return Participation(
            study=self._study,
            token=codes.token(self._rng),
            kind=self._kind,
            paid_at=self._paid_at(values, owed=values["compensation"] > 0),
            **own(self._work.workers, values),
        )

    def _attempt(self, values: Values) -> Assignment:
        if values["state"] in LIVE:
            raise RowFaultError("state", _NOT_ENDED, state=values["state"])
        worker = look_up(self.workers, values["worker"], "worker", self._work.workers)
        unit = look_up(self.units, (values["topic"], values["unit"]), "unit", self._work.units).unit
        completed = values["state"] == AssignmentState.COMPLETED
        return Assignment(
            participation_id=worker,
            unit=unit,
            topic_id=unit.topic_id,
            completion_code=codes.completion_code(self._rng) if completed else None,
            paid_at=self._paid_at(values, owed=completed or values["compensation"] > 0),
            failed_checks=failed_checks_of(values),
            **own(self._work.attempts, values),
        )

    def _paid_at(self, values: Values, *, owed: bool) -> datetime | None:
        is_paid = owed and not self._work.kind and values["pay_decision"] == PayDecision.PAY
        return self._now if is_paid else None

    def _check_units(self) -> None:
        """Add a fault for each unit that is done but has no judgments, or has judgments but is not done."""
        for row in self.units.values():
            if (row.unit.state == UnitState.DONE) != row.has_judgments:
                where = self._writer.archive.where(self._work.units.name, row.line)
                text = _COMPLETED if row.has_judgments else _NOT_COMPLETED
                values = {"state": row.unit.state, "file": self._work.attempts.name}
                self._writer.archive.faults.add(where, "state", as_sentence(text, values))
        self._writer.archive.faults.raise_if_any()

    def _write_judgments(self) -> None:
        for batch in self._writer.write(self._work.judgments, self._judgment):
            self._writer.write_parts(self._work.judgments, _visits(batch))
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
        assignment, topic, unit = look_up(self._attempts, key, "attempt", self._work.attempts)
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
            **own(self._work.judgments, values),
        )

    def _judged(self, topic: str, unit: UnitRow, document: str, field: str) -> PoolDocument:
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
        worker = look_up(self.workers, values["worker"], "worker", self._work.workers)
        topic = unit = assignment = None
        if values["topic"] is not None:
            topic = look_up(self._defined.topics, values["topic"], "topic", layout.TOPICS)
        if values["unit"] is not None:
            key = values["topic"], values["unit"]
            unit = look_up(self.units, key, "unit", self._work.units).unit
        if values["attempt"] is not None:
            key = values["worker"], values["attempt"]
            assignment = look_up(self._attempts, key, "attempt", self._work.attempts)[0]
        return Event(
            study=self._study,
            participation_id=worker,
            topic_id=topic,
            unit=unit,
            assignment=assignment,
            facts=further_facts(values),
            **own(self._work.events, values),
        )


def _has_judgments(assignment: Assignment) -> bool:
    return assignment.state == AssignmentState.COMPLETED and assignment.judgments_deleted_at is None


def _visits(batch: Batch[Judgment]) -> Iterator[Lined]:
    for row, judgment in batch:
        for visit in row.values["visits"]:
            yield row.line, Visit(judgment=judgment, assignment_id=judgment.assignment_id, **visit)
