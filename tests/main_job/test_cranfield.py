"""The main job on real input: from the Cranfield collection through browsers to a system score.

Four queries, three rankings, anchors drawn from the grades; one unit judged in a real Chromium, the rest by
the simulated crowd over real HTTP; then the exports through the library's own commands.
"""

import re
from collections.abc import Iterator
from io import StringIO
from math import exp
from pathlib import Path
from statistics import fmean

import pytest
import pytrec_eval
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from scipy.stats import kendalltau, spearmanr

from judging.core.clock import now
from judging.core.faults import Faults, Where
from judging.core.services.studies import open_study
from judging.crowd.world import TopicWorld, World
from judging.models import Assignment, KnownGrade, PoolDocument, Study, Unit
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.cranfield import read_cranfield_documents, read_cranfield_topics
from judging.setup.study_files.importing import import_study
from judging.understanding.scoring import evaluate_study
from judging.worker.services.lapse import expire_assignments
from tests.main_job.rankings import SETTINGS, write_runs, write_study
from tests.support.browser import axe
from tests.support.http_crowd import judge_over_http, memory_of, pace_for
from tests.support.integrity import broken_invariants
from tests.support.library import library

QUERIES = ["2", "23", "156", "191"]
EMPTY_DOCUMENTS = {"471", "995"}
SECONDS = 0.02


@pytest.fixture(scope="module")
def study_file(collections: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cranfield")
    cranfield = collections / "cranfield"
    documents = list(read_cranfield_documents(source(cranfield / "cran.all.1400")))
    queries = read_cranfield_topics(source(cranfield / "cran.qry"))
    topics = [topic for topic in queries if topic.number in QUERIES]
    assert (len(documents), len(topics)) == (1400, 4)
    runs = write_runs(folder, documents, topics)
    return write_study(folder, cranfield, topics, runs, seconds=SECONDS, judgments=3)


def source(path: Path) -> SourceFile:
    return SourceFile(path, Where("this test"), "path", Faults())


@pytest.fixture
def study(transactional_db: None, study_file: Path) -> Study:
    study = import_study(study_file, slug="cranfield", now=now()).study
    open_study(study=study, now=now())
    return study


def test_from_the_collection_to_a_system_score(
    study: Study, live_server: LiveServer, chromium_page: Page, tmp_path: Path
) -> None:
    check_what_was_imported(study)
    judge_a_unit_in_chromium(chromium_page, f"{live_server.url}/s/{study.slug}/", memory_of(study))
    assert Assignment.objects.filter(state="completed").count() == 1
    let_the_crowd_judge_the_rest(study, live_server.url)
    assert broken_invariants(study) == []
    by_magnitudes, by_grades = score_through_the_commands(study, tmp_path)
    check_tau(by_magnitudes, by_grades)
    check_gains_against_the_crowd(study, tmp_path / "magnitudes.gains")
    check_against_pytrec_eval(study)


def check_what_was_imported(study: Study) -> None:
    pool = PoolDocument.objects.filter(topic__study=study)
    assert not pool.filter(document__document_id__in=EMPTY_DOCUMENTS).exists()
    for topic in study.topics.all():
        anchors = dict(topic.pool.exclude(anchor="").values_list("anchor", "grade"))
        assert anchors == {"H": "H", "N": "N"}
    dropped = KnownGrade.objects.filter(grade_set__study=study, value="-1")
    assert not dropped.exists(), "code -1 is no grade"


def judge_a_unit_in_chromium(page: Page, address: str, memory: dict[str, TopicWorld]) -> None:
    """As a person would: read, choose the need that the topic stated, give each document a number."""
    page.goto(address)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Practise").click()
    for _ in range(3):
        line = page.locator("svg line")
        length = float(line.get_attribute("x2") or 0) - float(line.get_attribute("x1") or 0)
        page.get_by_label("Your number").fill(f"{length / 10:.1f}")
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Show me a topic").click()
    expect(page.get_by_role("radio").first).to_be_visible()
    topic = memory[page.locator("h1").inner_text()]
    page.get_by_label(topic.right_option, exact=True).check()
    page.get_by_role("button", name="Next").click()
    for place in range(1, 9):
        expect(page.locator(".progress")).to_contain_text(f"{place} of 8")
        title = " ".join(page.locator("article h1").inner_text().split())
        level = next(
            known.level for known in topic.documents.values() if " ".join(known.title.split()) == title
        )
        page.get_by_label("Your number").fill(f"{12 * exp(level):.3g}")
        page.get_by_label("Why this number?").fill(f"It says about this much: {title[:40]}")
        page.wait_for_timeout(SECONDS * 1000)
        page.get_by_role("button", name="Finish" if place == 8 else "Next").click()
    expect(page).to_have_url(re.compile(r"/units/$"))
    axe(page)


def let_the_crowd_judge_the_rest(study: Study, address: str) -> None:
    for seed in range(1, 6):
        judge_over_http(address, study.slug, memory_of(study), workers=16, seed=seed, pace=pace_for(SECONDS))
        expire_assignments(now=Assignment.objects.latest("lapses_at").lapses_at, study=study)
        if not Unit.objects.filter(topic__study=study).exclude(state="done").exists():
            return
    raise AssertionError("five crowds of sixteen did not finish the study")


def score_through_the_commands(study: Study, folder: Path) -> Iterator[Path]:
    """Export, normalise, take gains and score, with the grades beside the magnitudes; the two score files."""
    exported, normalised = folder / "judgments.csv", folder / "normalised.csv"
    call_command("export", study.slug, what="judgments", output=str(exported), stdout=StringIO())
    library("normalise", exported, "-o", normalised)
    library("gains", normalised, "-o", folder / "magnitudes.gains")
    site = StringIO()
    call_command("export", study.slug, what="gains", stdout=site)
    assert (folder / "magnitudes.gains").read_text() == site.getvalue(), "site and library differ"
    (folder / "grades.gains").write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in known_gains(study)))
    runs = [folder / f"{tag}.run" for tag in SETTINGS]
    for run in runs:
        run.write_text(as_run_file(study, run.stem))
    for name in ("magnitudes", "grades"):
        scores = folder / f"{name}.tsv"
        library("score", folder / f"{name}.gains", *runs, "-m", "nDCG@10", "--per-topic", "-o", scores)
        yield scores


def check_tau(by_magnitudes: Path, by_grades: Path) -> None:
    """The command's τ is scipy's on the means over all topics."""
    ours, known = read_scores(by_magnitudes), read_scores(by_grades)
    assert ours.keys() == known.keys()
    assert len(ours) == len(QUERIES) * len(SETTINGS)
    means = [
        [fmean(value for (run, _), value in scores.items() if run == tag) for tag in SETTINGS]
        for scores in (ours, known)
    ]
    tau = float(library("correlate", by_magnitudes, by_grades).split()[-1])
    assert tau == pytest.approx(kendalltau(*means).statistic, abs=1e-4)


def check_gains_against_the_crowd(study: Study, gains: Path) -> None:
    """Over all documents of the pools gains from magnitudes rise with the levels that the crowd sees."""
    documents = dict(
        PoolDocument.objects.filter(topic__study=study).values_list("pk", "document__document_id")
    )
    world = World(study)
    levels = {
        (topic.number, documents[pk]): text.level
        for topic in study.topics.all()
        for pk, text in world.topic(topic.pk).documents.items()
    }
    rows = [line.split("\t") for line in gains.read_text().splitlines()]
    pairs = [(float(gain), levels[topic, document]) for topic, _, document, gain in rows]
    assert len(pairs) == len(documents) > 40
    # Which worker meets which unit differs from run to run; gains without relation to the levels are near 0.
    assert spearmanr(*zip(*pairs, strict=True)).statistic > 0.5


def read_scores(path: Path) -> dict[tuple[str, str], float]:
    """Run and topic → score, of a file with per-topic rows."""
    rows = (line.split("\t") for line in path.read_text().splitlines())
    return {(run, topic): float(value) for run, topic, _, value in rows if topic != "all"}


def check_against_pytrec_eval(study: Study) -> None:
    """With the grades as gains, the same nDCG@10 as pytrec_eval on every topic of every run."""
    qrels: dict[str, dict[str, int]] = {}
    for topic, document, gain in known_gains(study):
        qrels.setdefault(topic, {})[document] = gain
    peer = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    ours = evaluate_study(study, ["nDCG@10"], gains="cranfield")
    compared = 0
    for run in study.runs.all():
        ranked = {
            ranking.topic.number: dict(zip(ranking.document_ids, ranking.scores, strict=True))
            for ranking in run.rankings.select_related("topic")
        }
        for topic, values in peer.evaluate(ranked).items():
            (mine,) = (row.value for row in ours.rows if (row.run, row.topic) == (run.tag, topic))
            assert mine == pytest.approx(values["ndcg_cut_10"], abs=1e-6)
            compared += 1
    assert compared == len(QUERIES) * len(SETTINGS)


def known_gains(study: Study) -> list[tuple[str, str, int]]:
    worth = {"N": 0, "M": 1, "R": 2, "H": 3}
    grades = KnownGrade.objects.filter(grade_set__study=study).values_list(
        "topic__number", "document_id", "level"
    )
    return [(topic, document, worth[level]) for topic, document, level in sorted(grades)]


def as_run_file(study: Study, tag: str) -> str:
    rankings = study.runs.get(tag=tag).rankings.select_related("topic").order_by("topic__place")
    return "".join(
        f"{ranking.topic.number} Q0 {document} {rank} {score!r} {tag}\n"
        for ranking in rankings
        for rank, (document, score) in enumerate(
            zip(ranking.document_ids, ranking.scores, strict=True), start=1
        )
    )
