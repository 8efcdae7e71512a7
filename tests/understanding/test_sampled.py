"""The pages and commands that score the runs of a sampled study: by measures that its sample can estimate."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from evaluation import score
from judging.core.selectors.magnitudes import study_gains
from judging.core.selectors.sampling import inclusion_of
from judging.core.services.studies import open_study
from judging.models import ReportKind, Study, Unit
from judging.understanding.scoring import study_runs
from tests.archive.exports.conftest import scaled
from tests.factories import NOW, judge_unit, later, make_worker
from tests.setup.sampling.folder import sampled_folder
from tests.understanding.reading import base, make, states_of_figures, text_of

pytestmark = pytest.mark.django_db
MEASURE = "DCG@10"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A sampled study of which every unit is judged."""
    study = sampled_folder(tmp_path / "folder").imported().study
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    for number in range(Unit.objects.filter(topic__study=study).count()):
        judge_unit(make_worker(study), now=later(minutes=30), magnitude=scaled(1.0 + number % 3))
    return study


def test_the_command_gives_the_scores_of_the_library(study: Study) -> None:
    out = StringIO()
    call_command("evaluate", study.slug, "-m", MEASURE, "--format", "csv", stdout=out, stderr=StringIO())
    values = {line.split(",")[0]: float(line.split(",")[3]) for line in out.getvalue().splitlines()[1:]}
    expected = score(study_gains(study), study_runs(study), MEASURE, inclusion=inclusion_of(study))
    assert values == pytest.approx({row.run: row.value for row in expected.means()}, abs=1e-12)
    with pytest.raises(CommandError, match="nDCG@10"):
        call_command("evaluate", study.slug, "-m", "nDCG@10", stdout=StringIO(), stderr=StringIO())
    dropped = ("evaluate", study.slug, "-m", MEASURE, "--unjudged", "drop")
    with pytest.raises(CommandError, match="unjudged"):
        call_command(*dropped, stdout=StringIO(), stderr=StringIO())


def test_the_page_refuses_what_a_sample_cannot_estimate(study: Study, console: Client) -> None:
    address = f"{base(study)}results/"
    refused = console.post(address, {"measures": f"{MEASURE}\nnDCG@10"})
    assert refused.status_code == 400
    assert f"{MEASURE}\nnDCG@10" in refused.content.decode()
    assert console.post(address, {"measures": "CG@5"}).status_code == 302


def test_figures_that_need_the_whole_pool_are_missing(study: Study, console: Client) -> None:
    states = states_of_figures(console, study)
    assert {states[name] for name in ("tau", "gain-curves", "stability")} == {"missing"}
    assert "missing" not in {states[name] for name in ("gain-profile", "anchor-ratios")}
    job = make(study, ReportKind.SYSTEMS)
    assert (job.state, job.error) == ("done", "")
    text_of(console, f"{base(study)}papers/")
