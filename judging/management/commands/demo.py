"""Everything at once: the sample collection judged by a simulated crowd, system scores, and the site.

What stands already is left as it is; a demo that was interrupted goes on where it stopped.
"""

import os
import socket
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
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
from judging.core.intake.columns import MAGNITUDES
from judging.core.services import jobs
from judging.core.services.studies import open_study
from judging.crowd.simulation import Crowd, prepare, progress_of, start_of
from judging.management.base import StudyCommand
from judging.management.commands.simulate import simulate_shown
from judging.models import Participation, Study
from judging.protocol.states import Grade, StudyState
from judging.setup.study_files.importing import import_study
from judging.understanding.jobs.completing import request_reports_of
from judging.understanding.scoring import evaluate_study, medians_by_grade, tau_between
from judging.watching.services.requests import ask_for_statistics

SAMPLE: Final = Path(__file__).resolve().parents[2] / "sample" / "study.toml"
HOST: Final = "127.0.0.1"
USER: Final = "demo"
WORKERS: Final = 60
SEED: Final = 1
MEASURES: Final = {"nDCG@10": "nDCG@10", 'ERR(gmax="topic")@10': "ERR@10"}
"""Measure → its short name. Magnitudes differ in size between topics, so ERR takes each topic's maximum."""


class Command(StudyCommand):
    help = (
        "Build two studies of the sample collection - sample, judged whole by a simulated crowd, and try,"
        " open for you to judge in -, print what they say about the systems, and serve the site. Run again,"
        " it wipes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-serve", action="store_true", help="build and print, but serve nothing")
        parser.add_argument(
            "--port", type=int, default=8000, metavar="N", help=f"port of {HOST} to serve on (default: 8000)"
        )

    def handle(self, *, no_serve: bool, port: int, **options: Any) -> None:
        if not no_serve:
            _refuse_taken(port)
        try:
            sample, trial = self._build()
        except KeyboardInterrupt:
            raise CommandError("Interrupted. The same command goes on where it stopped.") from None
        if progress_of(sample).judgments:
            for line in ["", *_medians_table(sample), "", *_systems_table(sample)]:
                self.stdout.write(line)
        if no_serve:
            _compute_reports(sample)
            return
        for line in ["", *_addresses(port, sample, trial), *_login()]:
            self.stdout.write(line)
        self.stdout.flush()
        # The console has what is computed as it comes; nobody waits for all of it.
        Thread(target=_compute_beside, args=(sample,), daemon=True).start()
        os.environ["DJANGO_RUNSERVER_HIDE_WARNING"] = "true"  # it serves this machine alone
        call_command("runserver", f"{HOST}:{port}", use_reloader=False)

    def _build(self) -> tuple[Study, Study]:
        self.stdout.write("Database …")
        call_command("migrate", verbosity=0, interactive=False)
        sample, trial = self._imported("sample"), self._imported("try")
        if trial.state == StudyState.DRAFT:
            open_study(study=trial, now=now())
            self.stdout.write("Study try is open: judge in it yourself.")
        while _wants_crowd(sample):
            self._judge(sample)
        return sample, trial

    def _imported(self, slug: str) -> Study:
        if study := Study.objects.filter(slug=slug).first():
            self.stdout.write(f"Study {slug} stands already.")
            return study
        imported = import_study(SAMPLE, slug=slug, now=now())
        self.stdout.write(
            f"Study {slug} imported: {imported.topics} topics, {imported.documents} documents,"
            f" {imported.runs} runs."
        )
        return imported.study

    def _judge(self, study: Study) -> None:
        start = start_of(study)
        prepare(study, start)
        self.stdout.write(f"{WORKERS} simulated workers judge study {study.slug} …")
        self.stdout.flush()
        simulate_shown(study, Crowd(WORKERS, SEED), start)
        study.refresh_from_db()
        units = progress_of(study)
        self.stdout.write(f"{units.done} of {units.wanted} units done, {units.judgments} judgments.")


def _compute_reports(study: Study) -> None:
    """Compute the reports and figures that the console shows of a study, as far as they are not there."""
    if study.simulated:
        jobs.reap(now=now())  # what an earlier run of this command has left half done
        finish_study(study, now=now())


def finish_study(study: Study, *, now: datetime) -> int:
    """Ask for the reports and the worker statistics of a study that is not watched by the clock."""
    asked = request_reports_of(study, now=now)
    if asked:
        ask_for_statistics(study=study, now=now)
    return asked


def _compute_beside(study: Study) -> None:
    try:
        _compute_reports(study)
    finally:
        connection.close()


def _wants_crowd(study: Study) -> bool:
    """Whether units are left that a crowd may do: none where real workers came, or the study was stopped."""
    if Participation.objects.filter(study=study, simulated=False).exists():
        return False
    units = progress_of(study)
    return study.state == StudyState.DRAFT or (study.state == StudyState.OPEN and units.done < units.wanted)


def _medians_table(study: Study) -> list[str]:
    """The medians of the normalised magnitudes by known grade, and whether they ascend."""
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
    """Each run's scores by magnitudes beside those by the known grades, best first, and τ_b between them."""
    grades = study.grade_sets.order_by("place").values_list("name", flat=True)[0]
    judged, known = (evaluate_study(study, list(MEASURES), gains=name) for name in (MAGNITUDES, grades))
    means = [{(row.run, row.measure): row.value or 0.0 for row in one.means()} for one in (judged, known)]
    best_first = sorted(judged.runs, key=lambda run: -means[0][run, "nDCG@10"])
    width = max(len("run"), *map(len, best_first))
    heads = [f"{name} by {by}" for name in MEASURES.values() for by in ("magnitudes", "grades")]
    lines = [
        "Systems by the crowd's magnitudes, and by the known grades:",
        f"{'run':<{width}}" + "".join(f"{head:>23}" for head in heads),
    ]
    for run in best_first:
        values = [mean[run, measure] for measure in MEASURES for mean in means]
        lines.append(f"{run:<{width}}" + "".join(f"{value:>23.4f}" for value in values))
    for measure, name in MEASURES.items():
        tau = tau_between(judged, known, measure)
        shown = "no value" if tau is None else f"{tau:.4f}"
        lines.append(f"Kendall's τ_b between the two rankings by {name}: {shown}")
    return lines


def _addresses(port: int, sample: Study, trial: Study) -> Sequence[str]:
    site = f"http://{HOST}:{port}"
    return [
        f"The site:             {site}/",
        f"Judge yourself:       {site}/s/{trial.slug}/",
        f"The console:          {site}/console/",
        f"The simulated study:  {site}/console/studies/{sample.slug}/",
    ]


def _login() -> list[str]:
    """The console's log-in, made the first time and kept in a file that its owner alone can read."""
    path = Path(settings.VAR) / "demo-login"
    made = not path.exists()
    if made:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(token_urlsafe(12) + "\n")
    password = path.read_text().strip()
    user, created = get_user_model().objects.get_or_create(
        username=USER, defaults={"is_staff": True, "is_superuser": True}
    )
    if made or created:
        user.set_password(password)
        user.save(update_fields=["password"])
    shown = password if user.check_password(password) else "as you changed it"
    return [f"Log-in:               {USER}", f"Password:             {shown}   (kept in {path})"]


def _refuse_taken(port: int) -> None:
    """Raise CommandError where the port cannot be served on, before any work is done."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError):
            other = port + 1 if 1024 <= port < 65535 else 8001
            raise CommandError(
                f"Port {port} is taken or not allowed; choose another: python3 manage.py demo --port {other}"
            ) from None
