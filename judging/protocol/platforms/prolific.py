"""Prolific: its links, placeholders and completion codes, as its documentation describes them."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from judging.protocol.platforms.base import Entry, Parameters, Platform, Settings
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

COMPLETE: Final = "https://app.prolific.com/submissions/complete?cc="
"""The address at which workers submit, up to the completion code, which must be appended."""


class Prolific(Platform):
    name = "prolific"
    description = "Prolific"
    entries = (Entry.OPEN,)
    secret_visits = True
    operations = "judging.platforms.prolific.operations:ProlificOperations"
    keys = ("completion_code", "no_work_code", "screen_out_code")
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
