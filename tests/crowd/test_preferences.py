"""Crowds that compare two documents: from the worker's choice to a score, and back to the known truth."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from evaluation.comparison import tau_b
from evaluation.crowds import CAREFUL, TYPICAL
from evaluation.crowds import Crowd as Model
from judging.core.selectors.magnitudes import study_gains
from judging.crowd.answers import DefaultSettings
from judging.crowd.mind import Mind, Opinion, traits_of
from judging.crowd.pairs import REMEMBERED, Seen, points, seconds_of_page
from judging.crowd.simulation import START, Crowd, prepare, simulate
from judging.crowd.wording import DocumentText, TopicText
from judging.crowd.world import World
from judging.models import Assignment, Event, Judgment, Study, Topic, Unit
from judging.understanding.scoring import evaluate_study
from tests.factories import make_study
from tests.support.http_crowd import judge_over_http, memory_of, pace_for
from tests.support.integrity import broken_invariants
from tests.support.quick_sample import SECONDS, open_sample

pytestmark = pytest.mark.django_db
TOPIC = TopicText("Bread", "How bread rises, and which flour helps.")


def judged(*, model: Model = TYPICAL, seed: int = 1, workers: int = 30, **settings: Any) -> Study:
    study = make_study(
        slug="pairs",
        scale="preference",
        opened=False,
        **({"topics": 2, "documents": 12, "judgments_per_document": 6} | settings),
    )
    prepare(study, START)
    simulate(study, Crowd(workers, seed, model), START)
    return study


def mind(number: int = 0, *, model: Model = TYPICAL) -> Mind:
    traits = traits_of(model, number + 1, Random(3))[number]
    return Mind(traits, Random(number), least_seconds=20, study=DefaultSettings("preference"))


def test_workers_prefer_what_seems_more_relevant() -> None:
    high, low, near = Seen(2.0, 40), Seen(0.5, 40), Seen(1.9, 40)
    assert (points(high, low), points(low, high), points(high, near)) == (1.0, 0.0, 0.5)


def test_a_document_seen_before_takes_less_time() -> None:
    seen = [Seen(1.0, 40), Seen(2.0, 60)]
    assert seconds_of_page(seen, [True, True]) == 100
    assert seconds_of_page(seen, [False, True]) == 40 * REMEMBERED + 60


def test_who_inverts_chooses_the_other_document() -> None:
    opinions = [Opinion(1.0, "1", "a", 30), Opinion(0.5, "0.5", "b", 30), Opinion(0.0, "0", "c", 30)]
    turned = mind().inverted(opinions)
    assert [opinion.typed for opinion in turned] == ["0", "0.5", "1"]
    assert [opinion.justification for opinion in turned] == ["a", "b", "c"]


def test_reasons_name_words_of_the_documents() -> None:
    pair = [
        DocumentText("Flour", "flour yeast oven crust", 1.7),
        DocumentText("Ships", "harbour mast sail rope", 0.0),
    ]
    opinion = mind(model=CAREFUL).choice(TOPIC, pair, [Seen(1.7, 40), Seen(0.0, 40)], 80)
    assert opinion.typed == "1"
    assert any(word in opinion.justification for document in pair for word in document.words)


@pytest.mark.slow
def test_a_simulated_study_ends_in_scores_and_keeps_every_rule() -> None:
    study = judged()
    assert not Unit.objects.filter(topic__study=study).exclude(state="done").exists()
    assert broken_invariants(study) == []
    chosen = Judgment.objects.filter(assignment__state="completed").values_list("raw_input", flat=True)
    assert set(chosen) == {"1", "0.5", "0"}
    assert Event.objects.filter(study=study, kind="anchors_failed").exists()
    gains = study_gains(study).table
    assert len(gains) == sum(topic.pool.count() for topic in study.topics.all())
    for topic in study.topics.all():
        anchors = dict(topic.pool.exclude(anchor="").values_list("anchor", "document__document_id"))
        worth = dict(
            gains.filter(gains["topic_id"] == topic.number).select("document_id", "gain").iter_rows()
        )
        assert worth[anchors["H"]] > worth[anchors["N"]]


@pytest.mark.slow
def test_worths_recover_the_known_truth() -> None:
    """Levels are logarithms of gains, and so are the logarithms of worths, up to a factor and an offset."""
    study = judged(model=CAREFUL, workers=60, topics=1, documents=24, judgments_per_document=20)
    (topic,) = Topic.objects.filter(study=study)
    world = World(study, CAREFUL).topic(topic.pk)
    levels = {
        pooled.document.document_id: world.documents[pooled.pk].level
        for pooled in topic.pool.select_related("document")
    }
    table = study_gains(study).table
    truth = [levels[document] for document in table["document_id"]]
    worth = np.log(table["gain"].to_numpy())
    assert np.corrcoef(truth, worth)[0, 1] > 0.9
    tau = tau_b(truth, worth.tolist())
    assert tau is not None
    assert tau > 0.75


@pytest.mark.slow
def test_the_sample_from_the_command_to_a_score(tmp_path: Path) -> None:
    study = open_sample(tmp_path, "scored", scale="preference")
    Study.objects.filter(pk=study.pk).update(seconds_per_document=20)
    call_command("simulate", "scored", workers=40, seed=2)
    study.refresh_from_db()
    scores = evaluate_study(study, ["nDCG@10"])
    values = [row.value for row in scores.means()]
    assert len(values) == study.runs.count()
    assert all(value is not None and 0 <= value <= 1 for value in values)
    call_command("report", "scored", output=str(tmp_path / "report"))
    assert (tmp_path / "report" / "index.html").exists()


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_crowd_compares_documents_over_http(tmp_path: Path, live_server: LiveServer) -> None:
    study = open_sample(tmp_path, "over-http", scale="preference")
    judge_over_http(
        live_server.url,
        study.slug,
        memory_of(study),
        workers=8,
        seed=1,
        pace=pace_for(SECONDS),
        scale="preference",
    )
    completed = Assignment.objects.filter(participation__study=study, state="completed")
    assert completed.count() >= 4
    assert broken_invariants(study) == []
