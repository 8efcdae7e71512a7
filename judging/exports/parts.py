"""Chosen rows of the exports, for readers that take them page by page: the very values of the whole tables.

The number of queries depends neither on the rows nor on the study. What needs a whole topic, normalisation
and gains, reads the topics of the chosen rows, and no others.
"""

from collections.abc import Sequence

from django.db.models import Q

from judging.analysis.magnitudes import counted, scores, topic_gains
from judging.exports import tables
from judging.exports.judgments import (
    GAIN_COLUMNS,
    further_sets,
    gain_rows,
    judgment_cells,
    judgment_columns,
)
from judging.exports.tables import Table
from judging.models import Assignment, Event, Judgment, PoolDocument, Study
from judging.selectors import events, units_report
from judging.selectors.judgments import (
    AcceptedJudgment,
    grade_values,
    listed,
    time_spent,
    values_of_levels,
)


def judgments(study: Study, chosen: Sequence[int]) -> Table:
    """These judgments of completed units, by primary key, in this order."""
    sets = further_sets(study)
    rows = _in_this_order(chosen, listed(Judgment.objects.filter(pk__in=chosen).order_by()))
    topics = {row.topic for row in rows}
    score_of = {
        judgment: score for of_topic in counted(study, topics) for judgment, score in scores(of_topic)
    }
    times = time_spent(Q(judgment__in=chosen))
    grades = grade_values(study, topics, values_of_levels(study))
    cells = (judgment_cells(row, score_of.get(row.pk), times.get(row.pk), grades, sets) for row in rows)
    return Table(judgment_columns(sets), cells)


def gains(study: Study, chosen: Sequence[int]) -> Table:
    """The gains of these documents, by primary key in their topics' pools, in this order.

    Documents without a judgment that counts are left out.
    """
    pool = PoolDocument.objects.filter(pk__in=chosen).order_by()
    names = {
        key: (topic, document)
        for key, topic, document in pool.values_list("pk", "topic__number", "document__document_id")
    }
    found = {
        (topic, document): (topic, iteration, document, gain)
        for of_topic in counted(study, {topic for topic, _ in names.values()})
        for topic, iteration, document, gain in gain_rows(topic_gains(of_topic))
    }
    return Table(GAIN_COLUMNS, [found[names[key]] for key in chosen if names[key] in found])


def units(chosen: Sequence[int]) -> Table:
    """These attempts at units, by primary key, in ascending order."""
    found = Assignment.objects.filter(pk__in=chosen).order_by("topic_id", "pk")
    return tables.of(units_report.UnitRow, units_report.listed(found))


def events_of(chosen: Sequence[int]) -> Table:
    """These events, by primary key, in ascending order."""
    found = Event.objects.filter(pk__in=chosen).order_by("pk")
    return tables.of(events.EventRow, events.listed(found))


def _in_this_order(chosen: Sequence[int], rows: Sequence[AcceptedJudgment]) -> list[AcceptedJudgment]:
    by_key = {row.pk: row for row in rows}
    return [by_key[key] for key in chosen if key in by_key]
