"""`prolific`: list a study's submissions on Prolific, approve them, pay bonuses, and send messages."""

from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.models import PlatformIdentity, Study
from judging.platforms.clients.prolific import Client
from judging.platforms.selectors.visits import platform_studies
from judging.platforms.services.prolific_payments import (
    Listed,
    approve,
    bonus_batches,
    bonus_lines,
    pay_bonuses,
    read_submissions,
)
from judging.protocol.platforms.prolific import PLATFORM


class Command(StudyCommand):
    help = (
        "Read the submissions of a study on Prolific, approve those with a completed unit, pay bonuses, write"
        " to a participant, or subscribe to Prolific's messages. It never rejects a submission. The token of"
        " your Prolific account is read from PLUMBLINE_PROLIFIC_TOKEN."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument(
            "action",
            choices=("submissions", "approve", "bonuses", "message", "subscribe"),
            help="submissions: list them, and free units of returned ones; approve: approve those with a"
            " completed unit, and mark them as paid; bonuses: pay what the reward does not cover",
        )
        parser.add_argument(
            "--study", metavar="ID", help="the study's id on Prolific; needed if workers came from several"
        )
        parser.add_argument("--yes", action="store_true", help="pay the bonuses without asking first")
        parser.add_argument("--worker", metavar="WORKER", help="message: the worker's pseudonym")
        parser.add_argument("--text", metavar="TEXT", help="message: the text")
        parser.add_argument("--workspace", metavar="ID", help="subscribe: the id of your Prolific workspace")

    def handle(self, *, slug: str, action: str, **options: Any) -> None:
        study = self.study(slug)
        if study.platform != PLATFORM.name:
            raise CommandError(
                f"Study {slug} has platform {study.platform}. Choose a study with platform prolific."
            )
        if not settings.PROLIFIC_TOKEN:
            raise CommandError(
                "PLUMBLINE_PROLIFIC_TOKEN is not set. Create a token on Prolific under Settings, API tokens."
            )
        client = Client(settings.PROLIFIC_API, settings.PROLIFIC_TOKEN)
        getattr(self, f"_{action}")(study, client, options)

    def _submissions(self, study: Study, client: Client, options: dict[str, Any]) -> None:
        listed = self._listed(study, client, options)
        self.stdout.write("submission\tstatus\tworker\treward\tbonus")
        for row in listed:
            visit = row.visit
            reward = visit.reward.amount if visit and visit.reward else 0
            cells = (visit.worker, reward, visit.bonus_amount) if visit else ("nobody came with it", 0, 0)
            self.stdout.write("\t".join(map(str, (row.submission.id, row.submission.status, *cells))))
        counts = Counter(row.submission.status for row in listed)
        self.stdout.write(", ".join(f"{status}: {number}" for status, number in sorted(counts.items())))

    def _approve(self, study: Study, client: Client, options: dict[str, Any]) -> None:
        listed = self._listed(study, client, options)
        payments = approve(study=study, client=client, listed=listed, now=now())
        amount = sum(payment.amount for payment in payments)
        self.stdout.write(
            f"{len(payments)} submissions are approved and marked as paid: {amount} {study.currency}."
        )

    def _bonuses(self, study: Study, client: Client, options: dict[str, Any]) -> None:
        prolific_study = self._prolific_study(study, options)
        batches = list(bonus_batches(self._listed(study, client, options)))
        if not batches:
            self.stdout.write("No bonus is due.")
        for visits in batches:
            lines = bonus_lines(visits)
            bonuses = client.set_up_bonuses(prolific_study, lines)
            self.stdout.write(lines + f"Prolific will charge {bonuses.total / 100:.2f} for these bonuses.")
            if not options["yes"] and input("Pay them now? Type yes: ").strip() != "yes":
                self.stdout.write("Nothing was paid.")
                return
            number = pay_bonuses(study=study, client=client, bonuses=bonuses.id, visits=visits, now=now())
            self.stdout.write(f"{number} payments are paid by bonus and marked as paid.")

    def _message(self, study: Study, client: Client, options: dict[str, Any]) -> None:
        worker, text = options["worker"], options["text"]
        if not worker or not text:
            raise CommandError("Name the worker with --worker and the text with --text.")
        identity = PlatformIdentity.objects.filter(participation=self.worker(study.slug, worker)).first()
        if identity is None:
            raise CommandError(f"No platform id is stored for worker {worker} of study {study.slug}.")
        client.message(identity.platform_id, self._prolific_study(study, options), text)
        self.stdout.write(f"Prolific has the message for worker {worker}.")

    def _subscribe(self, study: Study, client: Client, options: dict[str, Any]) -> None:
        if not options["workspace"]:
            raise CommandError("Name your workspace with --workspace. Its id is in the address of its page.")
        if not settings.SITE_URL.startswith("https:"):
            raise CommandError(
                "Set PLUMBLINE_URL to the site's https address, to which Prolific sends messages."
            )
        address = settings.SITE_URL + reverse("prolific-messages")
        secret = client.create_secret(options["workspace"])
        self.stdout.write(f"Set PLUMBLINE_PROLIFIC_HOOK_SECRET to {secret} and restart the site.")
        client.subscribe(options["workspace"], address)
        self.stdout.write(f"Prolific sends its messages about submissions to {address}.")

    def _listed(self, study: Study, client: Client, options: dict[str, Any]) -> list[Listed]:
        prolific_study = self._prolific_study(study, options)
        return read_submissions(study=study, client=client, prolific_study=prolific_study, now=now())

    def _prolific_study(self, study: Study, options: dict[str, Any]) -> str:
        """Return the study's id on Prolific: the id from `--study`, or the id in the workers' links.

        Without `--study`, raise CommandError if the links contain no id or several ids. Plumbline does not
        choose between several ids, because anybody can change the id in a link.
        """
        if options["study"]:
            return str(options["study"])
        ids = platform_studies(study)
        if len(ids) == 1:
            return ids[0]
        seen = (
            f"Workers came from the studies {', '.join(ids)}."
            if ids
            else "No worker has come from Prolific yet."
        )
        raise CommandError(f"{seen} Name the study's id on Prolific with --study.")
