"""Between units and at the end: what became of each, the codes, and what can come next."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from judging.pages.worker.drafts import draft_prefix
from judging.pages.worker.way import Way, dice, find_way, page_of, to_step, whole
from judging.platforms import platform_of
from judging.protocol.states import AssignmentState, ParticipationState
from judging.protocol.steps import Step
from judging.selectors.clock import now as read_clock
from judging.selectors.participations import texts_of
from judging.selectors.payments import latest_submission_id, paid_work
from judging.selectors.units import work_is_left
from judging.services.lapse import can_be_reinstated
from judging.services.leaving import drop_lapsed_answers, resume_lapsed_unit, withdraw
from judging.services.reservation import reserve_unit


@page_of(Step.UNITS)
def units(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    if request.method == "POST":
        return _go_on(request, way, now)
    lapsed = way.assignment if way.assignment.state == AssignmentState.LAPSED else None
    return render(
        request,
        "worker/units.html",
        {
            **_codes(way),
            "ended": way.assignment,
            "drafts": draft_prefix(way.assignment),
            "topic": way.assignment.topic,
            "can_go_on": lapsed is not None and can_be_reinstated(assignment=lapsed, now=now),
            "texts": texts_of(lapsed) if lapsed else [],
            "work_is_left": work_is_left(way.participation, now=now),
            "no_work_link": platform_of(way.study).no_work_link(way.study),
            "resume_link": request.build_absolute_uri(
                reverse("worker:resume", args=[way.study.slug, way.participation.token])
            ),
        },
    )


def _go_on(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    """Take another unit, or go on with a lapsed one (`number`), or let its text go (`return`)."""
    number = whole(request, "number")
    if number >= 0 and request.POST.get("action", "next") == "next" and request.POST.get("resume") == "yes":
        resume_lapsed_unit(participation=way.participation, number=number, now=now)
        return to_step(way.participation)
    if reserve_unit(participation=way.participation, now=now, rng=dice) and number >= 0:
        drop_lapsed_answers(participation=way.participation, number=number)
    return to_step(way.participation)


@page_of(Step.END)
def end(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    if request.method == "POST":
        return to_step(way.participation)
    screened_out = way.participation.state == ParticipationState.SCREENED_OUT
    link = platform_of(way.study).screen_out_link(way.study) if screened_out else ""
    return render(
        request,
        "worker/end.html",
        {**_codes(way), "state": way.participation.state, "screen_out_link": link},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw from the study: with or without the judgments of completed units."""
    way = find_way(request, slug)
    if way is None:
        return redirect("worker:information", slug=slug)
    if request.method == "POST":
        if request.POST.get("action", "next") == "next":
            withdraw(
                participation=way.participation,
                delete_judgments=request.POST.get("delete_judgments") == "yes",
                now=read_clock(),
            )
        return to_step(way.participation)
    return render(request, "worker/withdraw.html", {**_codes(way)})


def _codes(way: Way) -> dict[str, Any]:
    """What the worker is paid for, with codes, and the link that hands the last code to the platform."""
    paid = paid_work(way.participation)
    completed = [unit for unit in paid if unit.state == AssignmentState.COMPLETED]
    link = ""
    if completed:
        link = platform_of(way.study).completion_link(
            way.study,
            code=completed[-1].completion_code,
            submission_id=latest_submission_id(way.participation),
        )
    amounts = [*(unit.amount for unit in paid), way.participation.compensation]
    return {
        "study": way.study,
        "way": way,
        "completed": completed,
        "paid_work": paid,
        "screened_out_pay": way.participation.compensation,
        "total_pay": sum(amounts) if sum(1 for amount in amounts if amount) > 1 else None,
        "completion_link": link,
    }
