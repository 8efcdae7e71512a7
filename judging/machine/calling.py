"""Ask a model within the limits of a judge, and store every answer before it is used."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext as _

from judging.core.selectors.machine import used_by
from judging.machine.client import Message, ModelClient, NoReplyError, Reply
from judging.machine.fencing import with_nonce
from judging.machine.judge_file import JudgeFile
from judging.machine.questions import Question, Questions
from judging.machine.reading import Read, Reading, read_reply
from judging.models import MachineCall, MachineJudge
from judging.models.machine import Outcome, Purpose

PER_MESSAGE: Final = 16
"""The tokens that a server may add around a message."""
_MILLION: Final = 1_000_000


class StoppedError(Exception):
    """The judge stops here, and can be resumed. The message says why."""


@dataclass(frozen=True)
class Cost:
    """The most that a call can use."""

    tokens: int
    money: Decimal


def most_tokens_in(messages: Sequence[Message]) -> int:
    """Return the most tokens that messages can have. A token has at least one byte."""
    return sum(len(message["content"].encode()) + PER_MESSAGE for message in messages)


def price(judge: MachineJudge | JudgeFile, input_tokens: int, output_tokens: int) -> Decimal:
    """Return what tokens cost, rounded to the eight decimal places that are stored."""
    exact = (input_tokens * judge.input_price + output_tokens * judge.output_price) / _MILLION
    return exact.quantize(Decimal("0.00000001"))


def key_of(judge: MachineJudge, messages: Sequence[Message]) -> str:
    """Return the SHA-256 of everything on which an answer depends."""
    settings = [judge.model, judge.prompt_sha256, judge.temperature, judge.seed]
    return sha256(json.dumps([*settings, list(messages)]).encode()).hexdigest()


class Caller:
    """Asks the model of one sitting. `retries` is how often it asks again after an answer without use."""

    def __init__(
        self,
        judge: MachineJudge,
        questions: Questions,
        client: ModelClient,
        *,
        retries: int,
        clock: Callable[[], datetime],
        told: Callable[[MachineCall], object] = lambda call: None,
    ) -> None:
        self.judge = judge
        self._questions = questions
        self._client = client
        self._retries = retries
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
        stored = MachineCall.objects.filter(judge=self.judge, key=key).first()
        if stored and stored.outcome != Outcome.FAILED:
            return stored
        sent: list[Message] = [
            {"role": message["role"], "content": with_nonce(message["content"], key)} for message in messages
        ]
        self._check_limits(sent, 0)
        began = time.monotonic()
        try:
            reply = self._client.ask(
                sent,
                model=self.judge.model,
                temperature=self.judge.temperature,
                seed=self.judge.seed,
                most_tokens=self.judge.answer_tokens,
                before=lambda unanswered: self._check_limits(sent, unanswered),
            )
        except NoReplyError as error:
            spent = time.monotonic() - began
            call = self._store(key, question, asked_again, spent, failed=error, sent=sent, stored=stored)
            if call.outcome == Outcome.REFUSED:
                return call
            text = _("{fault} To go on, run the command again with --resume.").format(fault=error)
            raise StoppedError(text) from None
        reading = read_reply(reply, read, needs_reason=needs_reason)
        spent = time.monotonic() - began
        return self._store(
            key, question, asked_again, spent, reply=reply, reading=reading, sent=sent, stored=stored
        )

    def _check_limits(self, sent: Sequence[Message], unanswered: int) -> None:
        """Raise StoppedError if a request could exceed a limit of the judge.

        `unanswered` requests came before it that the server may have worked on.
        """
        limits, used = self.judge.root, used_by(self.judge)
        most, answer = ((1 + unanswered) * tokens for tokens in (most_tokens_in(sent), limits.answer_tokens))
        cost = Cost(most + answer, price(limits, most, answer))
        goes_on = _("Raise the limit in the judge file, and run the command again with --resume.")
        if limits.most_tokens is not None and used.tokens + cost.tokens > limits.most_tokens:
            text = _(
                "The judge has used {used} of {most} tokens, and the next call can need {next}. {goes_on}"
            ).format(used=used.tokens, most=limits.most_tokens, next=cost.tokens, goes_on=goes_on)
            raise StoppedError(text)
        if limits.most_money is not None and used.money + cost.money > limits.most_money:
            text = _(
                "The judge has spent {used} of {most}, and the next call can cost {next}. {goes_on}"
            ).format(
                used=plain(used.money), most=plain(limits.most_money), next=plain(cost.money), goes_on=goes_on
            )
            raise StoppedError(text)
        if limits.most_seconds is not None and used.seconds >= limits.most_seconds:
            text = _("The judge has used {used} of {most} seconds. {goes_on}").format(
                used=round(used.seconds), most=limits.most_seconds, goes_on=goes_on
            )
            raise StoppedError(text)

    def _store(
        self,
        key: str,
        question: Question,
        asked_again: int,
        seconds: float,
        *,
        stored: MachineCall | None,
        reply: Reply | None = None,
        reading: Reading | None = None,
        sent: Sequence[Message] = (),
        failed: NoReplyError | None = None,
    ) -> MachineCall:
        """Store a call for good, and tell of it. If the same call failed before, time and tokens add up.

        A request whose answer did not arrive counts with the most tokens that it can have used. A document or
        a topic that the server does not accept is refused. What else has no answer has failed.
        """
        call = stored or MachineCall(judge=self.judge, key=key)
        call.purpose, call.attempt, call.asked_again = question.purpose, question.attempt, asked_again
        call.topic, call.document, call.other = question.topic, question.document, question.other
        call.seconds += max(0.0, seconds)
        call.at = self._clock()
        longest = most_tokens_in(sent)
        unanswered = failed.unanswered if failed else reply.unanswered if reply else 0
        call.input_tokens += unanswered * longest
        call.output_tokens += unanswered * self.judge.answer_tokens
        if failed:
            is_refused = failed.is_rejected and question.purpose != Purpose.PRACTICE
            call.outcome, call.fault = Outcome.REFUSED if is_refused else Outcome.FAILED, str(failed)
        elif reply is not None and reading is not None:
            call.answer, call.number = reply.text, reading.number
            call.outcome, call.fault = reading.outcome, reading.fault
            call.input_tokens += longest if reply.input_tokens is None else reply.input_tokens
            written = len(reply.text.encode()) if reply.output_tokens is None else reply.output_tokens
            call.output_tokens += written
        call.money = price(self.judge.root, call.input_tokens, call.output_tokens)
        call.save()
        self._told(call)  # after the transaction, so that nothing can undo it
        return call


def plain(amount: Decimal) -> str:
    """Return an amount of money without zeros at its end."""
    return f"{amount.normalize():f}"
