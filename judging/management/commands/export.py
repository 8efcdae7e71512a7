"""`export SLUG --what …`: write the data of a study in one of several formats."""

from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser

from judging.archive.catalogue import BUNDLE, OFFERED, audited_chunks, can_choose_kinds
from judging.core.clock import now
from judging.core.formats.manifest import Tally, manifest
from judging.core.formats.texts import MEDIA_TYPES, TEXTS
from judging.core.published.payments import PAYMENTS
from judging.core.selectors.judgments import accepted_judgments
from judging.core.selectors.kinds import Kinds
from judging.management.output import emit
from judging.management.study_command import StudyCommand
from judging.models import Study
from judging.payments.export import payment_chunks
from judging.protocol.judges import KINDS

_MANIFEST: Final = ".manifest.json"


class Command(StudyCommand):
    help = (
        "Export data of a study, sorted by topic, unit, worker and document. Workers have pseudonyms, except "
        "in the payments. The audit log records every export. Next to FILE, the command writes "
        "FILE.manifest.json with versions, seed, counts and checksum. docs/reference/exports.md describes "
        "every column."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the study's name")
        parser.add_argument(
            "--what", choices=[*OFFERED, PAYMENTS.name], required=True, help="the data to export"
        )
        parser.add_argument(
            "--format",
            choices=MEDIA_TYPES,
            help="default: qrels for gains (qrels works only for gains), zip for the bundle, otherwise csv; "
            "spreadsheet is csv in which programs do not run text as a formula",
        )
        parser.add_argument(
            "--with-excluded",
            action="store_true",
            help="include judgments of excluded units, marked as excluded",
        )
        parser.add_argument(
            "--kinds",
            nargs="+",
            choices=[*KINDS],
            metavar="KIND",
            help=f"export these kinds of judges ({', '.join(KINDS)}) instead of those that the study counts:"
            " people, or the simulated crowd in a rehearsal",
        )
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="write to this file instead of standard output"
        )

    def handle(self, *, slug: str, what: str, output: str | None, **options: Any) -> None:
        formats = (OFFERED | {PAYMENTS.name: PAYMENTS})[what].formats
        form = options["format"] or formats[0]
        if form not in formats:
            raise CommandError(f"{what} cannot be exported as {form}. Choose {' or '.join(formats)}.")
        if options["with_excluded"] and what != "judgments":
            raise CommandError("--with-excluded works only with --what judgments. Remove it.")
        kinds = options["kinds"]
        if kinds and not can_choose_kinds(what):
            raise CommandError(f"--kinds does not work with --what {what}. Remove it.")
        is_on_screen = output is None and (self.stdout.isatty() or not hasattr(self.stdout, "buffer"))
        if is_on_screen and form not in TEXTS:
            raise CommandError(f"{form} cannot be shown on a screen. Write it to a file with -o.")
        study, tally, moment = self.study(slug), Tally(), now()
        if what == PAYMENTS.name:
            chunks = payment_chunks(study, form, now=moment, tally=tally)
        else:
            excluded = options["with_excluded"]
            chunks = audited_chunks(
                study, what, form, now=moment, with_excluded=excluded, kinds=kinds, tally=tally
            )
        emit(chunks, self.stdout, output)
        if output is not None and what != BUNDLE.name and Path(output).is_file():
            contents = manifest(study, what, form, tally, now=moment, name=Path(output).name, kinds=kinds)
            emit([contents], self.stdout, f"{output}{_MANIFEST}")
        self._warn(study, what, kinds)

    def _warn(self, study: Study, what: str, kinds: Kinds) -> None:
        has_judgments = accepted_judgments(study, kinds=kinds).filter(assignment__topic__study=study).exists()
        if what == "gains" and not has_judgments:
            self.stderr.write(f"There are no gains, because study {study.slug} has no judgments that count.")
