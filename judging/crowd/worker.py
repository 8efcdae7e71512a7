"""Simulated workers, written as generators that call the services.

A worker yields the seconds until the next action, and then receives the current time. So the code can
describe one worker from start to end, although the simulation runs hundreds of workers at once.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import TypeVar

from judging.core.services.errors import RefusedError
from judging.crowd.mind import Mind, Opinion, Plan, Reaction
from judging.crowd.pairs import Seen, seconds_of_page
from judging.crowd.world import World
from judging.models import Assignment, Participation, Study
from judging.protocol.judges import SIMULATED
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
"""The seconds that a worker waits before sending a form again if it was sent too early."""

Result = TypeVar("Result")
Steps = Generator[float, datetime, Result]


class WorkerGoneError(Exception):
    """The worker has closed the page and will not come back."""


class SimulatedWorker:
    """A worker in a study, or in the arm that the worker gets.

    `names` generates random completion codes, and `rng` all other random values.
    """

    participation: Participation

    def __init__(self, study: Study, world: World, mind: Mind, *, rng: Random, names: Random) -> None:
        self.study = study
        self.world = world
        self.mind = mind
        self.rng = rng
        self.names = names

    def life(self, arrives_after: float) -> Steps[None]:
        """Wait `arrives_after` seconds, open the first page, and go through the study to the last page."""
        yield arrives_after
        now = yield self.mind.reading_seconds(INFORMATION_WORDS)
        try:
            self.participation = give_consent(
                study=self.study, now=now, rng=self.rng, kind=SIMULATED, behaviour=self.mind.kind.name
            )
            own = self.participation.study
            self.mind.follow(least_seconds=own.seconds_per_document, study=own)
            if (yield from self._practise()):
                yield from self._work()
        except (RefusedError, WorkerGoneError):
            return  # RefusedError means that the study was paused or its dates ended during the simulation.

    def _practise(self) -> Steps[bool]:
        now = yield self.mind.reading_seconds(INSTRUCTION_WORDS)
        start_practice(participation=self.participation, now=now, rng=self.rng)
        while self._state() == ParticipationState.PRACTISING:
            attempt = self.participation.practice_attempts.get(passed__isnull=True)
            for line, length in enumerate(attempt.lengths):
                yield from self._line(attempt.number, line, self.mind.line(length, attempt.lengths))
        return self._state() == ParticipationState.READY

    def _line(self, attempt: int, line: int, text: str) -> Steps[None]:
        """Enter an answer for a line of the practice. If it comes too early, send it again after a pause."""
        pause = self.mind.reading_seconds(10)
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
            now = yield self.mind.reading_seconds(INSTRUCTION_WORDS)
            assignment = reserve_unit(participation=self.participation, now=now, rng=self.rng)
            if assignment is not None:
                yield from UnitWork(self, assignment, now).work()
                if not self.mind.wants_another():
                    return
                continue
            absence = self.mind.draw_absence()
            if looked_in_again or absence is None:
                return
            looked_in_again = True
            yield absence

    def _state(self) -> ParticipationState:
        self.participation.refresh_from_db(fields=["state"])
        return ParticipationState(self.participation.state)


class UnitWork:
    """The work on a reserved unit: answer the question, judge the documents, and revise the judgments.

    `work` raises WorkerGoneError if the worker leaves for good.
    """

    def __init__(self, worker: SimulatedWorker, assignment: Assignment, now: datetime) -> None:
        self.worker = worker
        self.mind = worker.mind
        self.assignment = assignment
        self.topic = worker.world.topic(assignment.topic_id)
        self.now = now
        self.opinions: dict[int, Opinion] = {}
        self.seen: dict[int, Seen] = {}
        """How relevant the documents of pairs seem to the worker, by their keys."""

    def work(self) -> Steps[None]:
        yield from self._answer_question()
        if self._judging():
            self.judgments = list(self.assignment.judgments.order_by("position"))
            yield from self._judge(self.mind.plan(len(self.judgments)))
        while self._judging():
            yield from self._after_failure()
        if self.assignment.state == AssignmentState.LAPSED:
            drop_lapsed_answers(participation=self.worker.participation, number=self.assignment.number)

    def _answer_question(self) -> Steps[None]:
        self.now = yield self.mind.reading_seconds(len(self.topic.text.text.split()))
        options = [self.topic.options[option] for option in self.assignment.option_order]
        place = self.mind.option(options, self.topic.right_option)
        while self._choose(place) == OutcomeKind.INVALID:  # sent too soon
            self.now = yield PAUSE

    def _choose(self, place: int) -> OutcomeKind:
        return answer_question(
            participation=self.worker.participation,
            number=self.assignment.number,
            place=place,
            now=self.now,
            rng=self.worker.rng,
        ).kind

    def _judge(self, plan: Plan) -> Steps[None]:
        """Judge the documents until the first attempt to finish, or until the worker loses the unit."""
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
        """Go back from the last document to the first, enter new numbers, and finish.

        Give the unit back if nothing has changed, as then no attempt counts and no other will.
        """
        positions = range(len(self.judgments))
        if not inverting:
            self.seen = {}
        inverted = (
            self.mind.inverted([self.opinions[position] for position in positions]) if inverting else []
        )
        for position in reversed(positions):
            opinion = inverted[position] if inverting else self._opinion(position)
            kind = yield from self._send(position, opinion, "back" if position else "finish")
            if not self._judging():
                return
        if kind == OutcomeKind.UNCHANGED:
            yield from self._give_back()

    def _opinion(self, position: int) -> Opinion:
        judgment = self.judgments[position]
        document = self.topic.documents[judgment.pool_document_id]
        progress = position / max(len(self.judgments) - 1, 1)
        if judgment.compared_with_id is not None:
            return self._choice([judgment.pool_document_id, judgment.compared_with_id], progress)
        return self.mind.opinion(self.topic.text, document, progress, again=position in self.opinions)

    def _choice(self, keys: Sequence[int], progress: float) -> Opinion:
        """Read the documents of a pair that are new since the last attempt, and choose one of them."""
        pair, is_new = [self.topic.documents[key] for key in keys], [key not in self.seen for key in keys]
        for key, document in zip(keys, pair, strict=True):
            if key not in self.seen:
                self.seen[key] = self.mind.see(document, progress)
        seen = [self.seen[key] for key in keys]
        return self.mind.choice(self.topic.text, pair, seen, seconds_of_page(seen, is_new))

    def _send(self, position: int, opinion: Opinion, action: str) -> Steps[OutcomeKind]:
        """Open the document, wait, and send the form. After a slip, send it again with the right number.

        Return the outcome of the last form.
        """
        self.opinions[position] = opinion
        judgment = self.judgments[position]
        open_document(assignment=self.assignment, judgment=judgment, now=self.now)
        self.now = yield opinion.seconds
        if opinion.slip and self._submit(position, opinion, opinion.slip, action) == OutcomeKind.INVALID:
            self.now = yield self.mind.reading_seconds(15)
        return self._submit(position, opinion, opinion.typed, action)

    def _submit(self, position: int, opinion: Opinion, typed: str, action: str) -> OutcomeKind:
        answer = Answer(
            number=self.assignment.number,
            serial=self.assignment.serial,
            position=position,
            raw_input=typed,
            justification=opinion.justification,
            visible_seconds=opinion.visible_seconds,
        )
        return submit_answer(
            participation=self.worker.participation,
            answer=answer,
            action=action,
            now=self.now,
            rng=self.worker.names,
        ).kind

    def _press_back(self, position: int) -> Steps[None]:
        """Leave the current document without an answer, and go back to the previous document."""
        open_document(assignment=self.assignment, judgment=self.judgments[position], now=self.now)
        self.now = yield self.mind.reading_seconds(5)
        self._submit(position, Opinion(0.0, "", "", 0.0), "", "back")

    def _give_back(self) -> Steps[None]:
        self.now = yield self.mind.reading_seconds(5)
        return_unit(participation=self.worker.participation, now=self.now, number=self.assignment.number)

    def _break_off(self, absence: float | None) -> Steps[None]:
        """Close the page and come back after `absence` seconds. If `absence` is None, raise WorkerGoneError.

        If the unit has lapsed when the worker comes back, try to resume it.
        """
        if absence is None:
            raise WorkerGoneError
        self.now = yield absence
        resume_lapsed_unit(
            participation=self.worker.participation, number=self.assignment.number, now=self.now
        )

    def _judging(self) -> bool:
        """Reload the assignment, and return whether the worker can still judge its documents."""
        self.assignment = Assignment.objects.get(pk=self.assignment.pk)
        return self.assignment.state in JUDGING
