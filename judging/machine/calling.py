"""Ask a model within the limits of a judge, and store every answer before it is used."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256

from django.utils.translation import gettext as _

from judging.machine.client import Message, ModelClient, NoReplyError, Reply
from judging.machine.fencing import with_nonce
from judging.machine.questions import Question, Questions
from judging.machine.reading import Read, Reading, read_reply
from judging.machine.spending import Spending, StoppedError
from judging.models import MachineCall, MachineJudge
from judging.models.machine import Outcome, Purpose


def key_of(judge: MachineJudge, messages: Sequence[Message]) -> str:
    """Return the SHA-256 of everything on which an answer depends."""
    settings = [judge.model, judge.prompt_sha256, judge.temperature, judge.seed]
    return sha256(json.dumps([*settings, list(messages)]).encode()).hexdigest()


class Caller:
    """Asks the model of one sitting.

    `retries` is how often it asks again after an answer without use. `is_priced` says that the judge file has
    prices, without which no judge works in a study with a budget.
    """

    def __init__(
        self,
        judge: MachineJudge,
        questions: Questions,
        client: ModelClient,
        *,
        retries: int,
        is_priced: bool,
        clock: Callable[[], datetime],
        told: Callable[[MachineCall], object] = lambda call: None,
    ) -> None:
        self.judge = judge
        self._questions = questions
        self._client = client
        self._retries = retries
        self._is_priced = is_priced
        self._clock = clock
        self._told = told

    def ask(self, question: Question, read: Read, *, needs_reason: bool = False) -> Reading | None:
        """Return the answer to a question, or None if the judge gives none that can be used.

        After an answer that cannot be used, tell the model what is wrong and ask again. Raise StoppedError at
        a limit, or if the model cannot be reached.
        """
        messages = list(question.messages)
        for asked_again in range(1 + self._retries):
            call = self._call(messages, question, read, asked_again, needs_reason=needs_reason)
            if call.outcome == Outcome.REFUSED and not call.answer:
                return None  # the server does not accept the question, so a longer one is no better
            if call.outcome == Outcome.ANSWERED:
                return read_reply(Reply(call.answer), read, needs_reason=needs_reason)
            messages += [
                {"role": "assistant", "content": call.answer or "…"},
                {"role": "user", "content": self._questions.again(call.fault)},
            ]
        return None

    def _call(
        self,
        messages: Sequence[Message],
        question: Question,
        read: Read,
        asked_again: int,
        *,
        needs_reason: bool,
    ) -> MachineCall:
        """Return the stored call with these messages, or ask the model and store its answer."""
        key = key_of(self.judge, messages)
        call = MachineCall.objects.filter(judge=self.judge, key=key).first()
        if call is None:
            call = MachineCall(judge=self.judge, key=key)
        elif call.outcome != Outcome.FAILED:
            return call
        call.purpose, call.attempt, call.asked_again = question.purpose, question.attempt, asked_again
        call.topic, call.document, call.other = question.topic, question.document, question.other
        sent: list[Message] = [
            {"role": message["role"], "content": with_nonce(message["content"], key)} for message in messages
        ]
        cost = Spending(call, sent, clock=self._clock, is_priced=self._is_priced)
        try:
            reply = self._client.ask(
                sent,
                model=self.judge.model,
                temperature=self.judge.temperature,
                seed=self.judge.seed,
                most_tokens=self.judge.answer_tokens,
                before=cost.reserve,
            )
        except NoReplyError as error:
            self._store_fault(cost, error)
        else:
            self._store_answer(cost, reply, read_reply(reply, read, needs_reason=needs_reason))
        self._told(call)  # after the transaction, so that nothing can undo it
        if call.outcome == Outcome.FAILED:
            text = _("{fault} To go on, run the command again with --resume.").format(fault=call.fault)
            raise StoppedError(text)
        return call

    def _store_answer(self, cost: Spending, reply: Reply, reading: Reading) -> None:
        call = cost.call
        call.answer, call.number = reply.text, reading.number
        call.outcome, call.fault = reading.outcome, reading.fault
        cost.settle(reply.unanswered, reply=reply)

    def _store_fault(self, cost: Spending, error: NoReplyError) -> None:
        """Store why there is no answer.

        A document or a topic that the server does not accept is refused. What else has no answer has failed.
        """
        is_refused = error.is_rejected and cost.call.purpose != Purpose.PRACTICE
        cost.call.outcome = Outcome.REFUSED if is_refused else Outcome.FAILED
        cost.call.fault = str(error)
        cost.settle(error.unanswered)
