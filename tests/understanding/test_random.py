"""A simulated crowd that knows no grades: its numbers are random, and no page compares runs with them."""

import pytest
from django.test import Client

from judging.core.selectors.simulated import has_random_relevance
from judging.models import PoolDocument, Report, ReportKind, Study
from tests.support.rehearsals import into_rehearsal
from tests.understanding.conftest import judged
from tests.understanding.reading import make, text_of

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ("", "understanding/grades/", "understanding/results/", "understanding/systems/")


@pytest.fixture
def study() -> Study:
    """Return a judged study with runs in which only the anchors have grades."""
    study = judged()
    PoolDocument.objects.filter(topic__study=study, anchor="").update(grade="")
    return study


def compute(study: Study) -> Report:
    for kind in (ReportKind.GRADES, ReportKind.SCORES):
        parameters = {"measures": ["nDCG@10"]} if kind is ReportKind.SCORES else {}
        make(study, kind, **parameters)
    return Report.objects.get(study=study, kind="scores")


@pytest.mark.parametrize("simulated", [True, False])
def test_only_a_simulated_crowd_without_grades_is_random(
    study: Study, console: Client, simulated: bool
) -> None:
    study = into_rehearsal(study, simulated=simulated)
    assert has_random_relevance(study) == simulated
    report = compute(study)
    table = next(
        table for table in report.content["tables"] if table.get("about") == ["magnitudes", "nDCG@10"]
    )
    names = [name for name, numeric in table["columns"]]
    (result,) = (each for each in report.content["results"] if each["about"] == table["about"])
    is_compared = result["summary"]["best"] is not None
    assert (is_compared, "p" in names, "difference" in names) == (not simulated,) * 3
    for page in PAGES:
        assert ("data-random" in text_of(console, f"/console/studies/{study.slug}/{page}")) == simulated, page


def test_one_grade_is_enough(study: Study) -> None:
    study = into_rehearsal(study)
    PoolDocument.objects.filter(pk=PoolDocument.objects.filter(anchor="")[0].pk).update(grade="N")
    assert not has_random_relevance(study)
