"""One sitting of a machine judge: it goes through the steps of a study by the services that workers use."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from random import Random
from typing import Final

from django.utils.translation import gettext as _

from judging.core.words import translated
from judging.machine.calling import Caller
from judging.machine.questions import Given, Question, Questions
from judging.machine.reading import Reading, read_option, read_place, read_typed
from judging.models import Assignment, Judgment, Participation, PoolDocument
from judging.models.machine import Outcome
from judging.models.participation import Gate
from judging.protocol.scales.scale import Typed
from judging.protocol.states import AssignmentState, ParticipationState
from judging.worker.services.comprehension import answer_question
from judging.worker.services.leaving import drop_lapsed_answers, resume_lapsed_unit, return_unit
from judging.worker.services.outcome import Kind
from judging.worker.services.practice import answer_line, start_practice
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.submitting import Answer, submit_answer
from judging.worker.services.visits import open_document

MOST_PRACTICE: Final = 10
"""How often a judge practises in a study that does not limit the attempts."""

_REMOVED: Final = (ParticipationState.BLOCKED, ParticipationState.WITHDRAWN)


class End(StrEnum):
    """How a sitting ended."""

    NO_UNIT = "no unit"
    SCREENED_OUT = "screened out"
    STOPPED = "stopped"
    """The record of the judge looks like guessing, or the judge gave no answer for a line of the practice."""
    REMOVED = "removed"
    """Somebody has blocked the judge, or has withdrawn it."""


class Walk:
    """Walks one participation through a study. It can begin at any step, so it also goes on after a crash."""

    def __init__(
        self,
        participation: Participation,
        questions: Questions,
        caller: Caller,
        *,
        clock: Callable[[], datetime],
        rng: Random,
    ) -> None:
        self.participation = participation
        self.study = participation.study
        self.questions = questions
        self.judging = questions.judging
        self._caller = caller
        self._clock = clock
        self._rng = rng

    def sit(self) -> End:
        """Practise, and judge units until there is none left. Raise StoppedError as `Caller.ask` does."""
        if self._state() in _REMOVED:
            return End.REMOVED
        start_practice(participation=self.participation, now=self._clock(), rng=self._rng)
        if not self._practise():
            return End.STOPPED
        self._resume_lapsed()
        while self._state() == ParticipationState.READY:
            assignment = reserve_unit(
                participation=self.participation, now=self._clock(), rng=self._rng, own=True
            )
            if assignment is None:
                break
            self._work(assignment.number)
        if (state := self._state()) in _REMOVED:
            return End.REMOVED
        if state == ParticipationState.SCREENED_OUT:
            return End.SCREENED_OUT
        self.participation.refresh_from_db(fields=["gate"])
        return End.STOPPED if self.participation.gate == Gate.CLOSED else End.NO_UNIT

    # --- practice ------------------------------------------------------------------------------------------

    def _practise(self) -> bool:
        """Answer for lines until the practice is over. Return whether every line got an answer."""
        while self._state() == ParticipationState.PRACTISING:
            attempt = self.participation.practice_attempts.get(passed__isnull=True)
            if attempt.number > MOST_PRACTICE:
                return False
            line = len(attempt.magnitudes)
            given = [Given(place, f"{number:g}") for place, number in enumerate(attempt.magnitudes, start=1)]
            question = self.questions.practice(attempt.lengths, line, given, attempt.number)
            reading = self._caller.ask(question, self._read_practice)
            if reading is None:
                return False
            outcome = answer_line(
                participation=self.participation,
                attempt_number=attempt.number,
                line=line,
                text=reading.typed,
                now=self._clock(),
                rng=self._rng,
            )
            if outcome.kind != Kind.MOVED:
                return False
        return True

    def _read_practice(self, answer: str) -> Reading:
        practice = self.judging.practice
        if practice and practice.options:
            return read_option(practice.options(self.study))(answer)
        return read_typed(lambda text: self.judging.parse_practice(text, self.study))(answer)

    # --- units ---------------------------------------------------------------------------------------------

    def _resume_lapsed(self) -> None:
        """Go on with a unit that lapsed while the judge was stopped, or drop its answers."""
        last = self.participation.assignments.order_by("-number").first()
        if last is None or last.state != AssignmentState.LAPSED:
            return
        if not resume_lapsed_unit(participation=self.participation, number=last.number, now=self._clock()):
            drop_lapsed_answers(participation=self.participation, number=last.number)

    def _work(self, number: int) -> None:
        """Work on a unit until it is done, or given back after one revision."""
        assignment = self._assignment(number)
        if assignment.state == AssignmentState.QUESTION:
            self._answer_question(assignment)
        while (assignment := self._assignment(number)).state == AssignmentState.JUDGING:
            if not self._judge(assignment):
                break
        while (assignment := self._assignment(number)).state == AssignmentState.REVISING:
            # One revision: its answers go from the last document to the first, which finishes the unit.
            if assignment.failed_finishes != 1 or not self._judge(assignment):
                break
        # Give the unit back, or drop its answers if it has lapsed in the meantime.
        return_unit(participation=self.participation, now=self._clock(), number=number)

    def _answer_question(self, assignment: Assignment) -> None:
        asked = assignment.topic.question
        options = [asked.options[option] for option in assignment.option_order]
        question = self.questions.comprehension(assignment.topic, asked.text, options)
        reading = self._caller.ask(question, read_place(options))
        if reading is None:
            return_unit(participation=self.participation, now=self._clock(), number=assignment.number)
            return
        answer_question(
            participation=self.participation,
            number=assignment.number,
            place=int(reading.typed),
            now=self._clock(),
            rng=self._rng,
        )

    def _judge(self, assignment: Assignment) -> bool:
        """Judge the document at the cursor. Return False if the judge gives no answer that can be used."""
        judgments = list(
            assignment.judgments.order_by("position").select_related(
                "pool_document__document", "compared_with__document"
            )
        )
        judgment = next(entry for entry in judgments if entry.position == assignment.cursor)
        open_document(assignment=assignment, judgment=judgment, now=self._clock())
        reading = self._ask_about(assignment, judgment, judgments)
        return reading is not None and self._submit(assignment, reading)

    def _ask_about(
        self, assignment: Assignment, judgment: Judgment, judgments: list[Judgment]
    ) -> Reading | None:
        is_revising = assignment.state == AssignmentState.REVISING
        given = [
            Given((entry.position or 0) + 1, self._as_answered(entry), entry.justification)
            for entry in judgments
            if entry.is_complete and (is_revising or (entry.position or 0) < assignment.cursor)
        ]
        first, second = judgment.pool_document, judgment.compared_with

        def question(shown_first: PoolDocument, shown_second: PoolDocument | None) -> Question:
            return self.questions.document(
                assignment.topic,
                shown_first,
                shown_second,
                assignment.cursor + 1,
                given,
                attempt=(assignment.failed_finishes or 0) + 1,
            )

        reading = self._caller.ask(question(first, second), self._read_document, needs_reason=True)
        if second is None or reading is None:
            return reading
        swapped = self._caller.ask(question(second, first), self._read_document, needs_reason=True)
        return None if swapped is None else self._both_ways(reading, swapped)

    def _both_ways(self, reading: Reading, swapped: Reading) -> Reading:
        """Return what the answers in both orders say together. If they differ, it is a tie."""
        assert reading.number is not None
        assert swapped.number is not None
        if reading.number == 1 - swapped.number:
            return reading
        reason = _(
            "The two orders gave different answers. First order: {first} Second order: {second}"
        ).format(first=reading.reason, second=swapped.reason)
        tie = self.judging.write(0.5, self._rng, comma=False)
        return Reading(Outcome.ANSWERED, typed=tie, number=0.5, reason=reason)

    def _read_document(self, answer: str) -> Reading:
        if self.judging.options:
            return read_option(self.judging.options(self.study))(answer)

        def parse(text: str) -> Typed:
            return self.judging.parse(text, self.study)

        return read_typed(parse)(answer)

    def _as_answered(self, judgment: Judgment) -> str:
        """Return an earlier answer in words that the model knows."""
        for option in self.judging.options(self.study) if self.judging.options else ():
            if option.value == judgment.raw_input:
                return option.words if isinstance(option.words, str) else translated(option.words)
        return judgment.raw_input

    def _submit(self, assignment: Assignment, reading: Reading) -> bool:
        """Send the form below a document, twice if the page asks for a better reason.

        Return whether the judge moved on.
        """
        is_revising = assignment.state == AssignmentState.REVISING
        action = "next"
        if is_revising:
            action = "back" if assignment.cursor else "finish"
        answer = Answer(
            number=assignment.number,
            serial=assignment.serial,
            position=assignment.cursor,
            raw_input=reading.typed,
            justification=reading.reason,
        )
        for _attempt in range(2):
            outcome = submit_answer(
                participation=self.participation,
                answer=answer,
                action=action,
                now=self._clock(),
                rng=self._rng,
            )
            if outcome.kind != Kind.INVALID:
                return outcome.kind == Kind.MOVED
        return False

    def _state(self) -> ParticipationState:
        self.participation.refresh_from_db(fields=["state"])
        return ParticipationState(self.participation.state)

    def _assignment(self, number: int) -> Assignment:
        """Return the current row of an assignment."""
        assignment = self.participation.assignments.select_related("topic__question").get(number=number)
        assignment.participation = self.participation
        return assignment
