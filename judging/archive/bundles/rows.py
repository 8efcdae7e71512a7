"""Read the rows of each member of a bundle.

The rows are sorted by code point, because the database's collation differs between sites. This module reads
nothing that identifies a worker on a platform: no id, submission, completion code or token.
"""

import json
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Final

from judging.archive.bundles import layout
from judging.archive.bundles.fields import Kind, attributes
from judging.archive.bundles.machine_rows import (
    label_rows,
    machine_call_rows,
    machine_judge_rows,
    only_with_machines,
)
from judging.archive.bundles.reading import Row, as_json, grouped, read_rows, topics_in_order
from judging.archive.bundles.work_rows import readers_of
from judging.core.documents.citations import SourceText
from judging.core.formats.texts import moment
from judging.models import (
    AllocationDecision,
    DisagreementVerdict,
    Document,
    KnownGrade,
    Picture,
    PoolDocument,
    Question,
    Ranking,
    Study,
    Topic,
)


def study_rows(study: Study) -> Iterator[Row]:
    """Yield a single row, which describes the study."""
    row = {}
    for field in attributes(layout.STUDY.fields, Study):
        value = getattr(study, field.name)
        # A number that has not been in the database yet may be a whole number.
        row[field.name] = float(value) if field.kind == Kind.NUMBER else as_json(value)
    row["front"] = study.entrance.slug if study.has_arms else ""
    row["grade_sets"] = list(study.grade_sets.order_by("place").values_list("name", flat=True))
    row["runs"] = sorted(study.runs.order_by().values_list("tag", flat=True))
    row["decisions"] = [_decision(decision) for decision in study.decisions.order_by("pk")]
    row["draws"] = list(read_rows(layout.STUDY.parts("draws"), study.draws.order_by("pk")))
    yield row


def _decision(decision: AllocationDecision) -> str:
    """Return a decision as JSON. The same decision always gives the same text."""
    names = ("number", "reason", "unit_numbers", "record")
    values = {name: getattr(decision, name) for name in names} | {"at": moment(decision.at)}
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


def topic_rows(study: Study) -> Iterator[Row]:
    questions = Question.objects.filter(topic__study=study).order_by()
    question_of = {
        row.pop("topic_id"): row for row in read_rows(layout.TOPICS.parts("question"), questions, "topic_id")
    }
    topics = read_rows(layout.TOPICS.fields, Topic.objects.filter(study=study).order_by(), "pk")
    for row in sorted(topics, key=itemgetter("place")):
        yield row | {"question": question_of.get(row.pop("pk"))}


def document_rows(study: Study) -> Iterator[Row]:
    """Yield the documents, sorted by id. Their contents are read in batches."""
    documents = Document.objects.filter(study=study).order_by()
    keys = sorted(documents.values_list("document_id", "pk"))
    for start in range(0, len(keys), 500):
        batch = [key for _, key in keys[start : start + 500]]
        rows = read_rows(layout.DOCUMENTS.fields, documents.filter(pk__in=batch), "sources")
        for row in sorted(rows, key=itemgetter("id")):
            # Databases keep the keys of JSON in different orders.
            yield row | {"sources": [SourceText(**source)._asdict() for source in row["sources"]]}


def picture_rows(study: Study) -> Iterator[Row]:
    """Yield the pictures, sorted by name, with only one of them in memory at a time."""
    pictures = Picture.objects.filter(study=study).order_by()
    for _, key in sorted(pictures.values_list("name", "pk")):
        yield from read_rows(layout.PICTURES.fields, pictures.filter(pk=key))


def pool_rows(study: Study) -> Iterator[Row]:
    given = DisagreementVerdict.objects.filter(grade_set__study=study).order_by("grade_set__place")
    verdicts = grouped(
        "pool_document_id", read_rows(layout.POOL.parts("verdicts"), given, "pool_document_id")
    )
    for topic in topics_in_order(study):
        pool = PoolDocument.objects.filter(topic=topic).order_by()
        for row in sorted(read_rows(layout.POOL.fields, pool, "pk"), key=itemgetter("document")):
            yield row | {"verdicts": verdicts.get(row.pop("pk"), [])}


def grade_rows(study: Study) -> Iterator[Row]:
    for grade_set in study.grade_sets.order_by("place"):
        for topic in topics_in_order(study):
            grades = KnownGrade.objects.filter(grade_set=grade_set, topic=topic).order_by()
            yield from sorted(read_rows(layout.GRADES.fields, grades), key=itemgetter("document"))


def run_rows(study: Study) -> Iterator[Row]:
    for _, run in sorted(study.runs.order_by().values_list("tag", "pk")):
        yield from read_rows(layout.RUNS.fields, Ranking.objects.filter(run=run).order_by("topic__place"))


ROWS: Final[dict[str, Callable[[Study], Iterator[Row]]]] = {
    layout.STUDY.name: study_rows,
    layout.TOPICS.name: topic_rows,
    layout.DOCUMENTS.name: document_rows,
    layout.PICTURES.name: picture_rows,
    layout.POOL.name: pool_rows,
    layout.GRADES.name: grade_rows,
    layout.RUNS.name: run_rows,
    **readers_of(layout.COUNTED_WORK),
    layout.LABELS.name: label_rows,
    **{name: only_with_machines(reader) for name, reader in readers_of(layout.MACHINE_WORK).items()},
    layout.MACHINE_JUDGES.name: machine_judge_rows,
    layout.MACHINE_CALLS.name: machine_call_rows,
}
"""Maps each member of a bundle to the function that yields its rows.

The writer puts the keys of each row into the order of the layout.
"""
