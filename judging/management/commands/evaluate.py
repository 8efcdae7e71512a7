"""`evaluate SLUG -m MEASURE…`: print system scores from the gains of a study."""

import io
from typing import Any, Final, get_args

from django.core.management.base import CommandError, CommandParser

from evaluation.conventions import Unjudged
from evaluation.files import read_runs, write_scores
from evaluation.files.rows import FORMATS
from judging.core.published.gains import MAGNITUDES
from judging.management.output import emit
from judging.management.study_command import StudyCommand
from judging.understanding.scoring import evaluate_study

UNJUDGED: Final = get_args(Unjudged)
"""The ways to count unjudged documents; the first is the default."""


class Command(StudyCommand):
    help = (
        "Score runs with the gains from the study's judgments. Writes rows of run, topic, measure and value; "
        "topic all is the mean over the topics. Write measures as for python -m evaluation score."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the study's name")
        parser.add_argument(
            "-m",
            "--measures",
            metavar="MEASURE",
            nargs="+",
            action="extend",
            required=True,
            help="such as nDCG@10",
        )
        parser.add_argument(
            "--runs",
            metavar="FILE",
            nargs="+",
            action="extend",
            help="TREC run files, plain or .gz (default: the study's runs)",
        )
        parser.add_argument(
            "--gains",
            metavar="NAME",
            default=MAGNITUDES,
            help="magnitudes (default), or the name of a set of known grades, with gains N=0 M=1 R=2 H=3",
        )
        parser.add_argument(
            "--unjudged",
            choices=UNJUDGED,
            default=UNJUDGED[0],
            help="unjudged documents have gain 0 (zero, the default), are removed from the lists (drop), or "
            "have the gain of their topic's N anchor (N)",
        )
        parser.add_argument(
            "--per-topic", action="store_true", help="also write a row for each topic, before the mean"
        )
        parser.add_argument(
            "--format",
            choices=FORMATS,
            default="tsv",
            help="tsv (default), or csv or json with full precision",
        )
        parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals in tsv (default: 4)")
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="write to this file instead of standard output"
        )

    def handle(self, *, slug: str, output: str | None, **options: Any) -> None:
        if not 0 <= options["digits"] <= 17:
            raise CommandError("--digits must be between 0 and 17.")
        study = self.study(slug)
        runs = read_runs(options["runs"]) if options["runs"] else None
        scores = evaluate_study(
            study, options["measures"], runs, options["gains"], unjudged=options["unjudged"]
        )
        for notice in scores.notices.sentences():
            self.stderr.write(f"warning: {notice}")
        out = io.StringIO()
        write_scores(scores.by_run(per_topic=options["per_topic"]), out, options["format"], options["digits"])
        emit([out.getvalue().encode()], self.stdout, output)
