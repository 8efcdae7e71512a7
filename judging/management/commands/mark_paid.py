"""`mark_paid`: mark the payments in an export as paid."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.selectors.payments import totals
from judging.management.study_command import StudyCommand
from judging.payments.reading import read_payments
from judging.payments.services.payments import mark_paid


class Command(StudyCommand):
    help = (
        "Mark the payments in an export of payments as paid. Plumbline itself pays nobody. You can run the"
        " command twice: marked payments stay as they are. If a line has a fault, nothing is marked."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("file", metavar="FILE", help="the file from export --what payments, csv or jsonl")

    def handle(self, *, slug: str, file: str, **options: Any) -> None:
        study = self.study(slug)
        try:
            with Path(file).open("rb") as lines:
                payments = read_payments(file, lines)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        marked = mark_paid(study=study, payments=payments, now=now())
        sums, currency = totals(study), study.currency
        self.stdout.write(
            f"{marked.new} payments of study {slug} marked as paid: {marked.amount} {currency}."
            f" {marked.already} were already marked as paid. Totals: paid {sums.paid.amount},"
            f" due {sums.due.amount}, committed {sums.committed.amount} {currency}."
        )
