"""Write the machine judges of a bundle, the units that are planned for them, and their calls."""

from collections.abc import Iterator, Set
from typing import Final

from judging.archive.bundles import layout
from judging.archive.bundles.values import RowFaultError
from judging.archive.bundles.work import WorkWriter
from judging.archive.bundles.writing import (
    Batch,
    DefinitionWriter,
    Lined,
    MemberWriter,
    Values,
    look_up,
    own,
)
from judging.core.selectors.labels import name_fault
from judging.models import MachineCall, MachineJudge, MachineUnit
from judging.models.topic import PoolDocument
from judging.protocol.words import gettext_noop as _

_TAKEN: Final = _("Another judge of the study has the name {name}. Export the bundle again.")
_NOT_COUNTED: Final = _("The sittings must be numbered from 1, without gaps. Export the bundle again.")
_WITHOUT_JUDGE: Final = _("{file} does not contain the worker {name}. Export the bundle again.")
_WITHOUT_TOPIC: Final = _("A call about a document must name its topic. Export the bundle again.")


class MachineWriter:
    """Writes the machine judges of a bundle. Their work, and the labels from files, must be written first.

    `labels` are the names of the sets of labels. No machine judge has one of these names.
    """

    def __init__(
        self, writer: MemberWriter, defined: DefinitionWriter, work: WorkWriter, *, labels: Set[str]
    ) -> None:
        self._writer = writer
        self._defined = defined
        self._work = work
        self._taken = set(labels)
        self._judges: dict[str, MachineJudge] = {}
        self._sittings: dict[str, MachineJudge] = {}

    def write(self) -> None:
        for batch in self._writer.write(layout.MACHINE_JUDGES, self._judge):
            for row, judge in batch:
                self._judges[judge.name] = judge
                self._sittings[row.values["sittings"][0]["worker"]] = judge
            self._writer.write_parts(layout.MACHINE_JUDGES, self._later_sittings(batch))
        self._check_workers()
        self._write_units()
        for _batch in self._writer.write(layout.MACHINE_CALLS, self._call):
            pass

    def _judge(self, values: Values) -> MachineJudge:
        """Return the first sitting of a judge."""
        name, sittings = values["name"], values["sittings"]
        if fault := name_fault(name):
            raise RowFaultError("name", fault.text, **fault.values)
        if name in self._taken:
            raise RowFaultError("name", _TAKEN, name=name)
        self._taken.add(name)
        if not sittings or [sitting["sitting"] for sitting in sittings] != [*range(1, 1 + len(sittings))]:
            raise RowFaultError("sittings.sitting", _NOT_COUNTED)
        for sitting in sittings:
            look_up(self._work.workers, sitting["worker"], "sittings.worker", layout.MACHINE_WORK.workers)
        return self._sitting(values, sittings[0])

    def _sitting(self, values: Values, sitting: Values, *, first: MachineJudge | None = None) -> MachineJudge:
        return MachineJudge(
            participation_id=self._work.workers[sitting["worker"]],
            first=first,
            sitting=sitting["sitting"],
            began_at=sitting["began_at"],
            **own(layout.MACHINE_JUDGES, values),
        )

    def _later_sittings(self, batch: Batch[MachineJudge]) -> Iterator[Lined]:
        for row, judge in batch:
            for sitting in row.values["sittings"][1:]:
                later = self._sitting(row.values, sitting, first=judge)
                self._sittings[sitting["worker"]] = later
                yield row.line, later

    def _check_workers(self) -> None:
        """Add a fault for each worker of the kind that is not a sitting of a judge."""
        archive, member = self._writer.archive, layout.MACHINE_WORK.workers
        for line, worker in enumerate(self._work.workers, start=1):
            if worker not in self._sittings:
                where, file = archive.where(member.name, line), layout.MACHINE_JUDGES.name
                archive.faults.add(where, "worker", _WITHOUT_JUDGE, file=file, name=worker)
        archive.faults.raise_if_any()

    def _write_units(self) -> None:
        archive, member = self._writer.archive, layout.MACHINE_WORK.units
        planned: list[Lined] = []
        for row in self._work.units.values():
            try:
                judge = look_up(self._judges, row.judge, "judge", layout.MACHINE_JUDGES)
            except RowFaultError as fault:
                archive.faults.add(archive.where(member.name, row.line), fault.field, fault.sentence)
            else:
                planned.append((row.line, MachineUnit(judge=judge, unit=row.unit)))
        archive.faults.raise_if_any()
        self._writer.write_parts(member, iter(planned))

    def _call(self, values: Values) -> MachineCall:
        topic = None
        if values["topic"] is not None:
            topic = look_up(self._defined.topics, values["topic"], "topic", layout.TOPICS)
        return MachineCall(
            judge=look_up(self._sittings, values["worker"], "worker", layout.MACHINE_JUDGES),
            topic_id=topic,
            document=self._document(values, "document"),
            other=self._document(values, "other"),
            **own(layout.MACHINE_CALLS, values),
        )

    def _document(self, values: Values, field: str) -> PoolDocument | None:
        """Return the document that a call is about. Raise RowFaultError if it is not in the pool."""
        if values[field] is None:
            return None
        if values["topic"] is None:
            raise RowFaultError("topic", _WITHOUT_TOPIC)
        return look_up(self._defined.pool, (values["topic"], values[field]), field, layout.POOL)
