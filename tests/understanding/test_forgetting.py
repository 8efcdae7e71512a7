"""Plumbline deletes old reports of kinds that users can request for any number of measures."""

from pathlib import Path

import pytest
from django.core.management import call_command

from judging.jobs.expiring import free_expired_units
from judging.limits import KEPT_REPORTS as KEPT
from judging.models import Job, Report, ReportKind
from judging.understanding.selectors.reports import report_key
from tests.factories import later, make_study

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("way", ["job", "command"])
def test_of_reports_by_ever_new_measures_the_newest_are_kept(way: str, reports_folder: Path) -> None:
    """The limit holds for each kind, figure and study. Reports that a study has only once stay."""
    studies = [make_study(slug=slug, opened=False) for slug in ("one", "other")]
    seen = {"seen_judgments": 8, "seen_units": 1, "seen_sum": 1}
    asked = [
        (study, kind, {"measures": [f"nDCG@{turn + 1}"]} | figure, turn)
        for study in studies
        for kind, figure in (
            (ReportKind.SCORES, {}),
            *((ReportKind.FIGURE, {"figure": item}) for item in "ab"),
        )
        for turn in range(KEPT + (2 if study == studies[0] else 0))
    ]
    asked += [(studies[0], kind, {}, -9) for kind in ReportKind if kind.value in ("grades", "documents")]
    for study, kind, parameters, turn in asked:
        Report.objects.create(
            study=study,
            kind=kind.value,
            parameters=parameters,
            key=report_key(kind, parameters),
            folder=f"{len(parameters)}-{turn}" if kind is ReportKind.FIGURE else "",
            made_at=later(minutes=turn),
            **seen,
        )
    if way == "job":
        free_expired_units(Job(kind="expire"), lambda done: None)
    else:
        call_command("expire_assignments")
    left = Report.objects.filter(study=studies[0])
    assert left.filter(kind="scores").count() == KEPT
    assert left.filter(kind="figure", parameters__figure="a").count() == KEPT
    assert left.filter(kind="figure", parameters__figure="b").count() == KEPT
    assert left.filter(kind__in=["grades", "documents"]).count() == 2
    assert left.filter(kind="scores").order_by("made_at")[0].made_at == later(minutes=2), (
        "the oldest two went"
    )
    assert Report.objects.filter(study=studies[1]).count() == 3 * KEPT
