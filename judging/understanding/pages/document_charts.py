"""Charts of documents: the medians of a topic's documents, and the magnitudes of one document."""

from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from judging.core.pages.charts import Axis, Chart, Mark
from judging.core.pages.numbers import rounded
from judging.core.pages.page_table import link
from judging.models import Study, Topic
from judging.protocol.grades import gain_of
from judging.protocol.scales import scale_of
from judging.understanding.pages.document_list import Listed, document_address
from judging.understanding.pages.report_charts import values_axis
from judging.understanding.reports.stored_table import DocumentRow

MOST_DOCUMENTS: Final = 200
MOST_JUDGMENTS: Final = 200
"""The maximum number of documents in a topic's chart, and of judgments in a document's chart."""


def medians_chart(
    request: HttpRequest, study: Study, topic: Topic, documents: Sequence[Listed]
) -> Chart | None:
    """Return the chart of the documents' medians with their intervals, or None if no document has judgments.

    The documents are sorted by known grade, the lowest first, and then by median. Each point links to
    the page of its document.
    """
    judged = [listed.row for listed in documents if listed.row["gain"] is not None]
    if not judged:
        return None
    drawn = sorted(judged[:MOST_DOCUMENTS], key=_place_of)
    has_grades = any(row["grade"] for row in drawn)
    rows: list[list[object]] = [
        [
            link(document_address(request, study, topic, row["document"]), row["document"]),
            row["grade"] or _("no grade"),
            place,
            row["gain"],
            row["low"],
            row["high"],
        ]
        for place, row in enumerate(drawn, start=1)
    ]
    note = _("The chart shows only the first {shown} of {all} judged documents.")
    return Chart(
        "medians",
        _("Gains of the documents, by known grade") if has_grades else _("Gains of the documents"),
        _(
            "Each point is the gain of a document, and the line through the point is the 95 % "
            "interval of the gain."
        ),
        Axis("place", _("Documents by grade and gain") if has_grades else _("Documents by gain")),
        values_axis(study, "gain"),
        {
            "document": _("Document"),
            "grade": _("Known grade"),
            "place": _("Rank"),
            "gain": _(scale_of(study).words.gain),
            "low": _("Interval from"),
            "high": _("Interval to"),
        },
        rows,
        [Mark("interval", series="grade" if has_grades else "")],
        note=note.format(shown=len(drawn), all=len(judged)) if len(drawn) < len(judged) else "",
    )


def _place_of(row: DocumentRow) -> tuple[bool, float, float]:
    """Return the sort key of a judged document. Documents without a known grade come last."""
    return not row["grade"], gain_of(row["grade"]) if row["grade"] else 0, row["gain"] or 0


def magnitudes_chart(
    study: Study, row: DocumentRow, magnitudes: Sequence[tuple[str, str, float]], judgments: int
) -> Chart:
    """Return the chart of one document's normalised magnitudes, with their median and its interval.

    `magnitudes` holds the worker, the unit and the normalised magnitude of each judgment to draw, and
    `judgments` is the number of all judgments of the document. Each point links to the page of its worker.
    """
    in_order = sorted(magnitudes, key=lambda judgment: judgment[2])
    rows: list[list[Any]] = [
        [link(reverse("console:worker", args=[study.slug, worker]), worker), unit, place, value]
        for place, (worker, unit, value) in enumerate(in_order, start=1)
    ]
    marks = [Mark("dot")]
    if row["gain"] is not None:
        marks.append(Mark("rule", at=row["gain"], name=_("Median")))
    if row["low"] is not None and row["high"] is not None:
        marks.append(Mark("band", at=row["low"], to=row["high"]))
    about = _(
        "The line marks the median, {median}, and the shaded band is its 95 % interval, from {low} to {high}."
    )
    note = _("The chart shows only {shown} of {all} judgments.")
    gain, low, high = (
        "–" if value is None else rounded(value) for value in (row["gain"], row["low"], row["high"])
    )
    return Chart(
        "normalised",
        _(scale_of(study).words.normalised),
        about.format(median=gain, low=low, high=high),
        Axis("place", _("Judgments, in order of their numbers")),
        values_axis(study, "value"),
        {"worker": _("Worker"), "unit": _("Unit"), "place": _("Rank"), "value": _("Normalised")},
        rows,
        marks,
        note=note.format(shown=len(rows), all=judgments) if len(rows) < judgments else "",
    )
