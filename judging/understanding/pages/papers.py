"""The page of the papers: their numbered tables and figures, computed from the data of a study."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from evaluation.papers.catalogue import PAPERS
from evaluation.papers.paper import Item, Paper
from evaluation.report.needs import Facts
from evaluation.report.parts import lacks
from evaluation.text import Text
from judging.core.pages.guard import console_page, find_study
from judging.models import Report, ReportKind
from judging.understanding.pages.state import ReportState, report_states, request_and_redirect
from judging.understanding.selectors.reports import study_facts


class ListedItem(NamedTuple):
    """An item of a paper. `state` is that of the item, or "missing" if the study lacks data for it."""

    item: Item
    state: str
    reasons: list[Text]


class ListedPaper(NamedTuple):
    """A paper with its items, its latest report, and the state of this report."""

    paper: Paper
    items: list[ListedItem]
    report: Report | None
    state: ReportState


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def papers(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the items of all papers. A POST requests those of the paper that it names."""
    study = find_study(request, slug)
    if request.method == "POST":
        if (key := request.POST.get("paper", "")) not in PAPERS:
            raise Http404
        return request_and_redirect(request, study, ReportKind.WHOLE, {"paper": key})
    facts = study_facts(study)
    states = report_states(request, study, ReportKind.WHOLE, [{"paper": key} for key in PAPERS])
    listed = [
        ListedPaper(paper, [_listed_item(item, facts) for item in paper.items], state.report, state)
        for paper, state in zip(PAPERS.values(), states, strict=True)
    ]
    context = {"study": study, "facts": facts, "papers": listed}
    return render(request, "understanding/papers.html", context)


def _listed_item(item: Item, facts: Facts) -> ListedItem:
    reasons = [] if item.state == "absent" else lacks(item.needs, facts)
    return ListedItem(item, "missing" if reasons else item.state, reasons)
