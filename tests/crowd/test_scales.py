"""Studies on other scales than magnitudes, judged by a crowd: from the units to a score on every page."""

import re
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from statistics import fmean

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from evaluation.comparison.correlation import tau_b
from judging.core.published.gains import gain_rows
from judging.crowd.simulation import START, Crowd, prepare, simulate
from judging.crowd.world import World
from judging.models import Judgment, ReportKind, Study, Unit
from judging.protocol.scales import scale_of
from judging.setup.study_files.importing import import_study
from judging.understanding.scoring import evaluate_study, medians_by_grade
from judging.watching.jobs.worker_statistics import compute_statistics
from tests.crowd.conftest import SAMPLE
from tests.house.test_languages import Words
from tests.support.integrity import broken_invariants
from tests.understanding.conftest import reports_folder as reports_folder
from tests.understanding.reading import make

pytestmark = pytest.mark.slow
SCALES = ("0-100", "grades")
PAGES = (
    "study",
    "understanding",
    "documents",
    "document",
    "grades",
    "workers",
    "worker_statistics",
    "quality",
    "results",
    "table1",
)
OF_MAGNITUDES = re.compile(r"magnitude|logarithm", re.IGNORECASE)


@pytest.fixture(scope="module", params=SCALES)
def judged(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Study]:
    """The sample study on another scale, judged whole by 60 workers of the typical crowd."""
    folder = tmp_path_factory.mktemp("scales") / "sample"
    copytree(SAMPLE, folder)
    file = folder / "study.toml"
    file.write_text(f'scale = "{request.param}"\n{file.read_text()}')
    with django_db_blocker.unblock(), transaction.atomic():
        study = import_study(folder, slug="judged-scale", now=START - timedelta(days=1)).study
        prepare(study, START)
        simulate(study, Crowd(workers=60, seed=1), START)
        yield study
        transaction.set_rollback(True)


def test_every_unit_is_done_and_nothing_is_broken(judged: Study) -> None:
    numbers = {number for number in Judgment.objects.values_list("number", flat=True) if number is not None}
    assert len(numbers) >= 4
    assert all(scale_of(judged).holds_in(judged, number) for number in numbers)
    assert set(Unit.objects.filter(topic__study=judged).values_list("state", flat=True)) == {"done"}
    assert broken_invariants(judged) == []


def test_the_medians_of_the_grades_ascend(judged: Study) -> None:
    rows = [row for row in medians_by_grade(judged) if row.grade in {"N", "M", "R", "H"}]
    assert [row.grade for row in rows] == ["N", "M", "R", "H"]
    medians = [row.median or 0.0 for row in rows]
    assert all(lower < higher for lower, higher in pairwise(medians))


def test_the_gains_recover_the_true_levels(judged: Study) -> None:
    """The numbers of ten workers leave noise, and four grades leave ties. At random, τ would be 0 ± .09."""
    world = World(judged)
    gains = {(row.topic_id, row.document_id): row.gain for row in gain_rows(judged)}
    taus = []
    for topic in judged.topics.all():
        pooled = list(topic.pool.select_related("document"))
        levels = [world.topic(topic.pk).documents[document.pk].level for document in pooled]
        tau = tau_b(levels, [gains[topic.number, document.document.document_id] for document in pooled])
        assert tau is not None
        taus.append(tau)
    assert fmean(taus) > 0.6, taus


def test_the_better_run_scores_better(judged: Study) -> None:
    scores = {row.run: row.value for row in evaluate_study(judged, ["nDCG@10"]).means()}
    assert scores["manual"] > scores["bm25-full"] > scores["word-share"]


def test_the_pages_have_the_words_of_the_scale(judged: Study, client: Client, reports_folder: Path) -> None:
    client.force_login(get_user_model().objects.create_superuser("ada"))
    compute_statistics(study=judged, now=START + timedelta(days=30))
    topic = judged.topics.earliest("place")
    worker = judged.participations.earliest("pk")
    document = topic.pool.select_related("document").earliest("pk").document.document_id
    for kind, parameters in (
        (ReportKind.DOCUMENTS, {"topic": topic.number}),
        (ReportKind.DOCUMENTS, {}),
        (ReportKind.GRADES, {}),
    ):
        make(judged, kind, **parameters)
    query = {"documents": {"topic": topic.number}, "document": {"topic": topic.number, "id": document}}
    for name in (*PAGES, "worker"):
        values = [judged.slug, worker.pseudonym] if name == "worker" else [judged.slug]
        answer = client.get(reverse(f"console:{name}", args=values), query.get(name, {}))
        assert answer.status_code == 200
        words = Words()
        words.feed(answer.content.decode())
        assert [text for text in words.texts if OF_MAGNITUDES.search(text)] == [], name


def test_the_report_has_the_scores(judged: Study, tmp_path: Path) -> None:
    call_command("report", judged.slug, output=str(tmp_path), stdout=StringIO(), stderr=StringIO())
    assert "bm25-full" in (tmp_path / "index.html").read_text()
