"""Charts of the tables that reports store: magnitudes by grade, anchors, and scores of the runs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.pages.charts import Axis, Chart, Mark
from judging.core.pages.page_table import link
from judging.core.published.gains import MAGNITUDES
from judging.core.selectors.ordering import natural
from judging.models import Study
from judging.protocol.grades import UNGRADED
from judging.protocol.scales import scale_of
from judging.understanding.reports.stored_result import StoredResult
from judging.understanding.reports.stored_table import (
    StoredTable,
    column_names,
    find_table,
    number_of_rows,
    rows_to_draw,
)
from judging.understanding.reports.words import Words

MOST_TOPICS: Final = 24
"""The largest number of topics that have a chart of their own on a page."""
RATIO_STEP: Final = 5
MOST_RATIO: Final = 100
"""The histogram of H ÷ N has a bar for each multiple of `RATIO_STEP` up to at most `MOST_RATIO`."""
MOST_UNITS: Final = 500
"""The maximum number of units in the chart of H against N. They are taken from the table at even steps."""
_BOX: Final = {
    "grade": "grade",
    "documents": "documents",
    "low": "whisker_low",
    "q1": "q1",
    "median": "median",
    "q3": "q3",
    "high": "whisker_high",
}
"""Maps the columns of a box plot to those of a table."""


@dataclass(frozen=True)
class TopicCharts:
    """Charts of a study's topics: `charts` has one chart for each of the first `MOST_TOPICS` topics.

    `topics` is the number of all topics, or None if this number is unknown.
    """

    charts: list[Chart]
    topics: int | None


class Answer(NamedTuple):
    """The answer of a result, as a page shows it.

    `sentence` names the best run, and which runs cannot be told from it. `cautions` stand before it, and
    `warnings` after it. `is_further_look` says that the measure was not chosen beforehand.
    """

    cautions: Sequence[Words]
    sentence: Words
    warnings: Sequence[Words]
    is_further_look: bool


@dataclass(frozen=True)
class Systems:
    """The ranking of the runs.

    `best` is the best run, or "" if the runs are not compared. `answer` says so in words.
    """

    chart: Chart
    best: str
    answer: Answer


def values_axis(study: Study, column: str, ends: tuple[float, float] | None = None) -> Axis:
    """Return the axis for a column of normalised numbers."""
    scale = scale_of(study)
    return Axis(column, _(scale.words.normalised), scale.axis, ends)


def boxes_chart(study: Study, table: StoredTable | None) -> Chart | None:
    """Return the chart of the documents' medians by known grade, or None if the table has no rows."""
    rows = _of_first_set(table) if table else []
    if table is None or not rows:
        return None
    return Chart(
        "magnitudes",
        _("Judgments by known grade"),
        _(
            "The median of each document’s normalised judgments. A box holds the middle half of the "
            "documents of a grade."
        ),
        Axis("grade", _("Known grade"), "category"),
        values_axis(study, "median"),
        _box_columns(),
        _boxes(table, rows),
        [Mark("box")],
    )


def topic_charts(study: Study, tables: Sequence[StoredTable]) -> TopicCharts:
    """Return a chart of the documents' medians by known grade for each of the first `MOST_TOPICS` topics.

    All charts share the same axis. If the table `boxes-by-topic` is very long, use only its first rows. The
    last topic in these rows is left out, because some of its rows may be missing.
    """
    table = find_table(tables, "boxes-by-topic")
    if table is None:
        return TopicCharts([], 0)
    names, rows = column_names(table), _of_first_set(table)
    topic_of = itemgetter(names.index("topic_id"))
    by_topic = {topic: list(boxes) for topic, boxes in groupby(rows, topic_of)}
    is_complete = len(rows_to_draw(table)) == number_of_rows(table)
    if not is_complete and by_topic:
        by_topic.popitem()
    topics = sorted(by_topic, key=natural)[:MOST_TOPICS]
    drawn = [(topic, _boxes(table, by_topic[topic], _grade_link(study, topic))) for topic in topics]
    ends = _ends(drawn)
    return TopicCharts(
        [_topic_chart(study, place, topic, rows, ends) for place, (topic, rows) in enumerate(drawn, start=1)],
        len(by_topic) if is_complete else None,
    )


def _topic_chart(
    study: Study, place: int, topic: str, rows: list[list[object]], ends: tuple[float, float] | None
) -> Chart:
    return Chart(
        f"topic-{place}",
        _("Topic {number}").format(number=topic),
        _("Medians of the documents by known grade"),
        Axis("grade", _("Known grade"), "category"),
        values_axis(study, "median", ends),
        _box_columns(),
        rows,
        [Mark("box")],
        height=190,
    )


def anchors_chart(study: Study, table: StoredTable | None) -> Chart | None:
    """Return the chart of the magnitudes of the anchors H and N, or None if there are no units.

    Each point stands for a unit and links to the page of the unit's worker.
    """
    if table is None or not number_of_rows(table):
        return None
    names, rows = column_names(table), rows_to_draw(table)
    rows = rows[:: math.ceil(len(rows) / MOST_UNITS)]
    worker, topic, unit, n, h, ratio = (
        itemgetter(names.index(name)) for name in ("worker_id", "topic_id", "unit_id", "n", "h", "ratio")
    )
    units = number_of_rows(table)
    about = ngettext(
        "The magnitudes of both anchors in {number} unit. Above the dashed line, H is larger than N.",
        "The magnitudes of both anchors in {number} units. Above the dashed line, H is larger than N.",
        len(rows),
    )
    note = _("The chart shows only {shown} of {all} units. The table below has all of them.")
    return Chart(
        "anchors",
        _("H against N in each unit"),
        about.format(number=len(rows)),
        Axis("n", _("Magnitude of the N anchor"), "log"),
        Axis("h", _("Magnitude of the H anchor"), "log"),
        {
            "worker": _("Worker"),
            "topic": _("Topic"),
            "unit": _("Unit"),
            "n": _("Magnitude of N"),
            "h": _("Magnitude of H"),
            "ratio": _("H ÷ N"),
        },
        [
            [_worker_link(study, worker(row)), topic(row), unit(row), n(row), h(row), ratio(row)]
            for row in rows
        ],
        [Mark("dot"), Mark("diagonal")],
        note=note.format(shown=len(rows), all=units) if len(rows) < units else "",
    )


def ratios_chart(table: StoredTable | None) -> Chart | None:
    """Return the histogram of H ÷ N over all units, or None if there are no units.

    The column `hidden` of the table is true for bars with few units. The chart ends at the last bar for which
    `hidden` is false, or at `MOST_RATIO` if that is lower. One more bar combines all units with larger
    ratios.
    """
    if table is None or not number_of_rows(table):
        return None
    names = column_names(table)
    ratio, units, hidden = (itemgetter(names.index(name)) for name in ("ratio", "units", "hidden"))
    counts: dict[float, int] = {ratio(row): units(row) for row in rows_to_draw(table)}
    drawn = [ratio(row) for row in rows_to_draw(table) if not hidden(row)] or list(counts)
    last = min(max(drawn), MOST_RATIO)
    bars = [step * RATIO_STEP for step in range(round(last / RATIO_STEP) + 1)]
    rows: list[list[object]] = [[f"{bar:g}", counts.get(bar, 0)] for bar in bars]
    rows[0][0] = _("below {number}").format(number=number_format(RATIO_STEP / 2))
    if beyond := sum(count for bar, count in counts.items() if bar > last):
        rows.append([f"> {last:g}", beyond])
    return Chart(
        "anchor-ratios",
        _("Units by H ÷ N"),
        _(
            "The number of units for each ratio of the anchors’ magnitudes. The ratios are rounded to "
            "multiples of 5."
        ),
        Axis("ratio", _("H ÷ N"), "category"),
        Axis("units", _("Units")),
        {"ratio": _("H ÷ N"), "units": _("Units")},
        rows,
        [Mark("bar")],
    )


_ABOUT_MEANS: Final[dict[str, Callable[[], str]]] = {
    "corrected": lambda: _(
        "The means use the crowd’s gains and are corrected for the estimated bias of noisy gains. "
        "The 95 % intervals are for new topics."
    ),
    "observed": lambda: _("The means use the crowd’s gains. The 95 % intervals are for new topics."),
    "sampled": lambda: _(
        "The means are estimated from the crowd’s gains of the sampled documents. "
        "The 95 % intervals are for new topics, and cover the sample and the workers."
    ),
}
"""What the chart of the means says about them, by their estimator."""


def systems_chart(result: StoredResult, *, name: str = "systems") -> Systems | None:
    """Return the ranking of the runs in a result, or None if no run has a mean.

    `name` is the id of the chart.
    """
    gains, measure = result["about"]
    summary = result["summary"]
    best = summary["best"] or ""
    estimator = summary["estimator"]
    columns: dict[str, Any] = {
        "run": _("Run"),
        "mean": _("Mean, corrected for bias") if estimator == "corrected" else _("Mean"),
        "low": _("Interval from"),
        "high": _("Interval to"),
        **({"adjusted": _("p, adjusted")} if best else {}),
    }
    rows = [[row[column] for column in columns] for row in summary["runs"]]
    if all(row["mean"] is None for row in summary["runs"]):
        return None
    if gains == MAGNITUDES:
        title = _("Mean {measure} of each run")
        about = _ABOUT_MEANS[estimator]()
    else:
        title = _("Mean {measure} of each run, with the known grades “{gains}”")
        about = _("The means use the known grades “{gains}”. The 95 % intervals are for new topics.")
        about = about.format(gains=gains)
    if best:
        about = f"{about} {_('The best run is {best}.').format(best=best)}"
    chart = Chart(
        name,
        title.format(measure=measure, gains=gains),
        about,
        Axis("run", _("Run"), "category"),
        Axis("mean", measure),
        columns,
        rows,
        [Mark("interval")],
        horizontal=True,
    )
    return Systems(chart, best, answer_of(result))


def answer_of(result: StoredResult) -> Answer:
    """Return the answer of a result as a page shows it."""
    cautions, others = (
        [warning["sentence"] for warning in result["warnings"] if warning["is_caution"] == is_caution]
        for is_caution in (True, False)
    )
    return Answer(cautions, result["sentence"], others, result["summary"]["is_further_look"])


def _of_first_set(table: StoredTable) -> list[Any]:
    """Return the rows of a table that belong to the first set of known grades in the table."""
    rows, place = rows_to_draw(table), column_names(table).index("grades")
    return [row for row in rows if row[place] == rows[0][place]]


def _boxes(
    table: StoredTable, rows: Sequence[Sequence[Any]], shown: Callable[[str], object] = str
) -> list[list[object]]:
    """Return the rows of a box plot. `shown` turns a grade into the content of its cell."""
    grade, *others = [column_names(table).index(name) for name in _BOX.values()]
    return [[shown(row[grade]), *(row[place] for place in others)] for row in rows]


def _box_columns() -> dict[str, Any]:
    headings = (
        _("Grade"),
        _("Documents"),
        _("Whisker from"),
        _("First quartile"),
        _("Median"),
        _("Third quartile"),
        _("Whisker to"),
    )
    return dict(zip(_BOX, headings, strict=True))


def _ends(drawn: Sequence[tuple[str, list[list[Any]]]]) -> tuple[float, float] | None:
    low, high = [*_BOX].index("low"), [*_BOX].index("high")
    boxes = [row for _topic, rows in drawn for row in rows]
    ends = min((row[low] for row in boxes), default=0), max((row[high] for row in boxes), default=0)
    return ends if ends[0] < ends[1] else None


def _grade_link(study: Study, topic: str) -> Callable[[str], SafeString]:
    address = reverse("console:documents", args=[study.slug])

    def grade_link(grade: str) -> SafeString:
        query = {"topic": topic, "grade": "none" if grade == UNGRADED else grade}
        return link(f"{address}?{urlencode(query)}", grade)

    return grade_link


def _worker_link(study: Study, pseudonym: str) -> SafeString:
    return link(reverse("console:worker", args=[study.slug, pseudonym]), pseudonym)
