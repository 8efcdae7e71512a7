"""`report SLUG -o FOLDER`: write every analysis of a study to a folder."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.core.clock import now
from judging.core.formats.snapshot import one_snapshot
from judging.core.services.events import record_export
from judging.management.study_command import StudyCommand


class Command(StudyCommand):
    help = (
        "Write every analysis of a study to a folder, as HTML, PDF, LaTeX and CSV. Without runs, known "
        "grades or anchors, the report has the parts that it can, and says what is missing. It quotes "
        "workers’ justifications."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the study's name")
        parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="the folder to write to")

    def handle(self, *, slug: str, output: str, **options: Any) -> None:
        # These modules load scipy and matplotlib, which take two seconds.
        from judging.understanding.reports.study_data import read_study
        from judging.understanding.reports.whole import report_data, write_whole

        study = self.study(slug)
        with one_snapshot():
            data = report_data(read_study(study), comments=True)
        record_export(study=study, what="report", form="folder", now=now())
        with tqdm(unit=" parts", leave=False, disable=None) as bar:

            def show(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            try:
                files, missing = write_whole(data, Path(output), show)
            except OSError as error:
                text = f"{output}: The folder cannot be written: {error.strerror or error}."
                raise CommandError(text) from None
        self.stdout.write(f"Wrote {len(files)} files to {output}. Open {Path(output) / 'index.html'}.")
        for title, reason in missing:
            self.stderr.write(f"Missing: {title}: {reason}")
