"""A simulated worker's way through the services, as a generator.

A way yields the seconds until its next act, and is sent the time when these have passed. So a worker reads
like one story, while the simulation lets hundreds of them overlap.
"""

from collections.abc import Generator
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import TypeVar

from judging.core.services.errors import RefusedError
from judging.crowd.kinds import Reaction
from judging.crowd.mind import Mind, Opinion, Plan
from judging.crowd.world import World
from judging.models import Assignment, Participation, Study
from judging.protocol.states import AssignmentState, ParticipationState
from judging.worker.services.arrival import give_consent
from judging.worker.services.comprehension import answer_question
from judging.worker.services.leaving import drop_lapsed_answers, resume_lapsed_unit, return_unit
from judging.worker.services.outcome import Kind as OutcomeKind
from judging.worker.services.practice import answer_line, start_practice
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.submitting import Answer, submit_answer
from judging.worker.services.visits import JUDGING, open_document

INFORMATION_WORDS = 300
INSTRUCTION_WORDS = 200
PAUSE = 1.0
"""Seconds until a form that came too soon is sent again."""

Result = TypeVar("Result")
Steps = Generator[float, datetime, Result]


class WorkerGoneError(Exception):
    """The worker closed the page and never comes back."""


class Way:
    """One worker in one study. `rng` gives all that the seed alone decides, `names` the completion codes."""

    participation: Participation

    def __init__(self, study: Study, world: World, mind: Mind, *, rng: Random, names: Random) -> None:
        self.study = study
        self.world = world
        self.mind = mind
        self.rng = rng
        self.names = names

    def life(self, arrives_after: float) -> Steps[None]:
        """From the first page, reached after so many seconds, to the last."""
        yield arrives_after
        now = yield self.mind.reading(INFORMATION_WORDS)
        try:
            self.participation = give_consent(
                study=self.study, now=now, rng=self.rng, simulated_kind=self.mind.kind.name
            )
            if (yield from self._practise()):
                yield from self._work()
        except (RefusedError, WorkerGoneError):
            return  # Refused: the study was paused, or its dates ended, while the crowd was coming.

    def _practise(self) -> Steps[bool]:
        now = yield self.mind.reading(INSTRUCTION_WORDS)
        start_practice(participation=self.participation, now=now, rng=self.rng)
        while self._state() == ParticipationState.PRACTISING:
            attempt = self.participation.practice_attempts.get(passed__isnull=True)
            for line, length in enumerate(attempt.lengths):
                yield from self._line(attempt.number, line, length)
        return self._state() == ParticipationState.READY

    def _line(self, attempt: int, line: int, length: float) -> Steps[None]:
        """Give a line its number. One that comes too soon is sent again after a pause."""
        pause = self.mind.reading(10)
        text = self.mind.line(length)
        while True:
            now = yield pause
            outcome = answer_line(
                participation=self.participation,
                attempt_number=attempt,
                line=line,
                text=text,
                now=now,
                rng=self.rng,
            )
            if outcome.kind != OutcomeKind.INVALID:
                return
            pause = PAUSE

    def _work(self) -> Steps[None]:
        looked_in_again = False
        while self._state() == ParticipationState.READY:
            now = yield self.mind.reading(INSTRUCTION_WORDS)
            assignment = reserve_unit(participation=self.participation, now=now, rng=self.rng)
            if assignment is not None:
                yield from UnitWay(self, assignment, now).work()
                if not self.mind.wants_another():
                    return
                continue
            absence = self.mind.looks_in_again()
            if looked_in_again or absence is None:
                return
            looked_in_again = True
            yield absence

    def _state(self) -> ParticipationState:
        self.participation.refresh_from_db(fields=["state"])
        return ParticipationState(self.participation.state)


class UnitWay:
    """One unit that is reserved: the question, the documents one at a time, and revising them.

    Raises WorkerGoneError where the worker leaves for good.
    """

    def __init__(self, way: Way, assignment: Assignment, now: datetime) -> None:
        self.way = way
        self.mind = way.mind
        self.assignment = assignment
        self.topic = way.world.topic(assignment.topic_id)
        self.now = now
        self.opinions: dict[int, Opinion] = {}

    def work(self) -> Steps[None]:
        yield from self._answer_question()
        if self._judging():
            self.judgments = list(self.assignment.judgments.order_by("position"))
            yield from self._judge(self.mind.plan(len(self.judgments)))
        while self._judging():
            yield from self._after_failure()
        if self.assignment.state == AssignmentState.LAPSED:
            drop_lapsed_answers(participation=self.way.participation, number=self.assignment.number)

    def _answer_question(self) -> Steps[None]:
        self.now = yield self.mind.reading(len(self.topic.text.text.split()))
        shown = [self.topic.options[option] for option in self.assignment.option_order]
        place = self.mind.option(shown, self.topic.right_option)
        while self._choose(place) == OutcomeKind.INVALID:  # too soon
            self.now = yield PAUSE

    def _choose(self, place: int) -> OutcomeKind:
        return answer_question(
            participation=self.way.participation,
            number=self.assignment.number,
            place=place,
            now=self.now,
            rng=self.way.rng,
        ).kind

    def _judge(self, plan: Plan) -> Steps[None]:
        """From document to document until the first finish, or until the unit is no longer the worker's."""
        while self._judging() and self.assignment.state == AssignmentState.JUDGING:
            position = self.assignment.cursor
            if position == plan.breaks_off_at:
                yield from self._break_off(plan.absence)
                plan = replace(plan, breaks_off_at=None)
            elif position == plan.gives_back_at:
                yield from self._give_back()
            elif position == plan.back_at:
                yield from self._press_back(position)
                plan = replace(plan, back_at=None)
            else:
                yield from self._send(position, self._opinion(position), "next")

    def _after_failure(self) -> Steps[None]:
        reaction = self.mind.react()
        if reaction == Reaction.LEAVE:
            raise WorkerGoneError
        if reaction == Reaction.GIVE_BACK:
            yield from self._give_back()
        else:
            yield from self._revise(inverting=reaction == Reaction.INVERT)

    def _revise(self, *, inverting: bool) -> Steps[None]:
        """Walk back from the last document to the first with new numbers, and finish there."""
        positions = range(len(self.judgments))
        turned = self.mind.inverted([self.opinions[position] for position in positions]) if inverting else []
        for position in reversed(positions):
            opinion = turned[position] if inverting else self._opinion(position)
            yield from self._send(position, opinion, "back" if position else "finish")
            if not self._judging():
                return

    def _opinion(self, position: int) -> Opinion:
        document = self.topic.documents[self.judgments[position].pool_document_id]
        return self.mind.opinion(self.topic.text, document, again=position in self.opinions)

    def _send(self, position: int, opinion: Opinion, action: str) -> Steps[None]:
        """Open the document, take the opinion's seconds, and send the form; a slip is refused and mended."""
        self.opinions[position] = opinion
        judgment = self.judgments[position]
        open_document(assignment=self.assignment, judgment=judgment, now=self.now)
        self.now = yield opinion.seconds
        if opinion.slip and self._submit(position, opinion, opinion.slip, action) == OutcomeKind.INVALID:
            self.now = yield self.mind.reading(15)
        self._submit(position, opinion, opinion.typed, action)

    def _submit(self, position: int, opinion: Opinion, typed: str, action: str) -> OutcomeKind:
        answer = Answer(
            number=self.assignment.number,
            serial=self.assignment.serial,
            position=position,
            magnitude=typed,
            justification=opinion.justification,
            visible_seconds=opinion.visible_seconds,
        )
        return submit_answer(
            participation=self.way.participation,
            answer=answer,
            action=action,
            now=self.now,
            rng=self.way.names,
        ).kind

    def _press_back(self, position: int) -> Steps[None]:
        """Leave the present document untouched, to correct the one before."""
        open_document(assignment=self.assignment, judgment=self.judgments[position], now=self.now)
        self.now = yield self.mind.reading(5)
        self._submit(position, Opinion(0.0, "", "", 0.0), "", "back")

    def _give_back(self) -> Steps[None]:
        self.now = yield self.mind.reading(5)
        return_unit(participation=self.way.participation, now=self.now, number=self.assignment.number)

    def _break_off(self, absence: float | None) -> Steps[None]:
        """Close the page in the middle; come back later to a unit that may have lapsed, or be taken."""
        if absence is None:
            raise WorkerGoneError
        self.now = yield absence
        resume_lapsed_unit(participation=self.way.participation, number=self.assignment.number, now=self.now)

    def _judging(self) -> bool:
        """Look at the assignment as it is now: whether its documents are the worker's to judge."""
        self.assignment = Assignment.objects.get(pk=self.assignment.pk)
        return self.assignment.state in JUDGING
