"""Amazon Mechanical Turk: a frame on Amazon's site shows a link that opens the study in a tab.

Source: the article ExternalQuestion of Amazon's MTurk API reference, read on 2026-11-25.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from judging.protocol.platforms.base import Entry, Parameters, Platform, Settings
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

NOT_ACCEPTED: Final = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""The assignment id in the link of a worker who is only previewing the HIT."""
_SUBMIT_TO: Final = "turkSubmitTo"
"""The link parameter that names the host to which the worker submits a form at the end."""
_HOSTS: Final = ("https://www.mturk.com", "https://workersandbox.mturk.com")


class MTurk(Platform):
    name = "mturk"
    description = _("mturk: Amazon Mechanical Turk.")
    entries = (Entry.OPEN,)
    framed_by = ("https://worker.mturk.com", *_HOSTS)
    submits_to = _HOSTS
    adds_ids = True
    secret_visits = True
    operations = "judging.platforms.mturk.operations:MTurkOperations"

    def parameters(self, study: Settings) -> Parameters:
        return Parameters("workerId", "assignmentId", "hitId")

    def is_preview(self, query: Mapping[str, str]) -> bool:
        return query.get("assignmentId", "") in {"", NOT_ACCEPTED}

    def submit_address(self, query: Mapping[str, str]) -> str | None:
        host = query.get(_SUBMIT_TO, self.submits_to[0]).rstrip("/")
        return f"{host}/mturk/externalSubmit" if host in self.submits_to else None

    def notices(self, study: Settings) -> Iterator[Sentence]:
        if study.pay_screened_out or study.pay_checks_failed or study.pay_cancelled:
            yield Sentence(
                _(
                    "MTurk does not pay workers who return a HIT. Create another HIT to pay workers "
                    "who have earned pay without completing a unit."
                )
            )
        if study.max_units_per_visit != 1:
            yield Sentence(
                _(
                    "The reward of a HIT pays only for the first unit of a visit. Pay for the other units "
                    "with a bonus, or set max_units_per_visit to 1."
                )
            )


PLATFORM: Final = MTurk()
