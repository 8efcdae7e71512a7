"""Before, between and after units: the task, what became of each unit, the codes, and what can come next."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from judging.core.clock import now as read_clock
from judging.core.observing.address import address_of
from judging.core.selectors.units import had_every_topic, work_is_left
from judging.protocol.states import AssignmentState
from judging.protocol.steps import Step
from judging.worker.pages.back import pay_and_way_back
from judging.worker.pages.slowing import count_reservation, too_many_reserved
from judging.worker.pages.way import Way, dice, page_of, to_step, whole
from judging.worker.pages.who import known_worker
from judging.worker.selectors.participations import texts_of, wrong_answers
from judging.worker.services.lapse import can_be_reinstated
from judging.worker.services.leaving import drop_lapsed_answers, resume_lapsed_unit, withdraw
from judging.worker.services.reservation import reserve_unit


@page_of(Step.TASK)
def task(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    """What will be asked; going on reserves the first unit, before its topic is shown."""
    if request.method == "POST":
        return _go_on(request, way, now)
    return way.show(
        request,
        "worker/task.html",
        work_is_left=work_is_left(way.participation, now=now),
        **pay_and_way_back(way.participation),
    )


@page_of(Step.UNITS)
def units(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    if request.method == "POST":
        return _go_on(request, way, now)
    ended = way.attempt
    lapsed = ended if ended.state == AssignmentState.LAPSED else None
    wrong = wrong_answers(way.participation) if ended.state == AssignmentState.COMPREHENSION_FAILED else 0
    is_left = work_is_left(way.participation, now=now)
    return way.show(
        request,
        "worker/units.html",
        **pay_and_way_back(way.participation),
        ended=ended,
        topic=ended.topic,
        answers_left=way.study.comprehension_attempts - wrong,
        can_go_on=lapsed is not None and can_be_reinstated(assignment=lapsed, now=now),
        texts=texts_of(lapsed) if lapsed else [],
        work_is_left=is_left,
        every_topic_had=not is_left and had_every_topic(way.participation),
        resume_link=request.build_absolute_uri(
            reverse("worker:resume", args=[way.study.slug, way.participation.token])
        ),
    )


def _go_on(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    """Take another unit, or go on with a lapsed one (`number`), or let its text go (`return`)."""
    number, address = whole(request, "number"), address_of(request)
    if number >= 0 and request.POST.get("action", "next") == "next" and request.POST.get("resume") == "yes":
        resume_lapsed_unit(participation=way.participation, number=number, now=now, address=address)
        return to_step(way.participation)
    if stopped := too_many_reserved(request, way.study):
        return stopped
    if reserve_unit(participation=way.participation, now=now, rng=dice, address=address):
        count_reservation(request)
        if number >= 0:
            drop_lapsed_answers(participation=way.participation, number=number)
    return to_step(way.participation)


@page_of(Step.END)
def end(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    if request.method == "POST":
        return to_step(way.participation)
    ended = way.assignment
    return way.show(
        request,
        "worker/end.html",
        **pay_and_way_back(way.participation),
        state=way.participation.state,
        cancelled=ended is not None and ended.state == AssignmentState.CANCELLED,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw from the study: with or without the judgments of completed units."""
    participation = known_worker(request, slug)
    if participation is None:
        return redirect("worker:information", slug=slug)
    if request.method == "POST":
        if request.POST.get("action", "next") == "next":
            withdraw(
                participation=participation,
                delete_judgments=request.POST.get("delete_judgments") == "yes",
                now=read_clock(),
            )
        return to_step(participation)
    return Way(participation).show(request, "worker/withdraw.html", **pay_and_way_back(participation))
