"""The operations of Prolific, through its API. They never reject a submission."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.conf import settings
from django.urls import reverse

from judging.core.selectors.payments import COMPLETED, SCREENED_OUT
from judging.core.services.errors import RefusedError
from judging.models import Study
from judging.platforms.operations import Bonus, CanMessage, Submission
from judging.platforms.prolific.client import Client
from judging.platforms.prolific.messages import FREEING
from judging.platforms.selectors.visits import PaidVisit


class ProlificOperations(CanMessage):
    """Submissions of one study on Prolific. Prolific sets bonuses up in one request and pays in another."""

    title = "Prolific"
    waiting = "AWAITING REVIEW"
    rewarded = {COMPLETED: "APPROVED", SCREENED_OUT: "SCREENED OUT"}
    in_progress = ("RESERVED", "ACTIVE")
    freeing = FREEING
    most_bonuses = 200
    counts_statuses = True
    further = {"subscribe": "let Prolific send its messages about submissions to this site"}
    arguments = {
        "--study": {"metavar": "ID", "help": "the study's id there; needed if workers came from several"},
        "--workspace": {"metavar": "ID", "help": "subscribe: the id of your Prolific workspace"},
    }

    def __init__(self, study: Study, options: Mapping[str, Any]) -> None:
        super().__init__(study, options)
        if not settings.PROLIFIC_TOKEN:
            raise RefusedError(
                "PLUMBLINE_PROLIFIC_TOKEN is not set. Create a token on Prolific under Settings, API tokens."
            )
        self.client = Client(settings.PROLIFIC_API, settings.PROLIFIC_TOKEN)

    @cached_property
    def study_there(self) -> str:
        """The study's id on Prolific."""
        given = filter(None, [self.options["study"]])
        return self.ids_there(given, "studies", "Name the study's id on Prolific with --study.")[0]

    def submissions(self) -> Iterator[Submission]:
        return self.client.submissions(self.study_there)

    def approve(self, submission: str) -> None:
        self.client.approve(submission)

    def prepare_bonuses(self, visits: Sequence[PaidVisit]) -> tuple[str, list[Bonus]]:
        lines = "".join(f"{visit.submission.submission_id},{visit.bonus_amount}\n" for visit in visits)
        name, cents = self.client.set_up_bonuses(self.study_there, lines)
        number = sum(len(visit.bonus) for visit in visits)
        request = Bonus(name, visits, f"{number} payments are paid by bonus and marked as paid.")
        return f"{lines}Prolific will charge {cents / 100:.2f} for these bonuses.", [request]

    def pay_bonus(self, bonus: Bonus) -> None:
        self.client.pay_bonuses(bonus.id)

    def message(self, worker: str, text: str) -> None:
        self.client.message(worker, self.study_there, text)

    def subscribe(self) -> Iterator[str]:
        """Create the secret that signs Prolific's messages, and subscribe the address of this site."""
        if not (workspace := self.options["workspace"]):
            raise RefusedError("Name your workspace with --workspace. Its id is in the address of its page.")
        if not settings.SITE_URL.startswith("https:"):
            raise RefusedError(
                "Set PLUMBLINE_URL to the site's https address, to which Prolific sends messages."
            )
        address = settings.SITE_URL + reverse("prolific-messages")
        secret = self.client.create_secret(workspace)
        yield f"Set PLUMBLINE_PROLIFIC_HOOK_SECRET to {secret} and restart the site."
        self.client.subscribe(workspace, address)
        yield f"Prolific sends its messages about submissions to {address}."
