"""From rows of judgments to units of one worker each, held against the study that they are to go into."""

from typing import Final

from judging.core.intake.faults import Faults, Where, shown
from judging.core.selectors.judgments import unit_id
from judging.models import PoolDocument, Study
from judging.protocol.unit_ids import read_unit_id
from judging.setup.judgments.rows import Given, RowError
from judging.setup.services.imported import ImportedJudgment, ImportedUnit, PoolRow

_LONGEST_UNIT: Final = 10_000
"""Judgments: more are no unit of one worker, but a file whose units are not what they say."""


_UnitKey = tuple[str, str, str]
"""Topic number, the unit's id in the file, the worker's id in the file: a shared unit is several."""


class UnitGatherer:
    """Puts rows together to units and holds them against the study."""

    def __init__(self, study: Study, faults: Faults) -> None:
        self._faults = faults
        self._pool: dict[str, dict[str, PoolRow]] = {
            number: {} for number in study.topics.values_list("number", flat=True)
        }
        rows = PoolDocument.objects.filter(topic__study=study).order_by()
        for number, document, pk, topic, anchor in rows.values_list(
            "topic__number", "document__document_id", "pk", "topic", "anchor"
        ):
            self._pool[number][document] = PoolRow(pk, topic, anchor)
        self._units: dict[_UnitKey, list[Given]] = {}
        self._unit_of: dict[tuple[str, str], str] = {}
        self._seen: dict[tuple[_UnitKey, str], Where] = {}
        self._positions: dict[tuple[_UnitKey, int], Where] = {}
        self._simulated: set[bool] = set()

    @property
    def simulated(self) -> bool:
        return True in self._simulated

    def add(self, row: Given) -> None:
        """Take a row in, or note the first thing that is wrong with it."""
        key = (row.topic, row.unit, row.worker)
        try:
            self._check_place(row)
            self._check_unit(row, key)
        except RowError as error:
            self._faults.add(row.where, error.field, error.what, like=error.like)
            return
        self._simulated.add(row.simulated)
        self._units.setdefault(key, []).append(row)

    def _check_place(self, row: Given) -> None:
        """The topic and the document are the study's, and `gold` is what the study says."""
        if row.topic not in self._pool:
            what = f"{shown(row.topic)} is not a topic of the study; mend it or delete the row"
            raise RowError("topic_id", what)
        if row.document not in self._pool[row.topic]:
            what = f"{shown(row.document)} is not in the pool of topic {row.topic}; mend it or add it there"
            raise RowError("document_id", what)
        anchor = self._pool[row.topic][row.document].anchor
        if row.gold and row.gold != anchor:
            is_what = f"the {anchor} anchor" if anchor else "no anchor"
            what = f"is {row.gold}, and {row.document} is {is_what} of topic {row.topic}"
            raise RowError("gold", f"{what}; mend it, or name the anchors in [[anchor]] of the study file")

    def _check_unit(self, row: Given, key: _UnitKey) -> None:
        """No document and no place comes twice in a unit, and no topic twice to a worker."""
        first = self._seen.setdefault((key, row.document), row.where)
        if first is not row.where:
            what = f"{row.document} is judged a second time in this unit, after line {first.line}"
            raise RowError("document_id", f"{what}; delete a row")
        if row.position is not None:
            first = self._positions.setdefault((key, row.position), row.where)
            if first is not row.where:
                what = f"{row.position} is also that of line {first.line}"
                raise RowError("doc_pos", f"{what}; a unit has each place once")
        unit = self._unit_of.setdefault((row.topic, row.worker), row.unit) if row.worker else row.unit
        if unit != row.unit:
            what = f"{shown(row.worker)} judged topic {row.topic} in unit {shown(unit)} already"
            raise RowError("worker_id", f"{what}, and nobody gets a topic twice; leave one of the units out")

    def check_whole(self) -> None:
        """What shows only when all rows are there."""
        for (_, unit, _), rows in self._units.items():
            if len(rows) > _LONGEST_UNIT:
                what = f"{shown(unit)} has {len(rows)} judgments of one worker; mend the ids: {_LONGEST_UNIT}"
                self._faults.add(rows[0].where, "unit_id", f"{what} are the most", like="long")
            if 0 < sum(row.position is not None for row in rows) < len(rows):
                bare = next(row for row in rows if row.position is None)
                self._faults.add(
                    bare.where, "doc_pos", "is empty, and other rows of the unit have one; fill it in"
                )
        if len(self._simulated) == 2:
            row = next(row for rows in self._units.values() for row in rows if not row.simulated)
            what = "differs from row to row; simulated and real judgments never mix: import each by itself"
            self._faults.add(row.where, "simulated", what)

    def units(self) -> list[ImportedUnit]:
        numbers = self._numbers()
        return [self._unit(key, rows, numbers[key]) for key, rows in self._units.items()]

    def renamed(self) -> dict[str, str]:
        """The name of a unit here → its id in the file, where they differ."""
        names = {unit_id(key[0], number): key[1] for key, number in self._numbers().items()}
        return {name: outside for name, outside in names.items() if name != outside}

    def _numbers(self) -> dict[_UnitKey, int]:
        """Units keep their numbers where all of a topic are named as here and each is one worker's; else they
        are numbered in the order of the file."""
        by_topic: dict[str, list[_UnitKey]] = {}
        for key in self._units:
            by_topic.setdefault(key[0], []).append(key)
        numbers: dict[_UnitKey, int] = {}
        for topic, keys in by_topic.items():
            given = [number for _, unit, _ in keys if (number := _number(topic, unit)) is not None]
            kept = len(set(given)) == len(keys)
            numbers |= zip(keys, given if kept else range(1, len(keys) + 1), strict=True)
        return numbers

    def _unit(self, key: _UnitKey, rows: list[Given], number: int) -> ImportedUnit:
        topic, _, worker = key
        pool = self._pool[topic]
        ordered = sorted(rows, key=lambda row: row.position or 0)  # stable: without positions as in the file
        times = [row.completed_at for row in rows if row.completed_at]
        return ImportedUnit(
            topic=pool[rows[0].document].topic,
            number=number,
            worker=worker,
            completed_at=max(times) if times else None,
            judgments=[ImportedJudgment(pool[row.document], row) for row in ordered],
        )


def _number(topic: str, unit: str) -> int | None:
    """The number in a unit's id, if the id is written as exports of this platform write it."""
    name = read_unit_id(unit)
    return name.number if name and name.topic == topic else None
