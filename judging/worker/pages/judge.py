"""The pages of a unit: the topic with its question, and the documents one at a time."""

from datetime import datetime
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from judging.core.observing.address import address_of
from judging.core.pages.shown_answers import shown_answer
from judging.limits import LONGEST_NUMBER, LONGEST_PASSAGE, LONGEST_REASON
from judging.protocol.checks import attempts_left
from judging.protocol.reported import FAULTS, Fault
from judging.protocol.scales import compares_pairs, judging_of
from judging.protocol.states import AssignmentState
from judging.protocol.steps import Step
from judging.worker.pages.failures import told_words
from judging.worker.pages.number_field import NumberField, read_typed_number
from judging.worker.pages.progress import (
    Progress,
    not_proven,
    page_of,
    read_number,
    read_text,
    system_random,
    to_step,
)
from judging.worker.pages.unit_words import answered_pages, earlier_answers, shown_documents
from judging.worker.selectors.participations import judgment_at_cursor
from judging.worker.services.comprehension import answer_question
from judging.worker.services.leaving import report_document, return_unit
from judging.worker.services.outcome import Kind
from judging.worker.services.submitting import Answer, submit_answer
from judging.worker.services.visits import open_document

LAST_MINUTES: Final = 10
"""The page warns the worker when this many minutes are left."""


@page_of(Step.TOPIC)
def topic(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    if request.method != "POST":
        return _question(request, progress)
    if request.POST.get("action") in ("return", "report") and not progress.may_end_unit:
        return not_proven(request, progress)
    if request.POST.get("action") == "return":
        return_unit(participation=progress.participation, number=read_number(request, "number"), now=now)
        return to_step(progress.participation)
    result = answer_question(
        participation=progress.participation,
        number=read_number(request, "number"),
        place=read_number(request, "answer"),
        now=now,
        rng=system_random,
        address=address_of(request),
    )
    if result.kind == Kind.INVALID:
        return _question(request, progress, faults=result.faults)
    return to_step(progress.participation)


def _question(
    request: HttpRequest, progress: Progress, *, faults: dict[str, str] | None = None
) -> HttpResponse:
    assignment = progress.attempt
    question = assignment.topic.question
    return progress.show(
        request,
        "worker/topic.html",
        assignment=assignment,
        topic=assignment.topic,
        question=question.text,
        options=[question.options[option] for option in assignment.option_order],
        chosen=read_number(request, "answer"),
        faults=faults or {},
    )


@page_of(Step.JUDGE)
def judge(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    if request.method != "POST":
        return _document(request, progress, now)
    if request.POST.get("action") in ("return", "report") and not progress.may_end_unit:
        return not_proven(request, progress)
    if request.POST.get("action") == "return":
        return_unit(participation=progress.participation, number=read_number(request, "number"), now=now)
        return to_step(progress.participation)
    if request.POST.get("action") == "report":
        return _report(request, progress, now)
    answer = _answer(request, progress)
    result = submit_answer(
        participation=progress.participation,
        answer=answer,
        action=request.POST.get("action", "next"),
        now=now,
        rng=system_random,
        address=address_of(request),
    )
    if result.position is not None:
        return redirect(
            f"worker:{Step.JUDGE}",
            slug=progress.study.slug,
            number=answer.number,
            position=result.position,
        )
    if result.kind == Kind.MOVED:
        return to_step(progress.participation)
    if result.kind == Kind.STALE:
        return progress.show(
            request,
            "worker/stale.html",
            magnitude=shown_answer(answer.raw_input, progress.study),
            justification=answer.justification,
            highlight=answer.highlight,
        )
    if result.kind == Kind.UNCHANGED:
        unchanged = _(
            "Nothing has changed since the last check, so we did not check again, and you lose no attempt."
            " Change an answer or a reason, or stay longer on pages that you read quickly."
        )
        return _document(request, progress, now, answer=answer, faults={"": unchanged})
    return _document(request, progress, now, answer=answer, faults=result.faults)


def _report(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    """End the unit because the worker reports a document. If a choice is missing, ask for it again."""
    faults = {}
    chosen, which = request.POST.get("fault", ""), request.POST.get("which", "")
    if compares_pairs(progress.study) and which not in ("first", "second"):
        faults["which"] = _("Please choose the document.")
    if chosen not in set(Fault):
        faults["fault"] = _("Please choose what is wrong with the document.")
    if faults:
        return _document(request, progress, now, faults=faults)
    report_document(
        participation=progress.participation,
        number=read_number(request, "number"),
        position=read_number(request, "position"),
        fault=Fault(chosen),
        now=now,
        second=which == "second",
    )
    return to_step(progress.participation)


def _answer(request: HttpRequest, progress: Progress) -> Answer:
    seconds = request.POST.get("visible_seconds", "")
    return Answer(
        number=read_number(request, "number"),
        serial=read_number(request, "serial"),
        position=read_number(request, "position"),
        raw_input=read_typed_number(request),
        justification=read_text(request, "justification"),
        highlight=read_text(request, "highlight") if progress.study.highlights == "optional" else "",
        visible_seconds=float(seconds)
        if seconds.isascii() and seconds.isdigit() and len(seconds) < 7
        else 0.0,
        evidence=request.POST.get("evidence", ""),
        go=read_number(request, "go") if "go" in request.POST else None,
        was_warned=request.POST.get("warned") == "yes",
    )


def _document(
    request: HttpRequest,
    progress: Progress,
    now: datetime,
    *,
    answer: Answer | None = None,
    faults: dict[str, str] | None = None,
) -> HttpResponse:
    """Show the current document with its stored answer, and start a visit.

    If `answer` is given, show it instead of the stored answer. The two differ if `answer` is too long,
    because such an answer is not stored.
    """
    assignment = progress.attempt
    judgment = judgment_at_cursor(assignment)
    if judgment is None:
        return to_step(progress.participation)
    if answer:
        judgment.raw_input, judgment.justification = answer.raw_input, answer.justification
        judgment.highlight = answer.highlight
    open_document(assignment=assignment, judgment=judgment, now=now)
    study, asked = progress.study, judging_of(progress.study).asked
    revising = assignment.state == AssignmentState.REVISING
    place, places = assignment.cursor + 1, study.unit_size
    return progress.show(
        request,
        "worker/judge.html",
        assignment=assignment,
        seconds_left=max(0, int((assignment.lapses_at - now).total_seconds())),
        warns_seconds=LAST_MINUTES * 60,
        topic=assignment.topic,
        judgment=judgment,
        asked=asked,
        number=NumberField(study, judgment.raw_input),
        shown=shown_documents(judgment, study),
        place=place,
        places=places,
        place_words=_(asked.place).format(place=place, places=places),
        last=place == places,
        revising=revising,
        previous=earlier_answers(assignment, study),
        answers=answered_pages(assignment, study) if revising else [],
        told=told_words(assignment) if revising else "",
        attempts_left=attempts_left(study.check_attempts, failed=assignment.failed_finishes or 0),
        may_finish=place == places or revising,
        faults=faults or {},
        document_faults=[(fault.value, _(words)) for fault, words in FAULTS.items()],
        longest_number=LONGEST_NUMBER,
        longest_reason=LONGEST_REASON,
        too_many=_too_many(judgment.justification, LONGEST_REASON),
        longest_passage=LONGEST_PASSAGE,
        too_many_in_passage=_too_many(judgment.highlight, LONGEST_PASSAGE),
    )


def _too_many(text: str, limit: int) -> str:
    """Return how many characters the text has above the limit, or "". Scripts say it in the same words."""
    over = len(text) - limit
    number = number_format(over, force_grouping=True)
    return _("Characters too many: {number}").format(number=number) if over > 0 else ""
