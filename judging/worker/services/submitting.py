"""Process the form below a document. The form has the buttons Next, Back and Finish."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from random import Random

from django.db import transaction
from django.db.models import Sum
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from judging.core.selectors.passages import passage_in
from judging.core.services.ending import close_visit, open_visit
from judging.core.services.events import record_in_unit
from judging.core.services.locking import lock_assignment
from judging.core.words import decimal_mark, translated
from judging.limits import LONGEST_NUMBER, LONGEST_PASSAGE, LONGEST_REASON
from judging.models import Assignment, EventKind, Judgment, Participation, Visit
from judging.protocol.evidence import pasted_share
from judging.protocol.scales import judging_of
from judging.protocol.scales.scale import Judging, Typed
from judging.protocol.states import AssignmentState
from judging.protocol.timing import visit_seconds
from judging.worker.selectors.participations import judgment_at
from judging.worker.services import outcome
from judging.worker.services.finishing import finish
from judging.worker.services.lapse import hold
from judging.worker.services.outcome import MOVED, Outcome, moved_to

TOO_LONG_JUSTIFICATION = format_lazy(_("Please use at most {limit} characters."), limit=LONGEST_REASON)
TOO_LONG_PASSAGE = format_lazy(_("Please use at most {limit} characters."), limit=LONGEST_PASSAGE)
MOST_VISIBLE_SECONDS = 86_400.0


@dataclass(frozen=True)
class Answer:
    """The content of a form: its numbers, what the worker typed, and what the browser reports.

    `number` identifies the assignment, `serial` the version of the form, and `position` the document.
    """

    number: int
    serial: int
    position: int
    raw_input: str
    justification: str
    visible_seconds: float = 0.0
    highlight: str = ""
    """The passage that decided, if the study asks for it."""
    evidence: str = ""
    """What the browser reports about how the reason was typed; see `pasted_share`."""
    go: int | None = None
    """The position that the worker chose from the list of documents while revising."""
    was_warned: bool = False
    """Whether the page has already warned the worker about going on too early."""

    @property
    def is_too_long(self) -> bool:
        return (
            len(self.raw_input) > LONGEST_NUMBER
            or len(self.justification) > LONGEST_REASON
            or len(self.highlight) > LONGEST_PASSAGE
        )


@transaction.atomic
def submit_answer(
    *,
    participation: Participation,
    answer: Answer,
    action: str,
    now: datetime,
    rng: Random,
    address: str = "",
) -> Outcome:
    """Store the answer from the form below a document, and carry out the action that the worker chose.

    `action` is next, back, finish or extend. If the worker chose a document from the list (`answer.go`),
    `action` is ignored. A form from an earlier page changes nothing. If its content is already stored, the
    worker goes to the current step. If not, the page shows what the worker typed. A current form is stored
    even if its content is not valid, unless it is too long. For lapsed units, see `hold`.
    """
    assignment = lock_assignment(participation, answer.number)
    if assignment is None:
        return outcome.STALE
    study = participation.study
    judging = judging_of(study)
    number = judging.parse(answer.raw_input, study, mark=decimal_mark())
    answered = answer.serial == assignment.serial and not _faults(answer, number, judging)
    live = hold(assignment=assignment, now=now, address=address, answered=answered)
    visit = open_visit(assignment)
    judgment = judgment_at(assignment, answer.position)
    if judgment is None:
        # The form of the last attempt was sent twice. The answers are deleted, and the next page says why.
        was_last_attempt = (
            assignment.state == AssignmentState.CHECKS_FAILED and answer.serial == assignment.serial - 1
        )
        return MOVED if was_last_attempt else outcome.STALE
    if assignment.state == AssignmentState.LAPSED and answer.serial == assignment.serial:
        if answer.is_too_long:
            return outcome.STALE
        # The unit cannot continue. Keep what the worker typed, so that the next page can show it to them.
        _store(judgment, answer, number.value, now)
        return MOVED
    if not live or (answer.serial, answer.position) != (assignment.serial, assignment.cursor):
        return MOVED if _same_content(judgment, answer) else outcome.STALE
    return _apply(assignment, visit, judgment, answer, number, action, now, rng)


def _apply(
    assignment: Assignment,
    visit: Visit | None,
    judgment: Judgment,
    answer: Answer,
    number: Typed,
    action: str,
    now: datetime,
    rng: Random,
) -> Outcome:
    faults = _faults(answer, number, judging_of(assignment.participation.study))
    if answer.is_too_long:
        return outcome.invalid(**faults)
    is_new_passage = judgment.highlight != answer.highlight
    is_shown = _store(judgment, answer, number.value, now)
    if answer.go is not None:
        return _go_to(assignment, visit, answer.go, now)
    if action == "extend":
        return _extend(assignment, now)
    if action == "back":
        return _go_back(assignment, visit, now)
    if faults:
        return outcome.invalid(**faults)
    last = assignment.cursor == assignment.participation.study.unit_size - 1
    questions = _questions(answer, assignment, judgment, visit, now, last=last)
    if is_new_passage and not is_shown:
        questions["highlight"] = gettext(
            "We cannot find this passage in the document. Correct it, or press the button again to keep it."
        )
    if questions:
        return outcome.invalid(**questions)
    if last or (action == "finish" and assignment.state == AssignmentState.REVISING):
        return finish(assignment=assignment, visit=visit, now=now, rng=rng)
    _move_to(assignment, visit, assignment.cursor + 1, now)
    return moved_to(assignment.cursor)


def _extend(assignment: Assignment, now: datetime) -> Outcome:
    """Extend the time limit of the unit by its original length, but only once. Stay at the document."""
    if not assignment.extended:
        assignment.extended = True
        assignment.lapses_at += timedelta(minutes=assignment.participation.study.lapse_minutes)
        record_in_unit(EventKind.EXTENDED, assignment=assignment, now=now)
    assignment.save(update_fields=["extended", "lapses_at"])
    return moved_to(assignment.cursor)


def _go_back(assignment: Assignment, visit: Visit | None, now: datetime) -> Outcome:
    if assignment.cursor == 0:
        return MOVED
    if assignment.state == AssignmentState.REVISING:
        return _go_to(assignment, visit, assignment.cursor - 1, now)
    assignment.back_uses = (assignment.back_uses or 0) + 1
    _move_to(assignment, visit, assignment.cursor - 1, now)
    return moved_to(assignment.cursor)


def _go_to(assignment: Assignment, visit: Visit | None, position: int, now: datetime) -> Outcome:
    """Go to the document at `position` if the worker is revising. Otherwise, stay at the current document."""
    others = set(range(assignment.participation.study.unit_size)) - {assignment.cursor}
    if assignment.state != AssignmentState.REVISING or position not in others:
        return MOVED
    assignment.revisions = (assignment.revisions or 0) + 1
    _move_to(assignment, visit, position, now)
    return moved_to(assignment.cursor)


def _questions(
    answer: Answer,
    assignment: Assignment,
    judgment: Judgment,
    visit: Visit | None,
    now: datetime,
    *,
    last: bool,
) -> dict[str, str]:
    """Return what the page asks of the worker: to slow down, or to give a better reason.

    The worker can ignore a request by pressing the button again. The page asks for a better reason only once
    in each unit, and records an event when it does so.
    """
    questions = {}
    if not answer.was_warned and (warning := _early_warning(assignment, judgment, visit, now)):
        questions["early"] = warning
    wish = _better_reason(assignment, judgment, last=last)
    if wish and not assignment.events.filter(kind=EventKind.REASON_ASKED).exists():
        questions["asked"] = wish
        record_in_unit(EventKind.REASON_ASKED, assignment=assignment, now=now)
    return questions


def _better_reason(assignment: Assignment, judgment: Judgment, *, last: bool) -> str:
    """Return a request for a better reason, or "" if the reason is good enough.

    A reason must contain letters. At the last document, the reasons of the unit must not all be the same.
    """
    if not any(character.isalpha() for character in judgment.justification):
        return gettext("Your reason has no words. Please add a few, or press the button again to go on.")
    if last and _reasons_are_equal(assignment):
        return gettext(
            "All your reasons in this set are the same. Please say more, or press the button again to go on."
        )
    return ""


def _reasons_are_equal(assignment: Assignment) -> bool:
    reasons = assignment.judgments.values_list("justification", flat=True)
    return len(reasons) > 1 and len({" ".join(reason.casefold().split()) for reason in reasons}) == 1


def _early_warning(assignment: Assignment, judgment: Judgment, visit: Visit | None, now: datetime) -> str:
    """Return a warning if the study uses warnings and the document was open too briefly, else ""."""
    study = assignment.participation.study
    if study.early_next != "warn" or not assignment.participation.judge.is_timed:
        return ""
    spent = Visit.objects.filter(judgment=judgment).aggregate(seconds=Sum("seconds"))["seconds"] or 0.0
    if visit is not None:
        spent += visit_seconds(visit.opened_at, now, most=study.visit_seconds)
    if spent >= study.seconds_per_document:
        return ""
    text = gettext(
        "Please keep each page open for at least {least} seconds (so far: {spent}). Keep reading, "
        "or press the button again to go on."
    )
    return text.format(spent=int(spent), least=f"{study.seconds_per_document:g}")


def _move_to(assignment: Assignment, visit: Visit | None, position: int, now: datetime) -> None:
    """Go to the document at `position`. From then on, forms that were loaded earlier count as old."""
    close_visit(visit, assignment=assignment, now=now)
    assignment.cursor = position
    assignment.serial += 1
    assignment.save(update_fields=["cursor", "serial", "back_uses", "revisions"])


def _store(judgment: Judgment, answer: Answer, value: float | None, now: datetime) -> bool:
    """Store the answer as typed, valid or not. Return whether the page shows its passage, if it has one."""
    if 0 < answer.visible_seconds < inf:
        seconds = (judgment.visible_seconds or 0) + answer.visible_seconds
        judgment.visible_seconds = min(seconds, MOST_VISIBLE_SECONDS)
    if judgment.assignment.participation.study.evidence == "input":
        judgment.pasted = pasted_share(
            answer.justification,
            answer.evidence,
            earlier=judgment.justification,
            earlier_share=judgment.pasted,
        )
    if not _same_content(judgment, answer):
        if (judgment.raw_input, judgment.justification) != (answer.raw_input, answer.justification):
            judgment.revisions = (judgment.revisions or 0) + judgment.is_complete
        judgment.raw_input = answer.raw_input
        judgment.number = value
        judgment.justification = answer.justification
        judgment.saved_at = now
    is_shown = judgment.highlight == answer.highlight or _store_passage(judgment, answer.highlight)
    judgment.save(
        update_fields=[
            "visible_seconds",
            "revisions",
            "pasted",
            "raw_input",
            "number",
            "justification",
            "highlight",
            "highlight_start",
            "highlight_end",
            "saved_at",
        ]
    )
    return is_shown


def _store_passage(judgment: Judgment, passage: str) -> bool:
    """Set a new passage as typed, and its place in the shown text. Return whether the page shows it."""
    judgment.highlight = passage
    judgment.highlight_start = judgment.highlight_end = None
    if not passage.strip():
        return True
    place, is_shown = passage_in(judgment, judgment.assignment.participation.study, passage)
    if place is not None:
        judgment.highlight_start, judgment.highlight_end = place
    return is_shown


def _same_content(judgment: Judgment, answer: Answer) -> bool:
    stored = (judgment.raw_input, judgment.justification, judgment.highlight)
    return stored == (answer.raw_input, answer.justification, answer.highlight)


def _faults(answer: Answer, number: Typed, judging: Judging) -> dict[str, str]:
    faults = {}
    if message := number.message:
        faults["magnitude"] = translated(message)
    if not answer.justification.strip():
        faults["justification"] = gettext(judging.asked.no_reason)
    elif len(answer.justification) > LONGEST_REASON:
        faults["justification"] = str(TOO_LONG_JUSTIFICATION)
    if len(answer.highlight) > LONGEST_PASSAGE:
        faults["highlight"] = str(TOO_LONG_PASSAGE)
    return faults
