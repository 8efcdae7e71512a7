"""Charts of the workers in a list, of the numbers of one worker, and of two workers side by side."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judging.core.pages.charts import Axis, Chart, Mark, Scale
from judging.core.pages.scale_words import name_of_number
from judging.models import Judgment, Participation, Study
from judging.protocol.agreement import LEAST_SHARED
from judging.protocol.anchor_pairs import gold
from judging.protocol.points import mean_numbers
from judging.protocol.scales import compares_pairs, scale_of
from judging.watching.pages.cells import document_link, worker_link
from judging.watching.selectors.shared_documents import MOST_SHARED, OtherJudgment, SharedDocument
from judging.watching.selectors.worker_statistics import MOST_DRAWN, DrawnWorkers
from judging.watching.selectors.worker_story import UnitStory

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_SERIES: Final = 6
"""The maximum number of topics for which the chart of a worker's magnitudes has a series for each topic.

If there are more topics, the chart has a series for each kind of document.
"""
_DRAWN: "Final[dict[str, tuple[StrOrPromise, StrOrPromise, Scale]]]" = {
    "seconds": (gettext_lazy("Agreement and time"), gettext_lazy("Seconds per document (median)"), "log"),
    "range": (gettext_lazy("Agreement and range"), gettext_lazy("Largest ÷ smallest magnitude"), "log"),
    "commonest_share": (
        gettext_lazy("Agreement and share of the most common number"),
        gettext_lazy("Share of the most common number"),
        "linear",
    ),
}
"""Maps each statistic of `DRAWN_BY` to the title of its chart, and to the label and scale of its axis."""


def workers_chart(study: Study, drawn: DrawnWorkers) -> Chart:
    """Return the scatter chart of a list of workers."""
    title, label, scale = _DRAWN[drawn.column]
    return Chart(
        "workers-scatter",
        title,
        _(
            "Each point is a worker. The larger the point, the more units the worker has completed. A ring "
            "around a point marks a flagged worker. Click a point to open the worker’s page."
        ),
        Axis("agreement", _("Agreement with the other workers")),
        Axis("value", label, scale),
        {
            "worker": _("Worker"),
            "agreement": _("Agreement"),
            "value": label,
            "units": _("Completed units"),
            "flags": _("Flags"),
        },
        [
            [worker_link(study, row.pseudonym), row.agreement, row.value, row.completed, row.flagged]
            for row in drawn.rows
        ],
        [Mark("dot", size="units", marked="flags")],
        note=_left_out(drawn),
        height=340,
    )


def _left_out(drawn: DrawnWorkers) -> str:
    """Return sentences that say how many workers with statistics are not in the chart.

    Return "" if the chart has all of these workers.
    """
    sentences = []
    if drawn.drawable > MOST_DRAWN:
        sentences.append(
            _("Of {workers} workers, the chart shows the {most} with the most completed units.").format(
                most=MOST_DRAWN, workers=drawn.drawable
            )
        )
    if left := drawn.listed - drawn.drawable:
        sentences.append(
            ngettext(
                "{workers} worker is not in the chart, because a value is unknown. Agreement is only "
                "known for workers who share at least {least} documents with other workers.",
                "{workers} workers are not in the chart, because a value is unknown. Agreement is "
                "only known for workers who share at least {least} documents with other workers.",
                left,
            ).format(workers=left, least=LEAST_SHARED)
        )
    return " ".join(sentences)


def magnitudes_chart(study: Study, worker: Participation, units: Sequence[UnitStory]) -> Chart:
    """Return the chart of a worker's magnitudes in these units, in the order in which the worker gave them.

    For imported workers, the axis numbers the judgments instead of showing times. Files of judgments do not
    say when a magnitude was given.
    """
    judged = [(unit, judgment) for unit in units for judgment in unit.judgments]
    saved = {judgment.pk: judgment.saved_at for _unit, judgment in judged if judgment.saved_at}
    timed = len(saved) == len(judged) and not worker.from_file
    if timed:
        judged.sort(key=lambda pair: saved[pair[1].pk])
    number = name_of_number(study)
    by_topic = len({unit.assignment.topic_id for unit, _judgment in judged}) <= MOST_SERIES
    when = _("Time (UTC)") if timed else _("Judgment number, in the order the documents were shown")
    return Chart(
        "numbers-in-time",
        _("Judgments from first to last"),
        _("Each point is a judgment. A ring around a point marks a judgment of an excluded unit."),
        Axis("when", when, "time" if timed else "linear"),
        _number_axis(study, "number", number),
        {
            "document": _("Document"),
            "when": when,
            "number": number,
            "topic": _("Topic"),
            "kind": _("Kind"),
            "excluded": _("Excluded"),
        },
        [
            [
                _document(study, unit, judgment),
                saved[judgment.pk] if timed else place,
                judgment.number,
                str(unit.assignment.topic).strip(),  # imported topics can have no title
                _kind(judgment.pool_document.anchor),
                _excluded(unit),
            ]
            for place, (unit, judgment) in enumerate(judged, start=1)
        ],
        [Mark("dot", series="topic" if by_topic else "kind", marked="excluded")],
    )


def others_chart(study: Study, units: Sequence[UnitStory], others: Sequence[OtherJudgment]) -> Chart:
    """Return the chart that compares a worker's magnitudes with the medians of other workers' magnitudes."""
    given: dict[int, list[float]] = defaultdict(list)
    for judgment in others:
        given[judgment.document].append(judgment.number)
    in_pairs = compares_pairs(study)
    middle = fmean if in_pairs else median
    rows = [
        [
            _document(study, unit, judgment),
            middle(numbers),
            own[judgment.pool_document_id],
            len(numbers),
            unit.assignment.topic.number,
            _excluded(unit),
        ]
        for unit in units
        for own in [_own_numbers(unit)]
        for judgment in unit.judgments
        if (numbers := given[judgment.pool_document_id]) and judgment.pool_document_id in own
    ]
    of_others = _("Mean points of the others") if in_pairs else _("Median of the others")
    caption = _(
        "Each point is a document that others judged too. On the dashed line, the worker’s number equals the"
        " median of the others."
    )
    if any(judgment.pool_document.anchor for unit in units for judgment in unit.judgments):
        caption = _(
            "Each point is a document that others judged too. Anchors are left out. On the dashed line, the"
            " worker’s number equals the median of the others."
        )
    return Chart(
        "against-others",
        _("Comparison with the other workers"),
        caption,
        _number_axis(study, "others", of_others),
        _number_axis(study, "number", _("This worker")),
        {
            "document": _("Document"),
            "others": of_others,
            "number": _("This worker"),
            "workers": _("Judgments by others"),
            "topic": _("Topic"),
            "excluded": _("Excluded"),
        },
        rows,
        [Mark("dot", marked="excluded"), Mark("diagonal")],
    )


def _own_numbers(unit: UnitStory) -> dict[int, float]:
    """Return the number of each document of a unit. In pairs, it is the mean of the document's points."""
    return mean_numbers(
        (judgment.pool_document_id, judgment.compared_with_id, judgment.number)
        for judgment in unit.judgments
        if judgment.number is not None
    )


def pair_chart(
    study: Study, first: Participation, second: Participation, documents: Sequence[SharedDocument]
) -> Chart:
    """Return the chart of the magnitudes that two workers gave for the documents that both judged."""
    drawn = documents[:MOST_SHARED]
    rows = [
        [
            document_link(study, shared.topic, shared.document),
            shared.first,
            shared.second,
            shared.topic,
            _kind(shared.anchor),
        ]
        for shared in drawn
    ]
    return Chart(
        "shared-documents",
        _("Documents that both judged"),
        ngettext(
            "{documents} document. On the dashed line, both workers gave the same number.",
            "{documents} documents. On the dashed line, both workers gave the same number.",
            len(drawn),
        ).format(documents=len(drawn)),
        _number_axis(study, "first", first.pseudonym),
        _number_axis(study, "second", second.pseudonym),
        {
            "document": _("Document"),
            "first": first.pseudonym,
            "second": second.pseudonym,
            "topic": _("Topic"),
            "kind": _("Kind"),
        },
        rows,
        [Mark("dot", series="kind"), Mark("diagonal")],
        note=_("The chart shows only the first {most} documents, sorted by topic and id.").format(
            most=MOST_SHARED
        )
        if len(documents) > MOST_SHARED
        else "",
        height=400,
    )


def _number_axis(study: Study, column: str, label: str) -> Axis:
    return Axis(column, label, scale_of(study).axis)


def _document(study: Study, unit: UnitStory, judgment: Judgment) -> Any:
    return document_link(study, unit.assignment.topic.number, judgment.pool_document.document.document_id)


def _kind(anchor: str) -> str:
    return {"H": _("Anchor H"), "N": _("Anchor N")}.get(gold(anchor), _("Other documents"))


def _excluded(unit: UnitStory) -> str:
    return _("excluded") if unit.excluded else ""
