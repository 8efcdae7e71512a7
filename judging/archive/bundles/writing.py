"""From the rows of a bundle to a study: its definition first, then what its workers did."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from django.db import DataError, IntegrityError, transaction
from django.db.models import Model

from judging.archive.bundles import layout
from judging.archive.bundles.archive import Archive
from judging.archive.bundles.fields import Member, attributes
from judging.archive.bundles.values import Row, RowFaultError, rows
from judging.core.intake.content import Progress
from judging.core.intake.faults import shown
from judging.models import Document, GradeSet, KnownGrade, PoolDocument, Question, Ranking, Run, Study, Topic
from judging.models.fields import stored_field

BATCH: Final = 1000
_REFUSED: Final = (IntegrityError, DataError, OverflowError)
Values = dict[str, Any]
"""The values of a row by the names of the layout, which says of each what it is."""
Made = TypeVar("Made", bound=Model)
Key = TypeVar("Key")
Found = TypeVar("Found")
Batch = list[tuple[Row, Made]]
"""Rows of a member, each with what was made of it."""
Lined = tuple[int, Model]
"""A line of a member, and the row made of it."""


def insert(archive: Archive, member: Member, model: type[Model], made: Sequence[Lined]) -> None:
    """Write rows, which get their keys; one that breaks a rule of the database is a fault of its line."""
    try:
        with transaction.atomic():
            model._default_manager.bulk_create([row for _, row in made])
    except _REFUSED:
        _find(archive, member, made)
        archive.faults.raise_if_any()
        raise


def _find(archive: Archive, member: Member, made: Sequence[Lined]) -> None:
    """Note the first row that cannot be written after those before it."""
    for line, row in made:
        row.pk = None
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except _REFUSED as error:
            what = "contradicts another row, or itself"
            archive.faults.add(archive.where(member.name, line), "", f"{what}: {_rule(error)}")
            return


def _rule(error: Exception) -> str:
    """What the database calls the rule that was broken."""
    diagnosis = getattr(error.__cause__, "diag", None)
    named = getattr(diagnosis, "constraint_name", None)
    return str(named or str(error).splitlines()[0])


class MemberWriter:
    """Reads members and writes their rows in batches; a row at fault is noted and passed over."""

    def __init__(self, archive: Archive, study: Study, progress: Progress) -> None:
        self.archive = archive
        self.study = study
        self._progress = progress
        self._rows = {file["name"]: file["rows"] for file in archive.manifest["files"]}

    def write(self, member: Member, make: Callable[[Values], Made]) -> Iterator[Batch[Made]]:
        """The rows of a member and what `make` made of each, which is written and has its key by then.

        Raises StudyRefusedError after the last one, if any is at fault; nothing more is written before that.
        """
        made = self._made(member, make)
        while batch := list(islice(made, BATCH)):
            if not self.archive.faults.count:
                insert(self.archive, member, type(batch[0][1]), [(row.line, one) for row, one in batch])
            yield batch
        self.archive.faults.raise_if_any()

    def write_parts(self, member: Member, parts: Iterator[Lined]) -> None:
        """Rows of another model that stand inside those of a member."""
        while batch := list(islice(parts, BATCH)):
            if not self.archive.faults.count:
                insert(self.archive, member, type(batch[0][1]), batch)

    def _made(self, member: Member, make: Callable[[Values], Made]) -> Iterator[tuple[Row, Made]]:
        read = rows(self.archive, member)
        total = self._rows[member.name]
        for row in self._progress(read, desc=member.name.partition(".")[0], unit="row", total=total):
            try:
                yield row, make(row.values)
            except RowFaultError as fault:
                where = self.archive.where(member.name, row.line)
                self.archive.faults.add(where, fault.field, fault.what)


def own(member: Member, values: Values) -> Values:
    """The values that are columns of the member's model, by the model's names."""
    return {
        field.attribute or field.name: values[field.name] for field in attributes(member.fields, member.model)
    }


def look_up(found: Mapping[Key, Found], key: Key, field: str, member: Member) -> Found:
    """What a row names. Raises RowFaultError where its member does not hold it."""
    if key not in found:
        name = "/".join(map(str, key)) if isinstance(key, tuple) else str(key)
        raise RowFaultError(field, f"{shown(name)} is not in {member.name}")
    return found[key]


NOT_STUDY: Final = ("slug", "state")
"""What of the study's row a bundle does not decide."""


class DefinitionWriter:
    """Topics, documents, pools, grades and runs; the keys of what was written are kept for what follows."""

    def __init__(self, writer: MemberWriter, study_values: Values) -> None:
        self._writer = writer
        self._study = writer.study
        self._values = study_values
        self.topics: dict[str, int] = {}
        self.documents: dict[str, int] = {}
        self.pool: dict[tuple[str, str], PoolDocument] = {}

    def write(self) -> None:
        self._topics()
        for batch in self._writer.write(layout.DOCUMENTS, self._document):
            self.documents |= {row.values["id"]: made.pk for row, made in batch}
        for pooled in self._writer.write(layout.POOL, self._pooled):
            self.pool |= {(row.values["topic"], row.values["document"]): made for row, made in pooled}
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
        return Document(study=self._study, **own(layout.DOCUMENTS, values))

    def _pooled(self, values: Values) -> PoolDocument:
        return PoolDocument(
            topic_id=look_up(self.topics, values["topic"], "topic", layout.TOPICS),
            document_id=look_up(self.documents, values["document"], "document", layout.DOCUMENTS),
            **own(layout.POOL, values),
        )

    def _grades(self) -> None:
        sets = self._named(GradeSet, "grade_sets", lambda place, name: {"name": name, "place": place})

        def make(values: Values) -> KnownGrade:
            return KnownGrade(
                grade_set_id=look_up(sets, values["set"], "set", layout.STUDY),
                topic_id=look_up(self.topics, values["topic"], "topic", layout.TOPICS),
                **own(layout.GRADES, values),
            )

        for _ in self._writer.write(layout.GRADES, make):
            pass

    def _runs(self) -> None:
        runs = self._named(Run, "runs", lambda place, name: {"tag": name})

        def make(values: Values) -> Ranking:
            if not len(values["documents"]) == len(values["scores"]) == len(values["ranks"]):
                raise RowFaultError("scores", "documents, scores and ranks are not of one length")
            return Ranking(
                run_id=look_up(runs, values["run"], "run", layout.STUDY),
                topic_id=look_up(self.topics, values["topic"], "topic", layout.TOPICS),
                **own(layout.RUNS, values),
            )

        for _ in self._writer.write(layout.RUNS, make):
            pass

    def _named(
        self, model: type[GradeSet] | type[Run], field: str, make: Callable[[int, str], Values]
    ) -> dict[str, int]:
        """The sets of grades, or the runs, that the study's row names."""
        made = []
        for place, name in enumerate(self._values[field]):
            row = model(study=self._study, **make(place, name))
            longest = stored_field(model, "name" if field == "grade_sets" else "tag").max_length
            if not 0 < len(name) <= (longest or 0):
                where = self._writer.archive.where(layout.STUDY.name, 1)
                self._writer.archive.faults.add(where, field, f"{shown(name)} is empty or too long a name")
            made.append((1, row))
        self._writer.archive.faults.raise_if_any()
        insert(self._writer.archive, layout.STUDY, model, made)
        return dict(zip(self._values[field], (row.pk for _, row in made), strict=True))
