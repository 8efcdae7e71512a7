"""The part of the results that compares two runs topic by topic, with the documents behind the difference."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from evaluation.contributions import contributions, has_contributions
from judging.core.pages.charts import Axis, Chart, Mark
from judging.core.pages.numbers import exact
from judging.core.pages.page_table import Column, ShownTable, Table, link
from judging.core.published.gains import MAGNITUDES
from judging.models import Study
from judging.understanding.reports.stored_result import StoredResult
from judging.understanding.selectors.run_pair import stored_gains, two_runs

MOST_DOCUMENTS: Final = 20
"""The number of documents that the page lists."""
MOST_TOPICS: Final = 50
"""The number of topics in the chart, those with the largest differences."""
Row = tuple[Any, ...]


class RunPair(NamedTuple):
    """Two runs: their tags, all tags to choose from, a chart by topic, and the documents behind it.

    `won`, `tied` and `lost` count the topics in which the first run scores above, like or below the second.
    `documents` is None if the measure is not a sum over documents, or the gains of the documents are unknown.
    """

    first: str
    second: str
    tags: Sequence[str]
    chart: Chart
    won: int
    tied: int
    lost: int
    documents: ShownTable | None


def run_pair(request: HttpRequest, study: Study, result: StoredResult) -> RunPair | None:
    """Return the comparison of the two runs that the address names, by default the best two.

    Return None if fewer than two runs have scores.
    """
    tags = [row["run"] for row in result["summary"]["runs"] if row["mean"] is not None]
    if len(tags) < 2:
        return None
    first = _chosen(request.GET, "first", tags)
    second = _chosen(request.GET, "second", [tag for tag in tags if tag != first])
    gains, measure = result["about"]
    pairs = [
        (topic, one, other, one - other)
        for topic, one, other in zip(
            result["topics"], result["scores"][first], result["scores"][second], strict=True
        )
        if one is not None and other is not None
    ]
    signs = [0 if abs(pair[3]) < 1e-12 else 1 if pair[3] > 0 else -1 for pair in pairs]
    documents = None
    # In a sampled study, most documents that make the difference are not judged.
    if gains == MAGNITUDES and has_contributions(measure) and not study.is_sampled:
        documents = _documents(request, study, measure, first, second)
    won, tied, lost = (signs.count(sign) for sign in (1, 0, -1))
    chart = _chart(pairs, measure, first, second)
    return RunPair(first, second, tags, chart, won, tied, lost, documents)


def _chosen(data: Mapping[str, str], name: str, tags: Sequence[str]) -> str:
    """Return the run that the address names, or the first of `tags`."""
    return tag if (tag := data.get(name, "")) in tags else tags[0]


def _chart(pairs: Sequence[Row], measure: str, first: str, second: str) -> Chart:
    largest = sorted(pairs, key=lambda pair: -abs(pair[3]))[:MOST_TOPICS]
    rows: list[list[object]] = []
    for topic, one, other, _difference in sorted(largest, key=lambda pair: -pair[3]):
        rows += [[topic, first, one], [topic, second, other]]
    note = _("The chart shows the {shown} topics with the largest differences, of {all} topics.")
    about = _("The topics in which {first} is furthest above {second} come first.")
    return Chart(
        "by-topic",
        _("{measure} of both runs in each topic").format(measure=measure),
        about.format(first=first, second=second),
        Axis("topic", _("Topic"), "category"),
        Axis("value", measure),
        {"topic": _("Topic"), "run": _("Run"), "value": measure},
        rows,
        [Mark("dot", series="run")],
        horizontal=True,
        note=note.format(shown=MOST_TOPICS, all=len(pairs)) if len(pairs) > MOST_TOPICS else "",
    )


def _documents(
    request: HttpRequest, study: Study, measure: str, first: str, second: str
) -> ShownTable | None:
    gains = stored_gains(study)
    if gains.table.is_empty():  # the reports of the documents are not computed yet
        return None
    found = contributions(gains, *two_runs(study, (first, second)), measure)
    address = reverse("console:document", args=[study.slug])

    def document(row: Row) -> object:
        return link(f"{address}?{urlencode({'topic': row[0], 'id': row[1]})}", row[1])

    columns: list[Column[Row]] = [
        Column("", _("Document"), document, css="text"),
        Column("", _("Topic"), lambda row: row[0]),
        Column("", _("Gain"), lambda row: exact(row[2])),
        Column("", _("Rank in {run}").format(run=first), lambda row: row[3]),
        Column("", _("Rank in {run}").format(run=second), lambda row: row[4]),
        Column("", _("Adds to the difference"), lambda row: exact(row[5])),
    ]
    note = _(
        "The {number} documents that add most, of {all}. A document adds the weight of its rank times its "
        "gain,"
        " as a share of the ideal list if the measure is one. A positive number favours {first}."
    )
    return Table(
        request,
        columns,
        heading="difference",
        key="difference",
        of=_("documents"),
        per_page=0,
        note=note.format(number=min(MOST_DOCUMENTS, found.height), all=found.height, first=first),
    ).at_hand(found.head(MOST_DOCUMENTS).rows())
