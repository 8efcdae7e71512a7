"""Reports work on both databases. `read_study` reads the same data for every figure."""

from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client

from judging.models import Report, ReportKind
from judging.understanding.selectors.reports import changes_since, find_report, last_job, report_key
from tests.archive.exports.conftest import scaled
from tests.factories import judge_unit, later, make_worker
from tests.understanding.conftest import judged
from tests.understanding.reading import base, make, text_of

MEASURES = ["nDCG@10", 'ERR(stop="share")@10']


def test_every_report_on_both_databases(database: str) -> None:
    study = judged()
    wanted: list[tuple[ReportKind, dict[str, Any]]] = [
        (ReportKind.DOCUMENTS, {}),
        (ReportKind.GRADES, {}),
        (ReportKind.SCORES, {"measures": MEASURES}),
        (ReportKind.FIGURE, {"figure": "systems", "measures": MEASURES}),
    ]
    for kind, parameters in wanted:
        job = make(study, kind, **parameters)
        assert (job.state, job.error) == ("done", ""), parameters
        assert last_job(study, report_key(kind, parameters)) == job
    assert Report.objects.count() == 2 * 2 + 1 + 3
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    for page in ("", "documents/?topic=401", "grades/", "results/", "figures/systems/"):
        assert 'data-report="made"' in text_of(client, f"{base(study)}{page}"), page
    report = find_report(study, ReportKind.GRADES, {})
    assert report is not None
    assert changes_since(report, study) == (0, 0, False, False)
    judge_unit(make_worker(study), now=later(hours=5), magnitude=scaled(1.0))
    assert changes_since(report, study) == (8, 0, True, False)


def test_a_study_of_any_seed_has_its_dice(db: None) -> None:
    for slug, seed in (("negative", -7), ("large", 2**63 - 1)):
        study = judged(slug=slug, seed=seed)
        assert make(study, ReportKind.DOCUMENTS).state == "done"
        first = list(Report.objects.filter(study=study).order_by("key").values_list("content", flat=True))
        make(study, ReportKind.DOCUMENTS)
        assert first == list(
            Report.objects.filter(study=study).order_by("key").values_list("content", flat=True)
        )
