"""The pages before, between and after units, and the page for leaving the study."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from judging.core.clock import now as read_clock
from judging.core.observing.address import address_of
from judging.core.pages.shown_answers import shown_answer
from judging.core.selectors.units import no_work_for
from judging.models import Assignment
from judging.protocol.checks import attempts_left
from judging.protocol.scales import judging_of
from judging.protocol.states import AssignmentState
from judging.protocol.steps import Step
from judging.worker.pages.failures import told_words
from judging.worker.pages.identity import known_browser
from judging.worker.pages.pay import SUBMITS, action_without_work, work_and_pay
from judging.worker.pages.practice import recap_of
from judging.worker.pages.progress import (
    Progress,
    not_proven,
    page_of,
    read_number,
    system_random,
    to_step,
)
from judging.worker.pages.slowing import count_reservation, limit_reservations
from judging.worker.selectors.participations import texts_of, wrong_answers
from judging.worker.services.lapse import can_be_reinstated
from judging.worker.services.leaving import drop_lapsed_answers, resume_lapsed_unit, withdraw
from judging.worker.services.reservation import reserve_unit


@page_of(Step.TASK)
def task(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    """Show the task. Its form reserves the first unit, before the topic of the unit is shown."""
    if request.method == "POST":
        return _go_on(request, progress, now)
    return progress.show(
        request,
        "worker/task.html",
        no_work=no_work_for(progress.participation, now=now, claim=progress.claim),
        recap=recap_of(progress.participation),
        practice=judging_of(progress.study).practice,
        action=action_without_work(progress.study),
    )


@page_of(Step.UNITS)
def units(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    if request.method == "POST":
        return _go_on(request, progress, now)
    ended = progress.attempt
    lapsed = ended if ended.state == AssignmentState.LAPSED else None
    wrong = (
        wrong_answers(progress.participation) if ended.state == AssignmentState.COMPREHENSION_FAILED else 0
    )
    no_work = no_work_for(progress.participation, now=now, claim=progress.claim)
    context = work_and_pay(progress)
    return progress.show(
        request,
        "worker/pay.html",
        **context,
        offers_first=not no_work and context["action"].kind not in SUBMITS,
        ended=ended,
        topic=ended.topic,
        told=told_words(ended, can_revise=False) if ended.state == AssignmentState.CHECKS_FAILED else "",
        answers_left=attempts_left(progress.study.comprehension_attempts, failed=wrong),
        can_go_on=lapsed is not None and can_be_reinstated(assignment=lapsed, now=now),
        texts=_texts_of(lapsed) if lapsed else [],
        no_work=no_work,
        resume_link=_resume_link(request, progress),
    )


def _texts_of(lapsed: Assignment) -> list[tuple[str, str, str]]:
    """Return each answer of a lapsed unit as its page showed it, with its reason and its passage."""
    study = lapsed.participation.study
    return [
        (shown_answer(row.raw_input, study), row.justification, row.highlight) for row in texts_of(lapsed)
    ]


def _resume_link(request: HttpRequest, progress: Progress) -> str:
    """Return the personal link, or "" in a browser with a claim: the link would prove what it claims."""
    if progress.claim:
        return ""
    link = reverse("worker:resume", args=[progress.study.slug, progress.participation.token])
    return request.build_absolute_uri(link)


def _go_on(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    """Reserve a new unit, or resume the lapsed unit if the worker chose that."""
    number, address = read_number(request, "number"), address_of(request)
    if number >= 0 and request.POST.get("action", "next") == "next" and request.POST.get("resume") == "yes":
        resume_lapsed_unit(participation=progress.participation, number=number, now=now, address=address)
        return to_step(progress.participation)
    if stopped := limit_reservations(request, progress.study):
        return stopped
    if reserve_unit(
        participation=progress.participation,
        now=now,
        rng=system_random,
        address=address,
        claim=progress.claim,
    ):
        count_reservation(request)
        if number >= 0:
            drop_lapsed_answers(participation=progress.participation, number=number)
    return to_step(progress.participation)


@page_of(Step.END)
def end(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    if request.method == "POST":
        return to_step(progress.participation)
    ended = progress.assignment
    return progress.show(
        request,
        "worker/pay.html",
        **work_and_pay(progress),
        state=progress.participation.state,
        cancelled=ended is not None and ended.state == AssignmentState.CANCELLED,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page for leaving the study, or withdraw the worker.

    Also delete the judgments of completed units if the worker has asked for this. A browser with a claim gets
    a page that says where to leave.
    """
    browser = known_browser(request, slug)
    if browser is None:
        return redirect("worker:information", slug=slug)
    participation = browser.worker
    progress = Progress(participation, claim=browser.claim)
    if progress.claim:
        return not_proven(request, progress)
    if request.method == "POST":
        if request.POST.get("action", "next") == "next":
            withdraw(
                participation=participation,
                delete_judgments=request.POST.get("delete_judgments") == "yes",
                now=read_clock(),
            )
        return to_step(participation)
    has_completed = participation.assignments.filter(state=AssignmentState.COMPLETED).exists()
    return progress.show(request, "worker/withdraw.html", has_completed=has_completed)
