"""Charts of the results of a study: the magnitudes, and the scores of the runs with their intervals.

The charts show the latest stored reports, however old these are.
"""

from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.pages.charts import Axis, Chart, Mark
from judging.models import Report, Study
from judging.understanding.pages.report_charts import Systems, boxes_chart, systems_chart
from judging.understanding.reports.stored_table import StoredTable, column_names, find_table, rows_of
from judging.understanding.selectors.results import find_result

LEAST_TOPICS: Final = 5
LEAST_JUDGMENTS: Final = 3
"""The overview shows a ranking only if there are at least `LEAST_TOPICS` topics with judgments.

The documents must also have at least `LEAST_JUDGMENTS` judgments on average.
"""


def magnitudes_chart(study: Study, report: Report | None) -> Chart | None:
    """Return a chart of the documents' medians by known grade, or of their distribution if no grade is known.

    `report` is the stored report on grades. Return None if there is no such report yet.
    """
    table = find_table(report.content["tables"], "boxes") if report else None
    if boxes := boxes_chart(study, table):
        return boxes
    return _distribution(find_table(report.content["tables"], "distribution") if report else None)


def agreement(report: Report | None) -> dict[str, float]:
    """Return the values of Krippendorff's α over all topics, from the report on grades.

    The keys of the dict are "without" and "with", for α without and with the anchors. A key is missing if the
    report has no such α. If the study has no anchors, the only key is "without".
    """
    table = find_table(report.content["tables"], "alpha") if report else None
    if table is None or "anchors" not in column_names(table):  # an earlier version stored the report
        return {}
    anchors, topic, alpha = (
        itemgetter(column_names(table).index(name)) for name in ("anchors", "topic_id", "alpha")
    )
    return {
        anchors(row): alpha(row) for row in rows_of(table) if topic(row) == "all" and alpha(row) is not None
    }


def systems(study: Study) -> Systems | None:
    """Return the ranking of the runs by the study's own measure, or None if it is not computed yet."""
    found = find_result(study)
    return systems_chart(found.result) if found else None


def ranking_gap(topics: int, judgments_per_document: float) -> str:
    """Return a sentence that says why it is too early for a ranking, or "" if it is not too early."""
    if topics < LEAST_TOPICS:
        return ngettext(
            "It is too early for a ranking of the runs: {topics} topic has judgments, and a ranking needs"
            " at least {least}.",
            "It is too early for a ranking of the runs: {topics} topics have judgments, and a ranking needs"
            " at least {least}.",
            topics,
        ).format(topics=topics, least=LEAST_TOPICS)
    if judgments_per_document < LEAST_JUDGMENTS:
        return _(
            "It is too early for a ranking of the runs: documents have {mean} judgments on average, and a"
            " ranking needs at least {least}."
        ).format(mean=f"{judgments_per_document:.1f}", least=LEAST_JUDGMENTS)
    return ""


def _distribution(table: StoredTable | None) -> Chart | None:
    if table is None:
        return None
    return Chart(
        "magnitudes",
        _("Distribution of the medians"),
        _(
            "Each bar covers a range of medians and shows how many documents have a median in that range. "
            "The medians are those of normalised judgments."
        ),
        Axis("median", _("Median"), "category"),
        Axis("documents", _("Documents")),
        {"median": _("Median"), "documents": _("Documents")},
        [[f"{low:.3g}–{high:.3g}", documents] for low, high, documents in rows_of(table)],
        [Mark("bar")],
    )
