"""The base class of the commands that approve, pay, reject and write to the workers of a platform."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.models import PlatformIdentity
from judging.platforms.operations import CanMessage, CanReject, Operations, operations_of
from judging.platforms.services.settling import (
    Listed,
    approve,
    bonus_batches,
    list_submissions,
    pay_bonus,
)
from judging.protocol.platforms import PLATFORMS


class PlatformCommand(StudyCommand):
    """A command for one platform. Its actions and options are those of the platform's operations."""

    platform: str

    def add_arguments(self, parser: CommandParser) -> None:
        add_actions(parser, operations_of(PLATFORMS[self.platform]))

    def handle(self, *, slug: str, action: str, **options: Any) -> None:
        name = options.get("platform") or self.platform
        study = self.study(slug)
        if study.platform != name:
            raise CommandError(
                f"Study {slug} has platform {study.platform}. Choose a study with platform {name}."
            )
        operations = operations_of(PLATFORMS[name])(study, options)
        pays_in = operations.currency
        if action in {"approve", "bonuses"} and pays_in not in ("", study.currency):
            raise CommandError(
                f"Study {slug} pays in {study.currency}, but {operations.title} pays in {pays_in}."
            )
        if action in operations.further:
            for line in getattr(operations, action)():
                self.stdout.write(line)
        elif isinstance(operations, CanReject) and action == "reject":
            self._reject(operations)
        elif isinstance(operations, CanMessage) and action == "message":
            self._message(operations)
        else:
            {"approve": self._approve, "bonuses": self._bonuses}.get(action, self._list)(operations)

    def _list(self, operations: Operations) -> None:
        listed = _listed(operations)
        self.stdout.write(f"{operations.noun}\tstatus\tworker\treward\tbonus")
        for row in listed:
            visit = row.visit
            reward = visit.reward.amount if visit and visit.reward else 0
            cells = (visit.worker, reward, visit.bonus_amount) if visit else ("nobody came with it", 0, 0)
            self.stdout.write("\t".join(map(str, (row.submission.id, row.submission.status, *cells))))
        if operations.counts_statuses:
            counts = Counter(row.submission.status for row in listed)
            self.stdout.write(", ".join(f"{status}: {number}" for status, number in sorted(counts.items())))

    def _approve(self, operations: Operations) -> None:
        payments = approve(operations=operations, listed=_listed(operations), now=now())
        amount = sum(payment.amount for payment in payments)
        self.stdout.write(
            f"{len(payments)} {operations.noun}s are approved and marked as paid:"
            f" {amount} {operations.study.currency}."
        )

    def _bonuses(self, operations: Operations) -> None:
        batches = list(bonus_batches(operations, _listed(operations)))
        if not batches:
            self.stdout.write("No bonus is due.")
        for visits in batches:
            shown, requests = operations.prepare_bonuses(visits)
            self.stdout.write(shown)
            if not operations.options["yes"] and input("Pay them now? Type yes: ").strip() != "yes":
                self.stdout.write("Nothing was paid.")
                return
            for bonus in requests:
                pay_bonus(operations=operations, bonus=bonus, now=now())
                self.stdout.write(bonus.paid)

    def _reject(self, operations: CanReject) -> None:
        noun, reason = operations.noun, operations.options["reason"]
        if not (submission := operations.options[noun]) or not reason:
            raise CommandError(f"Name the {noun} with --{noun} and say why with --reason.")
        operations.reject(submission, reason)
        self.stdout.write(f"{noun.capitalize()} {submission} is rejected.")

    def _message(self, operations: CanMessage) -> None:
        worker, text, slug = operations.options["worker"], operations.options["text"], operations.study.slug
        if not worker or not text:
            raise CommandError("Name the worker with --worker and the text with --text.")
        identity = PlatformIdentity.objects.filter(participation=self.worker(slug, worker)).first()
        if identity is None:
            raise CommandError(f"No platform id is stored for worker {worker} of study {slug}.")
        operations.message(identity.platform_id, text)
        self.stdout.write(f"{operations.title} has the message for worker {worker}.")


def add_actions(parser: ArgumentParser, operations: type[Operations]) -> None:
    """Add the actions of a platform's operations, and their options."""
    noun, frees = operations.noun, ", and free units of returned ones" if operations.freeing else ""
    actions = {
        f"{noun}s": f"list them{frees}",
        "approve": "approve those with a completed unit, and mark them as paid",
        "bonuses": "pay what the reward does not cover",
    }
    parser.add_argument("slug", metavar="SLUG", help="the study's name")
    parser.add_argument("--yes", action="store_true", help="pay the bonuses without asking first")
    if issubclass(operations, CanReject):
        actions["reject"] = "reject one"
        parser.add_argument(f"--{noun}", metavar="ID", help=f"reject: the {noun}")
        parser.add_argument("--reason", help="bonuses, reject: a text that the worker reads")
    if issubclass(operations, CanMessage):
        actions["message"] = "write to one worker"
        parser.add_argument("--worker", metavar="WORKER", help="message: the worker's pseudonym")
        parser.add_argument("--text", metavar="TEXT", help="message: the text")
    actions |= operations.further
    told = "; ".join(f"{name}: {what}" for name, what in actions.items())
    parser.add_argument("action", choices=actions, help=told)
    for name, how in operations.arguments.items():
        parser.add_argument(name, **how)


def _listed(operations: Operations) -> list[Listed]:
    return list_submissions(operations=operations, now=now())
