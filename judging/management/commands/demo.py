"""`demo`: create two studies, print scores, and serve the site. Simulated workers judge one of the studies.

Existing studies are not changed. If you interrupt the command and run it again, it continues where it
stopped.
"""

import os
import socket
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from secrets import token_urlsafe
from threading import Thread
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from judging.core.clock import now
from judging.core.published.gains import MAGNITUDES
from judging.core.selectors.adaptive import is_due
from judging.core.selectors.arms import arm_keys, arms_of
from judging.core.services import jobs
from judging.core.services.studies import open_study
from judging.crowd.finishing import finish_study
from judging.crowd.names import crowd_named
from judging.crowd.simulation import Crowd, prepare, progress_of, start_of
from judging.management.commands.simulate import add_crowd, simulate_with_progress
from judging.management.demo_scales import scales_lines, study_of_scales
from judging.management.study_command import StudyCommand
from judging.models import Participation, Study
from judging.protocol.judges import PERSON
from judging.protocol.states import Grade, StudyState
from judging.setup.study_files.importing import import_study
from judging.understanding.scoring import evaluate_study, medians_by_grade, tau_between

SAMPLE: Final = Path(__file__).resolve().parents[2] / "sample" / "study.toml"
HOST: Final = "127.0.0.1"
USER: Final = "demo"
WORKERS: Final = 60
SEED: Final = 1
MEASURES: Final = {"nDCG@10": "nDCG@10", 'ERR(stop="share")@10': "ERR@10"}
"""Maps each measure to its short name.

Magnitudes differ in size between topics, so ERR uses each topic's maximum.
"""


class Command(StudyCommand):
    help = (
        "Create two studies from the sample collection and serve the site. Simulated workers judge all of the"
        " study sample; the study try is open for you. The command prints how the systems score. It deletes"
        " nothing if you run it again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-serve", action="store_true", help="create the studies and print the scores, then stop"
        )
        parser.add_argument(
            "--port", type=int, default=8000, metavar="N", help=f"port on {HOST} (default: 8000)"
        )
        parser.add_argument(
            "--scales",
            action="store_true",
            help="also create the study scales, in which simulated workers judge on every scale",
        )
        add_crowd(parser)

    def handle(self, *, no_serve: bool, port: int, crowd: str, scales: bool = False, **options: Any) -> None:
        if not no_serve:
            _check_port(port)
        try:
            sample, trial = self._build(crowd)
            side_by_side = self._build_scales(crowd) if scales else None
        except KeyboardInterrupt:
            raise CommandError("Interrupted. Run the command again to continue.") from None
        if progress_of(sample).judgments:
            for line in ["", *_medians_table(sample), "", *_systems_table(sample)]:
                self.stdout.write(line)
        for line in scales_lines(side_by_side) if side_by_side else ():
            self.stdout.write(line)
        if no_serve:
            _compute_reports(sample)
            return
        for line in ["", *_addresses(port, sample, trial), *_login()]:
            self.stdout.write(line)
        self.stdout.flush()
        # The console shows each report as soon as it is computed, so the site can start now.
        Thread(target=_compute_in_background, args=(sample,), daemon=True).start()
        os.environ["DJANGO_RUNSERVER_HIDE_WARNING"] = "true"  # only this machine can reach the site
        call_command("runserver", f"{HOST}:{port}", use_reloader=False)

    def _build(self, crowd: str) -> tuple[Study, Study]:
        self.stdout.write("Database …")
        call_command("migrate", verbosity=0, interactive=False)
        sample, trial = self._imported("sample"), self._imported("try")
        if trial.state == StudyState.DRAFT:
            open_study(study=trial, now=now())
            self.stdout.write("Study try is open. You can judge in it yourself.")
        while _wants_crowd(sample):
            self._judge(sample, crowd)
        return sample, trial

    def _build_scales(self, crowd: str) -> Study:
        """Return the front of the study that compares the scales, judged by a crowd in all arms."""
        with study_of_scales(SAMPLE) as file:
            front = self._imported("scales", file)
        while _wants_crowd(front):
            self._judge(front, crowd, workers=WORKERS * len(arms_of(front)))
        return front

    def _imported(self, slug: str, file: Path = SAMPLE) -> Study:
        if study := Study.objects.filter(slug=slug).first():
            self.stdout.write(f"Study {slug} exists already.")
            return study
        imported = import_study(file, slug=slug, now=now())
        self.stdout.write(
            f"Study {slug} imported: {imported.topics} topics, {imported.documents} documents,"
            f" {imported.runs} runs."
        )
        return imported.study

    def _judge(self, study: Study, crowd: str, workers: int = WORKERS) -> None:
        start = start_of(study)
        prepare(study, start)
        self.stdout.write(f"{workers} simulated workers judge study {study.slug} …")
        self.stdout.flush()
        simulate_with_progress(study, Crowd(workers, SEED, crowd_named(crowd)), start)
        study.refresh_from_db()
        units = progress_of(study)
        self.stdout.write(f"{units.done} of {units.wanted} units done, {units.judgments} judgments.")


def _compute_reports(study: Study) -> None:
    """Compute the reports and figures that a simulated study lacks. Do nothing for other studies."""
    if study.simulated:
        jobs.reap(now=now())  # restart jobs that an earlier run of this command left unfinished
        finish_study(study, now=now())


def _compute_in_background(study: Study) -> None:
    try:
        _compute_reports(study)
    finally:
        connection.close()


def _wants_crowd(study: Study) -> bool:
    """Return whether simulated workers should judge more units.

    Return False if the study has real workers, or if it is paused or closed.
    """
    if Participation.objects.filter(study__in=arm_keys(study), kind=PERSON.name).exists():
        return False
    units = progress_of(study)
    return study.state == StudyState.DRAFT or (
        study.state == StudyState.OPEN and (units.done < units.wanted or is_due(study))
    )


def _medians_table(study: Study) -> list[str]:
    """Return the lines of a table with the median and the quartiles of the gains for each known grade.

    The last line says whether the median increases with the grade.
    """
    rows = [row for row in medians_by_grade(study) if row.grade in set(Grade)]
    ascend = all(lower.median < higher.median for lower, higher in pairwise(rows))
    return [
        f"Normalised magnitudes by known grade in study {study.slug} (medians of documents):",
        f"{'grade':<8}{'documents':>10}{'lower quartile':>16}{'median':>10}{'upper quartile':>16}",
        *(
            f"{row.grade:<8}{row.documents:>10}{row.lower:>16.2f}{row.median:>10.2f}{row.upper:>16.2f}"
            for row in rows
        ),
        f"The medians {'ascend' if ascend else 'do not ascend'}: {', '.join(row.grade for row in rows)}.",
    ]


def _systems_table(study: Study) -> list[str]:
    """Return the lines of a table that lists all runs, best first.

    The table shows each run's scores twice: computed from the workers' magnitudes, and from the known grades.
    The two scores of a measure give two rankings of the runs. Below the table, one line for each measure
    gives Kendall's τ_b between its two rankings.
    """
    grades = study.grade_sets.order_by("place").values_list("name", flat=True)[0]
    judged, known = (evaluate_study(study, list(MEASURES), gains=name) for name in (MAGNITUDES, grades))
    means = [
        {(row.run, row.measure): row.value or 0.0 for row in scores.means()} for scores in (judged, known)
    ]
    best_first = sorted(judged.runs, key=lambda run: -means[0][run, "nDCG@10"])
    width = max(len("run"), *map(len, best_first))
    heads = [f"{name} by {by}" for name in MEASURES.values() for by in ("magnitudes", "grades")]
    lines = [
        "Scores of the systems from the workers' magnitudes and from the known grades:",
        f"{'run':<{width}}" + "".join(f"{head:>23}" for head in heads),
    ]
    for run in best_first:
        values = [mean[run, measure] for measure in MEASURES for mean in means]
        lines.append(f"{run:<{width}}" + "".join(f"{value:>23.4f}" for value in values))
    for measure, name in MEASURES.items():
        tau = tau_between(judged, known, measure)
        value = "no value" if tau is None else f"{tau:.4f}"
        lines.append(f"Kendall's τ_b between the two rankings by {name}: {value}")
    return lines


def _addresses(port: int, sample: Study, trial: Study) -> Sequence[str]:
    site = f"http://{HOST}:{port}"
    return [
        f"The site:             {site}/",
        f"Judge documents:      {site}/s/{trial.slug}/",
        f"The console:          {site}/console/",
        f"The simulated study:  {site}/console/studies/{sample.slug}/",
    ]


def _login() -> list[str]:
    """Return one line with the user name and one with the password for the console.

    The password is stored in a file that only its owner can read.
    """
    path = Path(settings.VAR) / "demo-login"
    is_new = not path.exists()
    if is_new:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(token_urlsafe(12) + "\n")
    password = path.read_text().strip()
    user, created = get_user_model().objects.get_or_create(
        username=USER, defaults={"is_staff": True, "is_superuser": True}
    )
    if is_new or created:
        user.set_password(password)
        user.save(update_fields=["password"])
    shown = password if user.check_password(password) else "the one you chose"
    return [f"Username:             {USER}", f"Password:             {shown}   (stored in {path})"]


def _check_port(port: int) -> None:
    """Raise CommandError if the site cannot use the port. Call this before any work is done."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError):
            other = port + 1 if 1024 <= port < 65535 else 8001
            raise CommandError(
                f"Port {port} is in use or not allowed. Choose another: python3 manage.py demo --port {other}"
            ) from None
