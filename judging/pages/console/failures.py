"""Quality: failures of each check over time, by topic, pair of anchors and worker, and who went back."""

from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.pages.console.guard import console_page, find_study
from judging.pages.console.paging import page_of
from judging.protocol import bad_anchor, bad_question
from judging.selectors.clock import now
from judging.selectors.failures import PERIODS, back_rows, failures_over_time, used_back
from judging.selectors.topic_quality import topic_quality
from judging.selectors.worker_list import workers_page

CHECK_HEADINGS: Final = {"a": "(a) Practice", "b": "(b) Question", "c": "(c) Anchors", "d": "(d) Time"}
MOST_WORKERS: Final = 10
BACK_PER_PAGE: Final = 25


@require_safe
@console_page
def failures(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    asked = request.GET.get("by", "day")
    by = asked if asked in PERIODS else "day"
    by_fault = "" if by == asked else f"Failures are counted by hour or by day, not by “{asked[:20]}”."
    topics = topic_quality(study)
    page = page_of(request, len(topics), key="topics")
    back = used_back(study)
    back_page = page_of(request, back.count(), per_page=BACK_PER_PAGE, key="back")
    workers = [
        (worker, [worker.failures.get(check, 0) for check in CHECK_HEADINGS])
        for worker in workers_page(study, sort="failures", start=0, stop=MOST_WORKERS)
        if worker.failures
    ]
    context = {
        "study": study,
        "now": now(),
        "by": by,
        "periods": [
            (period, [period.failures.get(check, 0) for check in CHECK_HEADINGS])
            for period in failures_over_time(study, by=by)
        ],
        "checks": CHECK_HEADINGS,
        "names_of_periods": PERIODS,
        "faults": [fault for fault in (by_fault, page.fault, back_page.fault) if fault],
        "suspects": [one for one in topics if one.bad_anchor or one.bad_question],
        "topics": [topics[place] for place in page.places],
        "page": page,
        "workers": workers,
        "back": back_rows(back, back_page.places.start, back_page.places.stop),
        "back_page": back_page,
        "rules": {"anchor": bad_anchor.RULE, "question": bad_question.RULE},
    }
    status = 400 if by != asked else max(page.status, back_page.status)
    return render(request, "console/quality.html", context, status=status)
