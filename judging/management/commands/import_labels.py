"""`import_labels`: add labels of a model to a study, to compare them with the judgments of people."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.cli.columns import LABEL_COLUMNS, add_columns, names_of
from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.understanding.services.labels import add_labels


class Command(StudyCommand):
    help = (
        "Add labels that were made elsewhere, such as by a language model: qrels, or CSV, TSV or JSONL with"
        " named columns. Plumbline compares them with the judgments of people."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("name", metavar="NAME", help="the name of the judge who gave the labels")
        parser.add_argument("file", metavar="FILE", help="the labels, plain or compressed")
        parser.add_argument(
            "--family",
            metavar="RUN",
            nargs="+",
            default=[],
            help="the tags of the runs that come from the same model",
        )
        parser.add_argument("--replace", action="store_true", help="replace the labels with this name")
        add_columns(parser, *LABEL_COLUMNS)

    def handle(
        self, *, slug: str, name: str, file: str, family: list[str], replace: bool, **options: Any
    ) -> None:
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}. Check the name of the file.") from error
        added = add_labels(
            study=self.study(slug),
            name=name,
            data=data,
            file_name=file,
            columns=names_of(options["label_columns"]),
            family=family,
            replaces=replace,
            now=now(),
        )
        ignored = f" Left out: {added.ignored_topics:,} topics that the study lacks." * bool(
            added.ignored_topics
        )
        self.stdout.write(
            f"Added to {slug}: {added.labels:,} labels of {added.label_set.name}, {added.pooled:,} of them of"
            f" documents in the pools.{ignored}"
        )
