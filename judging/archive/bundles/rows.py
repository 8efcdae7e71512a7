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
from judging.archive.bundles.machine_rows import label_rows
from judging.archive.bundles.reading import Row, as_json, grouped, read_rows, topics_in_order
from judging.core.documents.citations import SourceText
from judging.core.formats.texts import moment
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import accepted_judgments
from judging.core.selectors.kinds import attempts_of, by_counted, events_of, units_of, workers_of
from judging.models import (
    AllocationDecision,
    DisagreementVerdict,
    Document,
    KnownGrade,
    Picture,
    PoolDocument,
    PracticeAttempt,
    Question,
    Ranking,
    Study,
    Topic,
    UnitDocument,
    Visit,
)
from judging.models.fields import values
from judging.protocol.checks import unit_checks
from judging.protocol.judges import is_simulated
from judging.protocol.states import LIVE, UnitState


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


def unit_rows(study: Study) -> Iterator[Row]:
    """Yield the units of the plan.

    A reserved unit is not finished, so it counts as open, or as retired if its topic is retired.
    """
    for topic in topics_in_order(study):
        documents: dict[int, list[str]] = {}
        planned = UnitDocument.objects.filter(unit__topic=topic).order_by("pk")
        for unit, document in planned.values_list("unit_id", "pool_document__document__document_id"):
            documents.setdefault(unit, []).append(document)
        units = read_rows(layout.UNITS.fields, units_of(study).filter(topic=topic).order_by(), "pk")
        for row in sorted(units, key=itemgetter("number")):
            if row["state"] == UnitState.RESERVED:
                row["state"] = (UnitState.RETIRED if topic.retired_at else UnitState.OPEN).value
            yield row | {"documents": documents.get(row.pop("pk"), [])}


def worker_rows(study: Study) -> Iterator[Row]:
    practice = PracticeAttempt.objects.filter(by_counted(study), participation__study=study).order_by()
    tries = read_rows(layout.WORKERS.parts("practice"), practice, "participation_id")
    attempts = grouped("participation_id", sorted(tries, key=itemgetter("number")))
    workers = read_rows(layout.WORKERS.fields, workers_of(study).order_by(), "pk", "kind")
    for row in sorted(workers, key=itemgetter("worker")):
        simulated = is_simulated(row.pop("kind"))
        yield row | {"simulated": simulated, "practice": attempts.get(row.pop("pk"), [])}


def attempt_rows(study: Study) -> Iterator[Row]:
    """Yield the attempts that have ended. The work in other attempts is not accepted yet."""
    ended = attempts_of(study).exclude(state__in=values(LIVE)).order_by()
    rows = read_rows(layout.ATTEMPTS.fields, ended, "failed_checks")
    for row in sorted(rows, key=itemgetter("worker", "attempt")):
        counts = failures_by_check(row.pop("failed_checks"))
        yield row | dict(zip(map(layout.failed_field, unit_checks()), counts, strict=True))


def judgment_rows(study: Study) -> Iterator[Row]:
    """Yield the judgments worker by worker, so that only one worker's judgments are in memory at a time."""
    workers = workers_of(study).order_by()
    for _, worker in sorted(workers.values_list("pseudonym", "pk")):
        opened = Visit.objects.filter(assignment__participation=worker).order_by("pk")
        visits = grouped("judgment_id", read_rows(layout.JUDGMENTS.parts("visits"), opened, "judgment_id"))
        judgments = accepted_judgments(study, with_excluded=True).filter(assignment__participation=worker)
        for row in sorted(read_rows(layout.JUDGMENTS.fields, judgments, "pk"), key=_place):
            yield row | {"visits": visits.get(row.pop("pk"), [])}


def _place(row: Row) -> tuple[int, int, str, str]:
    """Return the key by which to sort the judgments of one worker.

    An imported judgment may have no position. Such judgments come first in their attempt.
    """
    position = -1 if row["position"] is None else row["position"]
    return row["attempt"], position, row["document"], row["compared_with"] or ""


def event_rows(study: Study) -> Iterator[Row]:
    events = events_of(study).order_by("pk")
    live = set(values(LIVE))
    for row in read_rows(layout.EVENTS.fields, events, "assignment__state"):
        if row.pop("assignment__state") in live:
            row["attempt"] = None
        yield row


ROWS: Final[dict[str, Callable[[Study], Iterator[Row]]]] = {
    layout.STUDY.name: study_rows,
    layout.TOPICS.name: topic_rows,
    layout.DOCUMENTS.name: document_rows,
    layout.PICTURES.name: picture_rows,
    layout.POOL.name: pool_rows,
    layout.GRADES.name: grade_rows,
    layout.RUNS.name: run_rows,
    layout.UNITS.name: unit_rows,
    layout.WORKERS.name: worker_rows,
    layout.ATTEMPTS.name: attempt_rows,
    layout.JUDGMENTS.name: judgment_rows,
    layout.EVENTS.name: event_rows,
    layout.LABELS.name: label_rows,
}
"""Maps each member of a bundle to the function that yields its rows.

The writer puts the keys of each row into the order of the layout.
"""
