"""`mturk`: print what a study's HIT on MTurk needs, approve or reject its assignments, and pay bonuses."""

import json
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.models import Study
from judging.platforms.clients.mturk_question import external_question, qualifications
from judging.platforms.selectors.visits import platform_studies
from judging.platforms.services.mturk_payments import (
    Listed,
    approve,
    bonuses_due,
    check_reward,
    pay_bonus,
    read_assignments,
    reject,
)
from judging.protocol.platforms.mturk import PLATFORM


class Command(StudyCommand):
    help = (
        "Write the ExternalQuestion and the qualifications for a HIT on MTurk, list its assignments, approve"
        " those with a completed unit, pay bonuses, or reject one assignment. Amazon's usual variables and"
        " files give the account. Without --live, the command uses MTurk's sandbox."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument(
            "action",
            choices=("question", "qualifications", "assignments", "approve", "bonuses", "reject"),
            help="question, qualifications: print them; assignments: list them; approve: approve those with a"
            " completed unit, and mark them as paid; bonuses: pay what the reward does not cover",
        )
        parser.add_argument("--live", action="store_true", help="use MTurk itself instead of its sandbox")
        parser.add_argument(
            "--hit", metavar="ID", action="append", help="the HIT; needed if workers came from several"
        )
        parser.add_argument("--height", type=int, default=700, help="question: of the frame, in pixels")
        parser.add_argument("--approved-per-cent", type=int, help="qualifications: at least this share")
        parser.add_argument("--approved", type=int, help="qualifications: at least this number")
        parser.add_argument(
            "--country", action="append", default=[], help="qualifications: two letters; can be repeated"
        )
        parser.add_argument("--yes", action="store_true", help="pay the bonuses without asking first")
        parser.add_argument("--assignment", metavar="ID", help="reject: the assignment")
        parser.add_argument("--reason", help="bonuses, reject: a text that the worker reads")

    def handle(self, *, slug: str, action: str, **options: Any) -> None:
        study = self.study(slug)
        if study.platform != PLATFORM.name:
            raise CommandError(
                f"Study {slug} has platform {study.platform}. Choose a study with platform mturk."
            )
        if action in {"approve", "bonuses"} and study.currency != "USD":
            raise CommandError(f"Study {slug} pays in {study.currency}, but MTurk pays in USD.")
        getattr(self, f"_{action}")(study, options)

    def _question(self, study: Study, options: dict[str, Any]) -> None:
        address = settings.SITE_URL + reverse("worker:information", args=[study.slug])
        if not address.startswith("https:"):
            raise CommandError("Set PLUMBLINE_URL to the https address of the site: MTurk opens no other.")
        self.stdout.write(external_question(address, height=options["height"]))

    def _qualifications(self, study: Study, options: dict[str, Any]) -> None:
        rules = qualifications(
            approved_per_cent=options["approved_per_cent"],
            approved=options["approved"],
            countries=options["country"],
        )
        self.stdout.write(json.dumps(rules, indent=2))

    def _assignments(self, study: Study, options: dict[str, Any]) -> None:
        self.stdout.write("assignment\tstatus\tworker\treward\tbonus")
        for row in self._listed(study, options):
            visit = row.visit
            reward = visit.reward.amount if visit and visit.reward else 0
            cells = (visit.worker, reward, visit.bonus_amount) if visit else ("nobody came with it", 0, 0)
            self.stdout.write("\t".join(map(str, (row.id, row.status, *cells))))

    def _approve(self, study: Study, options: dict[str, Any]) -> None:
        client, hits = self._client(options), self._hits(study, options)
        check_reward(client=client, hits=hits, pay=study.pay_per_unit)
        listed = read_assignments(study=study, client=client, hits=hits)
        payments = approve(study=study, client=client, listed=listed, now=now())
        amount = sum(payment.amount for payment in payments)
        self.stdout.write(f"{len(payments)} assignments are approved and marked as paid: {amount} USD.")

    def _bonuses(self, study: Study, options: dict[str, Any]) -> None:
        due = bonuses_due(self._listed(study, options))
        if not due:
            self.stdout.write("No bonus is due.")
            return
        if not options["reason"]:
            raise CommandError("Say with --reason what the bonus is for. MTurk shows it to the workers.")
        total = sum(row.visit.bonus_amount for row in due if row.visit)
        for row in due:
            self.stdout.write(f"{row.id}\t{row.visit.bonus_amount if row.visit else 0}")
        self.stdout.write(f"{len(due)} bonuses: {total} USD, without MTurk's fee.")
        if not options["yes"] and input("Pay them now? Type yes: ").strip() != "yes":
            self.stdout.write("Nothing was paid.")
            return
        client = self._client(options)
        for row in due:
            amount = pay_bonus(study=study, client=client, row=row, reason=options["reason"], now=now())
            self.stdout.write(f"{row.id}: {amount} USD paid.")

    def _reject(self, study: Study, options: dict[str, Any]) -> None:
        if not options["assignment"] or not options["reason"]:
            raise CommandError("Name the assignment with --assignment and say why with --reason.")
        reject(client=self._client(options), assignment=options["assignment"], reason=options["reason"])
        self.stdout.write(f"Assignment {options['assignment']} is rejected.")

    def _listed(self, study: Study, options: dict[str, Any]) -> list[Listed]:
        hits = self._hits(study, options)
        return read_assignments(study=study, client=self._client(options), hits=hits)

    def _hits(self, study: Study, options: dict[str, Any]) -> list[str]:
        """Return the ids of the HITs to read: the ids from `--hit`, or the id in the workers' links.

        Without `--hit`, raise CommandError if the links contain no id or several ids. Plumbline does not
        choose between several ids, because anybody can change the id in a link.
        """
        if options["hit"]:
            return list(options["hit"])
        ids = platform_studies(study)
        if len(ids) == 1:
            return ids
        seen = f"Workers came from the HITs {', '.join(ids)}." if ids else "No worker has come yet."
        raise CommandError(f"{seen} Name one or more with --hit.")

    def _client(self, options: dict[str, Any]) -> Any:
        endpoint = settings.MTURK_LIVE if options["live"] else settings.MTURK_SANDBOX
        try:
            return boto3.client("mturk", region_name="us-east-1", endpoint_url=endpoint)
        except BotoCoreError as error:
            raise CommandError(f"MTurk: {error}") from error
