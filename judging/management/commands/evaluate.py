"""`evaluate SLUG -m MEASURE…`: system scores from a study's own gains."""

import io
from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.intake.columns import MAGNITUDES
from judging.management.base import StudyCommand
from judging.management.output import emit
from judging.understanding.scoring import FORMATS, evaluate_study, print_scores, read_runs


class Command(StudyCommand):
    help = (
        "Scores runs by what the study's workers said. Writes rows run topic measure value; the mean over "
        "the topics is topic all. Measures are written as for python -m evaluation score."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument(
            "-m",
            "--measures",
            metavar="MEASURE",
            nargs="+",
            action="extend",
            required=True,
            help="as nDCG@10",
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
            help="magnitudes (default), or the name of a set of known grades: N M R H are worth 0 1 2 3",
        )
        parser.add_argument("--per-topic", action="store_true", help="a row per topic too, before the mean")
        parser.add_argument(
            "--format", choices=FORMATS, default="tsv", help="tsv, or csv or json at full precision"
        )
        parser.add_argument("--digits", type=int, default=4, metavar="N", help="decimals of tsv (default: 4)")
        parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")

    def handle(self, *, slug: str, output: str | None, **options: Any) -> None:
        if not 0 <= options["digits"] <= 17:
            raise CommandError("--digits must be from 0 to 17.")
        study = self.study(slug)
        runs = read_runs(options["runs"]) if options["runs"] else None
        scores = evaluate_study(study, options["measures"], runs, options["gains"])
        for notice in scores.notices.sentences():
            self.stderr.write(f"warning: {notice}")
        out = io.StringIO()
        print_scores(
            scores, out, per_topic=options["per_topic"], form=options["format"], digits=options["digits"]
        )
        emit([out.getvalue().encode()], self.stdout, output)
