"""The operations of MTurk, with boto3's own client.

Source: Amazon's MTurk API reference, version 2017-01-17, read on 2026-11-25.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.urls import reverse

from judging.core.selectors.payments import COMPLETED
from judging.core.services.errors import RefusedError
from judging.platforms.mturk.hit import external_question, qualifications
from judging.platforms.operations import Bonus, CanReject, Submission
from judging.platforms.selectors.visits import PaidVisit

_DUPLICATE: Final = "AWS.MechanicalTurk.DuplicateRequest"
"""The error code for a bonus that was already paid with the same token."""

_LIST: Final = {"action": "append", "default": []}


class MTurkOperations(CanReject):
    """Assignments of the HITs of a study.

    The token of a bonus depends on its payments, so MTurk pays the same bonus only once.
    """

    title = "MTurk"
    noun = "assignment"
    currency = "USD"
    waiting = "Submitted"
    rewarded = {COMPLETED: "Approved"}
    can_repeat_bonus = True
    further = {"question": "print the question of a HIT", "qualifications": "print those of its workers"}
    arguments = {
        "--live": {"action": "store_true", "help": "use MTurk itself instead of its sandbox"},
        "--hit": _LIST | {"metavar": "ID", "help": "the HIT; needed if workers came from several"},
        "--height": {"type": int, "default": 700, "help": "question: of the frame, in pixels"},
        "--approved-per-cent": {"type": int, "help": "qualifications: at least this share"},
        "--approved": {"type": int, "help": "qualifications: at least this number"},
        "--country": _LIST | {"help": "qualifications: two letters; can be repeated"},
    }

    @cached_property
    def client(self) -> Any:
        """boto3's client, for MTurk itself or its sandbox."""
        endpoint = settings.MTURK_LIVE if self.options["live"] else settings.MTURK_SANDBOX
        return _call(boto3.client, "mturk", region_name="us-east-1", endpoint_url=endpoint)

    @cached_property
    def hits(self) -> list[str]:
        """The ids of the HITs."""
        return self.ids_there(self.options["hit"], "HITs", "Name one or more with --hit.")

    def rewards(self) -> dict[str, Decimal]:
        hits = {hit: _call(self.client.get_hit, HITId=hit)["HIT"] for hit in self.hits}
        return {f"HIT {hit}": Decimal(answer["Reward"]) for hit, answer in hits.items()}

    def submissions(self) -> list[Submission]:
        pages = self.client.get_paginator("list_assignments_for_hit")
        return [
            Submission(row["AssignmentId"], row["WorkerId"], row["AssignmentStatus"])
            for hit in self.hits
            for page in _call(lambda hit: list(pages.paginate(HITId=hit)), hit)
            for row in page["Assignments"]
        ]

    def approve(self, submission: str) -> None:
        _call(self.client.approve_assignment, AssignmentId=submission)

    def reject(self, submission: str, reason: str) -> None:
        _call(self.client.reject_assignment, AssignmentId=submission, RequesterFeedback=reason)

    def prepare_bonuses(self, visits: Sequence[PaidVisit]) -> tuple[str, list[Bonus]]:
        if not self.options["reason"]:
            raise RefusedError("Say with --reason what the bonus is for. MTurk shows it to the workers.")
        bonuses = [(visit.submission.submission_id, visit.bonus_amount, visit) for visit in visits]
        lines = "".join(f"{name}\t{amount}\n" for name, amount, _ in bonuses)
        total = sum(amount for _, amount, _ in bonuses)
        requests = [Bonus(name, [visit], f"{name}: {amount} USD paid.") for name, amount, visit in bonuses]
        return f"{lines}{len(visits)} bonuses: {total} USD, without MTurk's fee.", requests

    def pay_bonus(self, bonus: Bonus) -> None:
        (visit,) = bonus.visits
        keys = sorted(
            "/".join((self.study.slug, pay.worker_id, pay.unit_id, pay.state)) for pay in visit.bonus
        )
        try:
            self.client.send_bonus(
                WorkerId=visit.submission.identity.platform_id,
                AssignmentId=bonus.id,
                BonusAmount=f"{visit.bonus_amount:.2f}",
                Reason=self.options["reason"],
                UniqueRequestToken=hashlib.sha256("\n".join(keys).encode()).hexdigest(),
            )
        except (ClientError, BotoCoreError) as error:
            if getattr(error, "response", {}).get("TurkErrorCode") != _DUPLICATE:
                raise _refusal(error) from error

    def question(self) -> Iterator[str]:
        """Yield the XML of the question that shows the study in a frame."""
        address = settings.SITE_URL + reverse("worker:information", args=[self.study.slug])
        if not address.startswith("https:"):
            raise RefusedError("Set PLUMBLINE_URL to the https address of the site: MTurk opens no other.")
        yield external_question(address, height=self.options["height"])

    def qualifications(self) -> Iterator[str]:
        """Yield the JSON of the qualifications that workers must have."""
        rules = qualifications(
            approved_per_cent=self.options["approved_per_cent"],
            approved=self.options["approved"],
            countries=self.options["country"],
        )
        yield json.dumps(rules, indent=2)


def _call(operation: Any, *values: str, **arguments: str) -> Any:
    try:
        return operation(*values, **arguments)
    except (ClientError, BotoCoreError) as error:
        raise _refusal(error) from error


def _refusal(error: Exception) -> RefusedError:
    return RefusedError(f"MTurk: {error}")
