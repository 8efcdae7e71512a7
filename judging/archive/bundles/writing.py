"""Write the rows of a bundle to the database in batches, starting with the definition of the study."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, Final, TypeVar

from django.db import DataError, IntegrityError, transaction
from django.db.models import Model

from judging.archive.bundles import layout
from judging.archive.bundles.archive import Archive
from judging.archive.bundles.fields import Member, attributes
from judging.archive.bundles.values import Row, RowFaultError, rows
from judging.core.documents.citations import SourceText
from judging.core.documents.plain import texts_of
from judging.core.documents.sanitising import is_too_deep
from judging.core.faults import shown
from judging.core.study_imports import Progress
from judging.models import (
    DisagreementVerdict,
    Document,
    GradeSet,
    KnownGrade,
    Picture,
    PoolDocument,
    Question,
    Ranking,
    Run,
    SampleDraw,
    Study,
    Topic,
)
from judging.models.fields import stored_field
from judging.protocol.markup import picture_type
from judging.protocol.words import gettext_noop as _

BATCH: Final = 1000
_REFUSED: Final = (IntegrityError, DataError, OverflowError)
Values = dict[str, Any]
"""The values of a row, as a dict from field name to value. The layout defines the names and types."""
Instance = TypeVar("Instance", bound=Model)
Key = TypeVar("Key")
Value = TypeVar("Value")
Batch = list[tuple[Row, Instance]]
"""Rows of a member, each with its model instance."""
Lined = tuple[int, Model]
"""The number of a line in a member, and a model instance that the line describes."""


def insert(archive: Archive, member: Member, model: type[Model], instances: Sequence[Lined]) -> None:
    """Write model instances, and set their keys.

    If the database refuses a row, add a fault for its line and raise StudyRefusedError.
    """
    try:
        with transaction.atomic():
            model._default_manager.bulk_create([row for _, row in instances])
    except _REFUSED:
        _add_first_fault(archive, member, instances)
        archive.faults.raise_if_any()
        raise


def _add_first_fault(archive: Archive, member: Member, instances: Sequence[Lined]) -> None:
    """Write the rows one by one, and add a fault for the first row that the database refuses."""
    for line, row in instances:
        row.pk = None
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except _REFUSED as error:
            text = _("The row breaks a rule of the database: {rule}. Export the bundle again.")
            archive.faults.add(archive.where(member.name, line), "", text, rule=_rule(error))
            return


def _rule(error: Exception) -> str:
    """Return the name of the violated constraint, or the database's error message if there is no name."""
    diagnosis = getattr(error.__cause__, "diag", None)
    constraint = getattr(diagnosis, "constraint_name", None)
    return str(constraint or str(error).splitlines()[0])


class MemberWriter:
    """Reads members and writes their rows in batches. After the first fault, it only checks the rest."""

    def __init__(self, archive: Archive, study: Study, progress: Progress) -> None:
        self.archive = archive
        self.study = study
        self._progress = progress
        self._rows = {file["name"]: file["rows"] for file in archive.manifest["files"]}

    def write(self, member: Member, make: Callable[[Values], Instance]) -> Iterator[Batch[Instance]]:
        """Convert the rows of a member with `make`, write them in batches, and yield each batch.

        After the first fault, still check and yield the remaining rows, but no longer write them. Raise
        StudyRefusedError after the last row if there are faults, or at once if the database refuses a row.
        """
        instances = self._instances(member, make)
        while batch := list(islice(instances, BATCH)):
            if not self.archive.faults.count:
                insert(
                    self.archive, member, type(batch[0][1]), [(row.line, instance) for row, instance in batch]
                )
            yield batch
        self.archive.faults.raise_if_any()

    def write_parts(self, member: Member, parts: Iterator[Lined]) -> None:
        """Write instances of another model, made from values that are nested in the rows of a member."""
        while batch := list(islice(parts, BATCH)):
            if not self.archive.faults.count:
                insert(self.archive, member, type(batch[0][1]), batch)

    def _instances(
        self, member: Member, make: Callable[[Values], Instance]
    ) -> Iterator[tuple[Row, Instance]]:
        read = rows(self.archive, member)
        total = self._rows.get(member.name, 0)
        for row in self._progress(read, desc=member.name.partition(".")[0], unit="row", total=total):
            try:
                yield row, make(row.values)
            except RowFaultError as fault:
                where = self.archive.where(member.name, row.line)
                self.archive.faults.add(where, fault.field, fault.sentence)


def own(member: Member, values: Values) -> Values:
    """Return a dict from column to value, for the fields that are columns of the member's model."""
    return {
        field.attribute or field.name: values[field.name] for field in attributes(member.fields, member.model)
    }


def look_up(written: Mapping[Key, Value], key: Key, field: str, member: Member) -> Value:
    """Return the value for a key that a row refers to. Raise RowFaultError if the member has no such key."""
    if key not in written:
        name = "/".join(map(str, key)) if isinstance(key, tuple) else str(key)
        raise RowFaultError(field, _("{file} does not contain {name}."), file=member.name, name=shown(name))
    return written[key]


NOT_STUDY: Final = ("slug", "state", "arm")
"""Fields of the study's row that an import does not copy."""


class DefinitionWriter:
    """Writes the draws of the sample, topics, documents, pools with their verdicts, grades and runs.

    It remembers the topics, sets of grades, documents and pools, so that later rows can refer to them.
    """

    def __init__(self, writer: MemberWriter, study_values: Values) -> None:
        self._writer = writer
        self._study = writer.study
        self._values = study_values
        self.topics: dict[str, int] = {}
        self._sets: dict[str, int] = {}
        self._draws: dict[int, int] = {}
        self.documents: dict[str, int] = {}
        self.pool: dict[tuple[str, str], PoolDocument] = {}

    def write(self) -> None:
        self._sets = self._named(GradeSet, "grade_sets", lambda place, name: {"name": name, "place": place})
        draws = [SampleDraw(study=self._study, **values) for values in self._values["draws"]]
        insert(self._writer.archive, layout.STUDY, SampleDraw, [(1, draw) for draw in draws])
        self._draws = {draw.number: draw.pk for draw in draws}
        self._topics()
        for batch in self._writer.write(layout.DOCUMENTS, self._document):
            self.documents |= {row.values["id"]: instance.pk for row, instance in batch}
        for _pictures in self._writer.write(layout.PICTURES, self._picture):
            pass
        for pooled in self._writer.write(layout.POOL, self._pooled):
            self.pool |= {(row.values["topic"], row.values["document"]): instance for row, instance in pooled}
            self._writer.write_parts(layout.POOL, self._verdicts(pooled))
        self._grades()
        self._runs()

    def _topics(self) -> None:
        def parts(batch: Batch[Topic]) -> Iterator[Lined]:
            for row, topic in batch:
                if row.values["question"] is not None:
                    yield row.line, Question(topic=topic, **row.values["question"])

        for batch in self._writer.write(layout.TOPICS, self._topic):
            self.topics |= {row.values["number"]: topic.pk for row, topic in batch}
            self._writer.write_parts(layout.TOPICS, parts(batch))

    def _topic(self, values: Values) -> Topic:
        return Topic(study=self._study, **own(layout.TOPICS, values))

    def _document(self, values: Values) -> Document:
        if not values["text"] and not self._study.is_for_analysis:
            raise RowFaultError("text", _("The document has no text. Export the bundle again."))
        document = Document(study=self._study, **own(layout.DOCUMENTS, values))
        texts = texts_of(document, [SourceText(**source) for source in values["sources"]], self._study.markup)
        if any(is_too_deep(text, markup) for text, markup in texts):
            raise RowFaultError("text", _("The text has too many elements inside each other. Simplify it."))
        return document

    def _picture(self, values: Values) -> Picture:
        content = values["content"]
        found = picture_type(content), sha256(content).hexdigest()
        if found != (values["media_type"], values["sha256"]):
            wrong = _("The bytes are not those of the picture. Export the bundle again.")
            raise RowFaultError("content", wrong)
        return Picture(study=self._study, **own(layout.PICTURES, values))

    def _pooled(self, values: Values) -> PoolDocument:
        for verdict in values["verdicts"]:
            look_up(self._sets, verdict["set"], "verdicts.set", layout.STUDY)
        draw = values["draw"]
        return PoolDocument(
            draw_id=None if draw is None else look_up(self._draws, draw, "draw", layout.STUDY),
            topic_id=look_up(self.topics, values["topic"], "topic", layout.TOPICS),
            document_id=look_up(self.documents, values["document"], "document", layout.DOCUMENTS),
            **own(layout.POOL, values),
        )

    def _verdicts(self, batch: Batch[PoolDocument]) -> Iterator[Lined]:
        for row, pooled in batch:
            for values in row.values["verdicts"]:
                fields = {name: value for name, value in values.items() if name != "set"}
                grade_set = self._sets[values["set"]]
                yield row.line, DisagreementVerdict(pool_document=pooled, grade_set_id=grade_set, **fields)

    def _grades(self) -> None:
        def make(values: Values) -> KnownGrade:
            return KnownGrade(
                grade_set_id=look_up(self._sets, values["set"], "set", layout.STUDY),
                topic_id=look_up(self.topics, values["topic"], "topic", layout.TOPICS),
                **own(layout.GRADES, values),
            )

        for _batch in self._writer.write(layout.GRADES, make):
            pass

    def _runs(self) -> None:
        runs = self._named(Run, "runs", lambda place, name: {"tag": name})

        def make(values: Values) -> Ranking:
            if not len(values["documents"]) == len(values["scores"]) == len(values["ranks"]):
                raise RowFaultError("scores", _("The lists of documents, scores and ranks differ in length."))
            return Ranking(
                run_id=look_up(runs, values["run"], "run", layout.STUDY),
                topic_id=look_up(self.topics, values["topic"], "topic", layout.TOPICS),
                **own(layout.RUNS, values),
            )

        for _batch in self._writer.write(layout.RUNS, make):
            pass

    def _named(
        self, model: type[GradeSet] | type[Run], field: str, make: Callable[[int, str], Values]
    ) -> dict[str, int]:
        """Write the grade sets or runs of the study. Return a dict from name to primary key.

        `field` says which field of the study's row lists these names.
        """
        instances = []
        for place, name in enumerate(self._values[field]):
            row = model(study=self._study, **make(place, name))
            longest = stored_field(model, "name" if field == "grade_sets" else "tag").max_length
            if not 0 < len(name) <= (longest or 0):
                where = self._writer.archive.where(layout.STUDY.name, 1)
                bad_name = _("The name {name} is empty or too long.")
                self._writer.archive.faults.add(where, field, bad_name, name=shown(name))
            instances.append((1, row))
        self._writer.archive.faults.raise_if_any()
        insert(self._writer.archive, layout.STUDY, model, instances)
        return dict(zip(self._values[field], (row.pk for _, row in instances), strict=True))
