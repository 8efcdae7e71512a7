"""`export SLUG --what …`: the data of a study, as text."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.exports.catalogue import EXPORTS, PAYMENTS, snapshot_lines
from judging.exports.formats import FORMATS
from judging.exports.payments import payment_lines
from judging.management.base import StudyCommand
from judging.management.output import emit
from judging.selectors.clock import now
from judging.selectors.judgments import accepted_judgments
from judging.services.exporting import record_export


class Command(StudyCommand):
    help = (
        "Writes data of a study, sorted by topic, unit, worker and document. Workers appear by pseudonym, "
        "but in the payments. Every export is noted in the audit log. "
        "Every column is described in docs/exports.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("--what", choices=[*EXPORTS, PAYMENTS.name], required=True, help="what to write")
        parser.add_argument(
            "--format", choices=FORMATS, help="csv is the default, qrels that of gains and for gains alone"
        )
        parser.add_argument(
            "--with-excluded", action="store_true", help="judgments of excluded units too, flagged as such"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")

    def handle(self, *, slug: str, what: str, output: str | None, **options: Any) -> None:
        formats = (EXPORTS | {PAYMENTS.name: PAYMENTS})[what].formats
        form = options["format"] or formats[0]
        if form not in formats:
            raise CommandError(f"{what} cannot be written as {form}; choose {' or '.join(formats)}.")
        if options["with_excluded"] and what != "judgments":
            raise CommandError("--with-excluded goes with --what judgments alone.")
        study = self.study(slug)
        if what == PAYMENTS.name:
            lines = payment_lines(study, form, now=now())
        else:
            record_export(study=study, what=what, form=form, now=now())
            lines = snapshot_lines(study, what, form, with_excluded=options["with_excluded"])
        emit(lines, self.stdout, output)
        if what == "gains" and not accepted_judgments().filter(assignment__topic__study=study).exists():
            self.stderr.write(f"Study {slug} has no judgments that count yet, so there are no gains.")
