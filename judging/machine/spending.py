"""Count what a judge uses, and stop it before a request could exceed its limits or the study's budget."""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.selectors.machine import spent_by_machines, used_by
from judging.core.services.locking import lock_study
from judging.machine.client import Message, Reply
from judging.machine.judge_file import JudgeFile
from judging.models import MachineCall, MachineJudge, Study
from judging.models.machine import Outcome

PER_MESSAGE: Final = 16
"""The tokens that a server may add around a message."""
_MILLION: Final = 1_000_000


class StoppedError(Exception):
    """The judge stops here, and can be resumed. The message says why."""


def most_tokens_in(messages: Sequence[Message]) -> int:
    """Return the most tokens that messages can have. A token has at least one byte."""
    return sum(len(message["content"].encode()) + PER_MESSAGE for message in messages)


def price(judge: MachineJudge | JudgeFile, input_tokens: int, output_tokens: int) -> Decimal:
    """Return what tokens cost, rounded to the eight decimal places that are stored."""
    exact = (input_tokens * judge.input_price + output_tokens * judge.output_price) / _MILLION
    return exact.quantize(Decimal("0.00000001"))


def plain(amount: Decimal) -> str:
    """Return an amount of money without zeros at its end."""
    return f"{amount.normalize():f}"


class Spending:
    """Counts the tokens, the money and the time of one call.

    Until the answer arrives, the row of the call counts the most that it can use. So a request is counted
    even if the process is killed, and judges that work at the same time see each other's requests. If the
    same call failed before, all that it used adds up.
    """

    def __init__(
        self,
        call: MachineCall,
        sent: Sequence[Message],
        *,
        clock: Callable[[], datetime],
        is_priced: bool,
    ) -> None:
        self.call = call
        self._longest = most_tokens_in(sent)
        self._clock = clock
        self._is_priced = is_priced
        self._used_before = call.input_tokens, call.output_tokens, call.seconds
        self._began = time.monotonic()

    def reserve(self, unanswered: int) -> None:
        """Store the most that the next request can use. Raise StoppedError if that exceeds a limit.

        `unanswered` requests came before it that the server may have worked on. All judges of a study wait
        here for each other, so together they cannot exceed its budget, unless a server counts more tokens
        than `most_tokens_in` and the longest answer allow. The budget is read each time, because it can
        change while judges work.
        """
        with transaction.atomic():
            study = lock_study(self.call.judge.participation.study.entrance)
            self._count(1 + unanswered)
            fault = self._fault(study)
            if fault:
                self._count(unanswered)
            else:
                self.call.outcome = Outcome.FAILED
                self.call.fault = _("The judge ended before the answer arrived.")
            if not fault or self.call.pk is not None:
                self.call.save()
        if fault:
            raise StoppedError(fault)

    def settle(self, unanswered: int, *, reply: Reply | None = None) -> None:
        """Store the call with what it has used.

        Requests whose answers did not arrive count with the most tokens that they can have used. So does an
        answer whose tokens the server did not count.
        """
        self._count(unanswered)
        if reply is not None:
            written = len(reply.text.encode())
            self.call.input_tokens += self._longest if reply.input_tokens is None else reply.input_tokens
            self.call.output_tokens += written if reply.output_tokens is None else reply.output_tokens
            self._set_money()
        self.call.save()

    def _count(self, requests: int) -> None:
        """Let the call count requests with the most that they can use, and the time until now."""
        call = self.call
        input_tokens, output_tokens, seconds = self._used_before
        call.input_tokens = input_tokens + requests * self._longest
        call.output_tokens = output_tokens + requests * call.judge.answer_tokens
        call.seconds = seconds + max(0.0, time.monotonic() - self._began)
        call.at = self._clock()
        self._set_money()

    def _set_money(self) -> None:
        self.call.money = price(self.call.judge.root, self.call.input_tokens, self.call.output_tokens)

    def _fault(self, study: Study) -> str:
        """Return which limit the call exceeds, in a sentence for the researcher, or "" if there is none."""
        call, limits = self.call, self.call.judge.root
        used = used_by(limits, besides=call)
        goes_on = _("Raise the limit in the judge file, and run the command again with --resume.")
        tokens = call.input_tokens + call.output_tokens
        if limits.most_tokens is not None and used.tokens + tokens > limits.most_tokens:
            return _(
                "The judge has used {used} of {most} tokens, and the next call can need {next}. {goes_on}"
            ).format(used=used.tokens, most=limits.most_tokens, next=tokens, goes_on=goes_on)
        if limits.most_money is not None and used.money + call.money > limits.most_money:
            return _(
                "The judge has spent {used} of {most}, and the next call can cost {next}. {goes_on}"
            ).format(
                used=plain(used.money), most=plain(limits.most_money), next=plain(call.money), goes_on=goes_on
            )
        seconds = used.seconds + call.seconds
        if limits.most_seconds is not None and seconds >= limits.most_seconds:
            return _("The judge has used {used} of {most} seconds. {goes_on}").format(
                used=round(seconds), most=limits.most_seconds, goes_on=goes_on
            )
        return self._budget_fault(study)

    def _budget_fault(self, study: Study) -> str:
        budget = study.machine_budget
        if budget is None:
            return ""
        if not self._is_priced:
            return _(
                "The study has a budget for machine judges now, but the judge file has no prices. Add them,"
                " and run the command again with --resume. 0 is a price, too."
            )
        spent = spent_by_machines(study, besides=self.call)
        if spent + self.call.money <= budget:
            return ""
        return _(
            "All machine judges of the study have spent {used} of {most} {currency}, and the next call can"
            " cost {next}. Raise machine_budget in the study, and run the command again with --resume."
        ).format(used=plain(spent), most=plain(budget), currency=study.currency, next=plain(self.call.money))
