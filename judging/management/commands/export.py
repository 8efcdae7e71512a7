"""`export SLUG --what …`: the data of a study, in whatever format."""

from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser

from judging.archive.catalogue import BUNDLE, OFFERED, audited_chunks
from judging.core.clock import now
from judging.core.formats.manifest import Tally, manifest
from judging.core.formats.texts import MEDIA_TYPES, TEXTS
from judging.core.published.payments import PAYMENTS
from judging.core.selectors.judgments import accepted_judgments
from judging.management.base import StudyCommand
from judging.management.output import emit
from judging.models import Study
from judging.payments.export import payment_chunks

_MANIFEST: Final = ".manifest.json"


class Command(StudyCommand):
    help = (
        "Writes data of a study, sorted by topic, unit, worker and document. Workers appear by pseudonym, "
        "but in the payments. The audit log tells of every export; beside a FILE stands FILE.manifest.json "
        "with versions, seed, counts and checksum. Every column is described in docs/exports.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("--what", choices=[*OFFERED, PAYMENTS.name], required=True, help="what to write")
        parser.add_argument(
            "--format",
            choices=MEDIA_TYPES,
            help="csv is the default, qrels that of gains and for gains alone, zip that of the bundle; "
            "spreadsheet is csv in which no text is run as a formula",
        )
        parser.add_argument(
            "--with-excluded", action="store_true", help="judgments of excluded units too, flagged as such"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")

    def handle(self, *, slug: str, what: str, output: str | None, **options: Any) -> None:
        formats = (OFFERED | {PAYMENTS.name: PAYMENTS})[what].formats
        form = options["format"] or formats[0]
        if form not in formats:
            raise CommandError(f"{what} cannot be written as {form}; choose {' or '.join(formats)}.")
        if options["with_excluded"] and what != "judgments":
            raise CommandError("--with-excluded goes with --what judgments alone.")
        shown = output is None and (self.stdout.isatty() or not hasattr(self.stdout, "buffer"))
        if shown and form not in TEXTS:
            raise CommandError(f"{form} is no text for a screen; name a file with -o.")
        study, tally, moment = self.study(slug), Tally(), now()
        if what == PAYMENTS.name:
            chunks = payment_chunks(study, form, now=moment, tally=tally)
        else:
            excluded = options["with_excluded"]
            chunks = audited_chunks(study, what, form, now=moment, with_excluded=excluded, tally=tally)
        emit(chunks, self.stdout, output)
        if output is not None and what != BUNDLE.name and Path(output).is_file():
            beside = manifest(study, what, form, tally, now=moment, name=Path(output).name)
            emit([beside], self.stdout, f"{output}{_MANIFEST}")
        self._warn(study, what)

    def _warn(self, study: Study, what: str) -> None:
        judged = accepted_judgments().filter(assignment__topic__study=study).exists()
        if what == "gains" and not judged:
            self.stderr.write(f"Study {study.slug} has no judgments that count yet, so there are no gains.")
