"""Amazon Mechanical Turk: workers see the study in a frame there, and open it in a tab of its own.

Source: the article ExternalQuestion of Amazon's MTurk API reference, read on 2026-11-25.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from judging.protocol.platforms.base import Entry, Parameters, Platform, Settings
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

NOT_ACCEPTED: Final = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""The id of the assignment while a worker only looks at the HIT."""
SUBMIT_TO: Final = "turkSubmitTo"
"""The parameter with the host that takes the form at the end."""
HOSTS: Final = ("https://www.mturk.com", "https://workersandbox.mturk.com")
"""The hosts that forms can be sent to."""


class MTurk(Platform):
    name = "mturk"
    description = "Amazon Mechanical Turk, as an ExternalQuestion"
    entries = (Entry.OPEN,)
    framed_by = ("https://worker.mturk.com", *HOSTS)
    adds_ids = True

    def parameters(self, study: Settings) -> Parameters:
        return Parameters("workerId", "assignmentId", "hitId")

    def notices(self, study: Settings) -> Iterator[Sentence]:
        if study.pay_screened_out or study.pay_checks_failed or study.pay_cancelled:
            yield Sentence(
                _(
                    "MTurk pays no worker who returns a HIT. Make another HIT for workers who have pay but no"
                    " completed unit."
                )
            )
        if study.max_units_per_visit != 1:
            yield Sentence(
                _(
                    "The reward of a HIT pays the first unit of a visit. Pay the others with a bonus, or set"
                    " max_units_per_visit to 1."
                )
            )


def is_preview(query: Mapping[str, str]) -> bool:
    """Return whether the worker has not accepted the HIT."""
    return query.get("assignmentId", "") in {"", NOT_ACCEPTED}


def submit_address(query: Mapping[str, str]) -> str | None:
    """Return the address that takes the form at the end; None if the link names another host than MTurk's."""
    host = query.get(SUBMIT_TO, HOSTS[0]).rstrip("/")
    return f"{host}/mturk/externalSubmit" if host in HOSTS else None


PLATFORM: Final = MTurk()
