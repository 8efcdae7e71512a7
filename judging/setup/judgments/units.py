"""Group rows of judgments into units, each with one worker, and check the units against the study."""

from typing import Final

from judging.core.faults import Faults, Where, shown
from judging.core.selectors.judgments import unit_id
from judging.models import PoolDocument, Study
from judging.protocol.anchor_pairs import gold
from judging.protocol.unit_ids import read_unit_id
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.judgments.rows import JudgmentRow, RowError
from judging.setup.services.imported import ImportedJudgment, ImportedUnit, PoolRow

_LONGEST_UNIT: Final = 10_000
"""The maximum number of judgments in a unit. With more, the unit ids in the file are probably wrong."""


_UnitKey = tuple[str, str, str]
"""Topic number, unit id and worker id in the file. Workers who share a unit id get separate units."""


class UnitGatherer:
    """Groups rows into units and checks them against the study."""

    def __init__(self, study: Study, faults: Faults) -> None:
        self._faults = faults
        self._is_analysis = study.is_for_analysis
        self._pool: dict[str, dict[str, PoolRow]] = {
            number: {} for number in study.topics.values_list("number", flat=True)
        }
        rows = PoolDocument.objects.filter(topic__study=study).order_by()
        for number, document, pk, topic, anchor, sampled in rows.values_list(
            "topic__number", "document__document_id", "pk", "topic", "anchor", "sampled"
        ):
            self._pool[number][document] = PoolRow(pk, topic, anchor, sampled)
        self._units: dict[_UnitKey, list[JudgmentRow]] = {}
        self._unit_of: dict[tuple[str, str], str] = {}
        self._first_rows: dict[tuple[_UnitKey, str, str], Where] = {}
        self._positions: dict[tuple[_UnitKey, int], Where] = {}
        self._simulated: set[bool] = set()

    @property
    def simulated(self) -> bool:
        return True in self._simulated

    def add(self, row: JudgmentRow) -> None:
        """Add a row to its unit, or report the first problem of the row."""
        key = (row.topic, row.unit, row.worker)
        try:
            self._check_document(row, "document_id", row.document)
            if row.compared_with:
                self._check_document(row, "compared_with", row.compared_with)
            self._check_gold(row)
            self._check_unit(row, key)
        except RowError as error:
            self._faults.add(row.where, error.field, error.sentence, like=error.like)
            return
        self._simulated.add(row.simulated)
        self._units.setdefault(key, []).append(row)

    def _check_document(self, row: JudgmentRow, field: str, document: str) -> None:
        """Raise RowError if the row's topic is not in the study, or the document cannot be judged in it."""
        if row.topic not in self._pool:
            text = _("{topic} is not a topic of the study. Correct it, or delete the row.")
            raise RowError("topic_id", text, topic=shown(row.topic))
        if document not in self._pool[row.topic]:
            text = _(
                "{document} is not in the pool of topic {topic}. Correct the id, or add the "
                "document to the pool."
            )
            raise RowError(field, text, document=shown(document), topic=row.topic)
        if not self._pool[row.topic][document].sampled:
            text = _(
                "{document} of topic {topic} is not in the study’s sample, so its judgments cannot count."
                " Delete the row, or import the study without a sample."
            )
            raise RowError(field, text, document=shown(document), topic=row.topic)

    def _check_gold(self, row: JudgmentRow) -> None:
        """Raise RowError if the row's value of `gold` does not match the study."""
        anchor = self._pool[row.topic][row.document].anchor
        if row.gold and row.gold != gold(anchor):
            if anchor:
                text = _(
                    "The value is {gold}, but {document} is the {anchor} anchor of topic {topic}. "
                    "Correct the value, or name the anchors in an [[anchor]] table in the study file."
                )
            else:
                text = _(
                    "The value is {gold}, but {document} is not an anchor of topic {topic}. Correct "
                    "the value, or name the anchors in an [[anchor]] table in the study file."
                )
            raise RowError("gold", text, gold=row.gold, document=row.document, anchor=anchor, topic=row.topic)

    def _check_unit(self, row: JudgmentRow, key: _UnitKey) -> None:
        """Raise RowError if the unit repeats a document or a position.

        Also raise RowError if the worker has already judged the topic in another unit.
        """
        first = self._first_rows.setdefault((key, row.document, row.compared_with), row.where)
        if first is not row.where:
            text = _("The unit lists {document} twice, first on line {line}. Delete one of the two lines.")
            if row.compared_with:
                text = _(
                    "The unit compares {document} with {other} twice, first on line {line}. Delete one of the"
                    " two lines."
                )
            values = {"document": row.document, "other": row.compared_with, "line": str(first.line)}
            raise RowError("document_id", text, **values)
        if row.position is not None:
            first = self._positions.setdefault((key, row.position), row.where)
            if first is not row.where:
                text = _(
                    "The unit uses position {position} twice, first on line {line}. Correct one of the two."
                )
                raise RowError("doc_pos", text, position=str(row.position), line=str(first.line))
        unit = self._unit_of.setdefault((row.topic, row.worker), row.unit) if row.worker else row.unit
        if unit != row.unit and not self._is_analysis:
            text = _(
                "{worker} has already judged topic {topic} in unit {unit}, but a worker can judge a topic"
                " only once. Remove one of the two units."
            )
            raise RowError("worker_id", text, worker=shown(row.worker), topic=row.topic, unit=shown(unit))

    def check_whole(self) -> None:
        """Report the problems that can be detected only after all rows have been added."""
        for (_topic, unit, _worker), rows in self._units.items():
            if len(rows) > _LONGEST_UNIT:
                text = _(
                    "Unit {unit} has {number} judgments by one worker; the limit is {limit}."
                    " Correct the unit ids."
                )
                values = {"unit": shown(unit), "number": len(rows), "limit": _LONGEST_UNIT}
                self._faults.add(rows[0].where, "unit_id", Sentence(text, values), like="long")
            if 0 < sum(row.position is not None for row in rows) < len(rows):
                incomplete = next(row for row in rows if row.position is None)
                text = _("The position is missing, but other rows of the unit have one. Fill it in.")
                self._faults.add(incomplete.where, "doc_pos", text)
        if len(self._simulated) == 2:
            row = next(row for rows in self._units.values() for row in rows if not row.simulated)
            text = _(
                "The file mixes simulated and real judgments, but a study can have only one"
                " kind. Split the file, and import each part into its own study."
            )
            self._faults.add(row.where, "simulated", text)

    def units(self) -> list[ImportedUnit]:
        numbers = self._numbers()
        return [self._unit(key, rows, numbers[key]) for key, rows in self._units.items()]

    def renamed(self) -> dict[str, str]:
        """Return a dict that maps the new ids of renumbered units to the ids in the file.

        Units that keep their ids are left out.
        """
        names = {unit_id(key[0], number): key[1] for key, number in self._numbers().items()}
        return {name: in_file for name, in_file in names.items() if name != in_file}

    def _numbers(self) -> dict[_UnitKey, int]:
        """Return the number of each unit within its topic.

        The numbers in the file are used if all unit ids of the topic look like those in Plumbline's exports,
        and all numbers differ. Otherwise, the units are numbered in the order of the file.
        """
        by_topic: dict[str, list[_UnitKey]] = {}
        for key in self._units:
            by_topic.setdefault(key[0], []).append(key)
        numbers: dict[_UnitKey, int] = {}
        for topic, keys in by_topic.items():
            in_file = [
                number for _topic, unit, _worker in keys if (number := _number(topic, unit)) is not None
            ]
            is_usable = len(set(in_file)) == len(keys)
            numbers |= zip(keys, in_file if is_usable else range(1, len(keys) + 1), strict=True)
        return numbers

    def _unit(self, key: _UnitKey, rows: list[JudgmentRow], number: int) -> ImportedUnit:
        topic, _unit, worker = key
        pool = self._pool[topic]
        ordered = sorted(
            rows, key=lambda row: row.position or 0
        )  # stable: rows without positions keep their order
        times = [row.completed_at for row in rows if row.completed_at]
        return ImportedUnit(
            topic=pool[rows[0].document].topic,
            number=number,
            worker=worker,
            completed_at=max(times) if times else None,
            judgments=[
                ImportedJudgment(pool[row.document], row, pool.get(row.compared_with)) for row in ordered
            ],
        )


def _number(topic: str, unit: str) -> int | None:
    """Return the number in a unit id such as `401-0007`.

    Return None if the id has another form, or belongs to a topic other than `topic`.
    """
    name = read_unit_id(unit)
    return name.number if name and name.topic == topic else None
