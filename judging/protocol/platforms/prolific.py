"""Prolific: its links, placeholders and completion codes, as its documentation describes them."""

from collections.abc import Iterator
from decimal import Decimal
from typing import ClassVar, Final
from urllib.parse import quote

from judging.protocol.platforms.base import Entry, LeastPay, Parameters, Platform, Settings
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

COMPLETE: Final = "https://app.prolific.com/submissions/complete?cc="
"""The address at which workers submit, up to the completion code, which must be appended."""


class Prolific(Platform):
    name = "prolific"
    description = _("prolific: Prolific.")
    entries = (Entry.OPEN,)
    secret_visits = True
    operations = "judging.platforms.prolific.operations:ProlificOperations"
    codes = {
        "completion_code": (
            _("Completion code on Prolific"),
            _("The study's completion code on Prolific. Workers submit a completed unit with this code."),
        ),
        "no_work_code": (
            _("Code if no unit is completed"),
            _(
                "The code on Prolific for workers who have not completed a unit. If there is no "
                "code, they are asked to return the submission."
            ),
        ),
        "screen_out_code": (
            _("Code for screened-out workers"),
            _("The code on Prolific for workers who are screened out before they complete a unit."),
        ),
    }
    keys = tuple(codes)
    least_pay: ClassVar[LeastPay] = LeastPay(
        {"USD": Decimal("8.00"), "GBP": Decimal("6.00")},
        _("The minimum is Prolific’s, in US dollars or British pounds. Other currencies are not converted."),
    )
    needed = {"completion_code": _("the code is missing; copy the study's completion code from Prolific")}
    placeholders = Parameters("{{%PROLIFIC_PID%}}", "{{%SESSION_ID%}}", "{{%STUDY_ID%}}")

    def parameters(self, study: Settings) -> Parameters:
        return Parameters("PROLIFIC_PID", "SESSION_ID", "STUDY_ID")

    def notices(self, study: Settings) -> Iterator[Sentence]:
        if not study.no_work_code:
            yield Sentence(
                _(
                    "no_work_code is empty: workers without a completed unit are asked to return their "
                    "submission."
                )
            )
        if study.pay_screened_out and not study.screen_out_code:
            yield Sentence(
                _(
                    "screen_out_code is empty: use a bonus to pay workers who are screened out, or set "
                    "the code."
                )
            )
        if study.max_units_per_visit != 1:
            yield Sentence(
                _(
                    "The reward on Prolific pays only for the first unit of a visit. Pay for the other "
                    "units with a bonus, or set max_units_per_visit to 1."
                )
            )

    def completion_link(self, study: Settings, *, code: str, submission_id: str) -> str:
        return _link(study.completion_code)

    def no_work_link(self, study: Settings) -> str:
        return _link(study.no_work_code)

    def screen_out_link(self, study: Settings) -> str:
        return _link(study.screen_out_code)


def _link(code: str) -> str:
    return f"{COMPLETE}{quote(code, safe='')}" if code else ""


PLATFORM: Final = Prolific()
