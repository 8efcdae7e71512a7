"""The rows of a bundle, member by member, in an order of their own: by code point, never the database's.

Nothing of a platform is read here: no id, no submission, no completion code, no token.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db.models import Model, QuerySet

from judging.archive.bundles import layout
from judging.archive.bundles.fields import Field, Member, attributes
from judging.core.formats.texts import moment
from judging.core.selectors.attempts import failures_by_check
from judging.core.selectors.judgments import accepted_judgments
from judging.models import (
    Assignment,
    Document,
    Event,
    KnownGrade,
    Participation,
    PoolDocument,
    PracticeAttempt,
    Question,
    Ranking,
    Study,
    Topic,
    Unit,
    UnitDocument,
    Visit,
)
from judging.models.fields import values
from judging.protocol.checks import unit_checks
from judging.protocol.states import LIVE, UnitState

Row = dict[str, Any]
"""The values of a line by the names of the layout, which says of each what it is."""
_CENT: Final = Decimal("0.01")


def study_rows(study: Study) -> Iterator[Row]:
    """One row."""
    row = {field.name: _json(getattr(study, field.name)) for field in _own(layout.STUDY)}
    row["grade_sets"] = list(study.grade_sets.order_by("place").values_list("name", flat=True))
    row["runs"] = sorted(study.runs.order_by().values_list("tag", flat=True))
    yield row


def topic_rows(study: Study) -> Iterator[Row]:
    questions = Question.objects.filter(topic__study=study).order_by()
    asked = {
        topic: {"text": text, "options": options, "right_option": right}
        for topic, text, options, right in questions.values_list("topic", "text", "options", "right_option")
    }
    topics = _read(layout.TOPICS, Topic.objects.filter(study=study).order_by(), "pk")
    for row in sorted(topics, key=lambda row: row["place"]):
        key = row.pop("pk")
        yield row | {"question": asked.get(key)}


def document_rows(study: Study) -> Iterator[Row]:
    """Sorted by id; the texts are read in batches of these."""
    documents = Document.objects.filter(study=study).order_by()
    found = sorted(documents.values_list("document_id", "pk"))
    for start in range(0, len(found), 500):
        batch = [key for _, key in found[start : start + 500]]
        rows = {row["id"]: row for row in _read(layout.DOCUMENTS, documents.filter(pk__in=batch))}
        yield from (rows[name] for name in sorted(rows))


def pool_rows(study: Study) -> Iterator[Row]:
    for topic in _topics(study):
        pool = PoolDocument.objects.filter(topic=topic).order_by()
        rows = sorted(pool.values_list("document__document_id", "grade", "anchor"))
        for document, grade, anchor in rows:
            yield {"topic": topic.number, "document": document, "grade": grade, "anchor": anchor}


def grade_rows(study: Study) -> Iterator[Row]:
    for grade_set in study.grade_sets.order_by("place"):
        for topic in _topics(study):
            grades = KnownGrade.objects.filter(grade_set=grade_set, topic=topic).order_by()
            for document, value, level in sorted(grades.values_list("document_id", "value", "level")):
                yield {
                    "set": grade_set.name,
                    "topic": topic.number,
                    "document": document,
                    "value": value,
                    "level": level,
                }


def run_rows(study: Study) -> Iterator[Row]:
    runs = {tag: key for key, tag in study.runs.order_by().values_list("pk", "tag")}
    for tag in sorted(runs):
        found = Ranking.objects.filter(run=runs[tag]).order_by("topic__place")
        for topic, documents, scores, ranks in found.values_list(
            "topic__number", "document_ids", "scores", "ranks"
        ):
            yield {"run": tag, "topic": topic, "documents": documents, "scores": scores, "ranks": ranks}


def unit_rows(study: Study) -> Iterator[Row]:
    """The plan; who holds a unit at this moment has not finished it, so that it is open."""
    for topic in _topics(study):
        documents: dict[int, list[str]] = {}
        planned = UnitDocument.objects.filter(unit__topic=topic).order_by("pk")
        for unit, document in planned.values_list("unit_id", "pool_document__document__document_id"):
            documents.setdefault(unit, []).append(document)
        units = _read(layout.UNITS, Unit.objects.filter(topic=topic).order_by(), "pk", "copy_of__number")
        for row in sorted(units, key=lambda row: row["number"]):
            key, copied = row.pop("pk"), row.pop("copy_of__number")
            if row["state"] == UnitState.RESERVED:
                row["state"] = (UnitState.RETIRED if topic.retired_at else UnitState.OPEN).value
            own = {"topic": topic.number, "copy_of": copied, "documents": documents.get(key, [])}
            yield row | own


def worker_rows(study: Study) -> Iterator[Row]:
    attempts: dict[int, list[Row]] = {}
    practised = PracticeAttempt.objects.filter(participation__study=study).order_by()
    names = ("number", "lengths", "magnitudes", "passed")
    columns = practised.values_list("participation_id", *names)
    for participation, *cells in sorted(columns.iterator(), key=lambda row: row[1]):
        attempts.setdefault(participation, []).append(dict(zip(names, cells, strict=True)))
    workers = Participation.objects.filter(study=study).order_by()
    for row in sorted(_read(layout.WORKERS, workers, "pk"), key=lambda row: row["worker"]):
        yield row | {"practice": attempts.get(row.pop("pk"), [])}


def attempt_rows(study: Study) -> Iterator[Row]:
    """Those that have ended: of what goes on nothing is accepted yet."""
    ended = Assignment.objects.filter(topic__study=study).exclude(state__in=values(LIVE)).order_by()
    names = ("participation__pseudonym", "topic__number", "unit__number", "failed_checks")
    rows = _read(layout.ATTEMPTS, ended, *names)
    for row in sorted(rows, key=lambda row: (row["participation__pseudonym"], row["attempt"])):
        counts = failures_by_check(row.pop("failed_checks"))
        yield {
            "worker": row.pop("participation__pseudonym"),
            "topic": row.pop("topic__number"),
            "unit": row.pop("unit__number"),
            **dict(zip(map(layout.failed_field, unit_checks()), counts, strict=True)),
        } | row


def judgment_rows(study: Study) -> Iterator[Row]:
    """Worker after worker, so that one worker's are in memory at a time."""
    workers = Participation.objects.filter(study=study).order_by()
    for pseudonym, key in sorted(workers.values_list("pseudonym", "pk")):
        visits: dict[int, list[Row]] = {}
        opened = Visit.objects.filter(assignment__participation=key).order_by("pk")
        for judgment, *times in opened.values_list("judgment_id", "opened_at", "closed_at", "seconds"):
            start, end, seconds = times
            visit = {"opened_at": moment(start), "closed_at": _json(end), "seconds": seconds}
            visits.setdefault(judgment, []).append(visit)
        kept = accepted_judgments(with_excluded=True).filter(assignment__participation=key)
        more = ("pk", "assignment__number", "pool_document__document__document_id")
        rows = _read(layout.JUDGMENTS, kept, *more)
        for row in sorted(rows, key=_place):
            yield {
                "worker": pseudonym,
                "attempt": row.pop("assignment__number"),
                "document": row.pop("pool_document__document__document_id"),
                "visits": visits.get(row.pop("pk"), []),
            } | row


def _place(row: Row) -> tuple[int, int, str]:
    """Return what judgments of a worker are sorted by: a unit from a file may not know its positions."""
    position = -1 if row["position"] is None else row["position"]
    return row["assignment__number"], position, row["pool_document__document__document_id"]


def event_rows(study: Study) -> Iterator[Row]:
    events = Event.objects.filter(study=study).order_by("pk")
    names = {
        "participation__pseudonym": "worker",
        "assignment__number": "attempt",
        "topic__number": "topic",
        "unit__number": "unit",
    }
    live = set(values(LIVE))
    for row in _read(layout.EVENTS, events, *names, "assignment__state"):
        if row.pop("assignment__state") in live:
            row["assignment__number"] = None
        yield {names.get(name, name): value for name, value in row.items()}


ROWS: Final[dict[str, Callable[[Study], Iterator[Row]]]] = {
    layout.STUDY.name: study_rows,
    layout.TOPICS.name: topic_rows,
    layout.DOCUMENTS.name: document_rows,
    layout.POOL.name: pool_rows,
    layout.GRADES.name: grade_rows,
    layout.RUNS.name: run_rows,
    layout.UNITS.name: unit_rows,
    layout.WORKERS.name: worker_rows,
    layout.ATTEMPTS.name: attempt_rows,
    layout.JUDGMENTS.name: judgment_rows,
    layout.EVENTS.name: event_rows,
}
"""Member → its rows, made while they are read; `bundle` puts their keys into the order of the layout."""


def _topics(study: Study) -> QuerySet[Topic]:
    return Topic.objects.filter(study=study).order_by("place")


def _own(member: Member) -> list[Field]:
    return attributes(member.fields, member.model)


def _read(member: Member, rows: QuerySet[Model], *more: str) -> Iterator[Row]:
    """The member's own columns, by the names in the bundle, and `more` by theirs."""
    names = {field.attribute or field.name: field.name for field in _own(member)}
    for row in rows.values(*names, *more).iterator(chunk_size=1000):
        yield {names.get(name, name): _json(value) for name, value in row.items()}


def _json(value: object) -> object:
    if isinstance(value, datetime):
        return moment(value)
    return str(value.quantize(_CENT)) if isinstance(value, Decimal) else value
