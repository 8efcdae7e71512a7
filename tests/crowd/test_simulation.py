"""The simulation on small studies: seeds, kinds, lapses, and what it refuses."""

from dataclasses import replace
from datetime import timedelta

import pytest

from evaluation import crowds
from evaluation.crowds import POOR, TYPICAL
from judging.core.services.errors import RefusedError
from judging.core.services.studies import pause_study
from judging.crowd.mind import Mind, Opinion, Reaction
from judging.crowd.names import LABELS, crowd_named
from judging.crowd.simulation import START, Crowd, prepare, simulate, start_of
from judging.crowd.summary import summarise
from judging.crowd.world import World
from judging.models import Assignment, Event, Participation, Study, Unit
from tests.factories import make_study, make_worker
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def judged(
    slug: str, *, seed: int = 1, workers: int = 8, model: crowds.Crowd = TYPICAL, **settings: object
) -> Study:
    """A study of 3 topics with 12 units, after a crowd."""
    study = make_study(
        slug=slug, topics=3, documents=6, opened=False, **({"judgments_per_document": 4} | settings)
    )
    prepare(study, START)
    simulate(study, Crowd(workers, seed, model), START)
    return study


def rows(study: Study) -> dict[str, list[str]]:
    return {what: list(export_lines(study, what, "csv")) for what in ("judgments", "units", "events")}


def test_the_seed_alone_decides_and_all_rows_are_flagged() -> None:
    first, second, other = judged("first", seed=7), judged("second", seed=7), judged("other", seed=8)
    assert rows(first) == rows(second)
    assert rows(first)["judgments"] != rows(other)["judgments"]
    assert len(rows(first)["judgments"]) > 8
    came = Participation.objects.filter(study=first)
    assert first.simulated
    assert set(came.values_list("kind", flat=True)) == {"simulated"}
    assert not came.filter(behaviour="").exists()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_crowd_judges_on_postgresql_too(database: str) -> None:
    study = judged("there", workers=12)
    assert not Unit.objects.filter(topic__study=study).exclude(state="done").exists()
    assert broken_invariants(study) == []


def test_too_few_workers_leave_units_to_others() -> None:
    study = judged("few", workers=2)
    left = Unit.objects.filter(topic__study=study, state="open").count()
    assert left
    assert not Unit.objects.filter(topic__study=study, state="reserved").exists()
    start = start_of(study)
    assert start > START
    simulate(study, Crowd(workers=12, seed=1), start)
    assert not Unit.objects.filter(topic__study=study).exclude(state="done").exists()
    assert Participation.objects.filter(study=study).count() == 14
    assert broken_invariants(study) == []


def test_spammers_fail_more_often_than_readers_and_some_pass() -> None:
    half = replace(TYPICAL, spammers=0.5, lapses=0.0)
    study = judged("spam", workers=40, model=half, judgments_per_document=10)
    summary = summarise(study)
    reader, spammer = (
        {name: numbers[kind] for name, numbers in summary.items()} for kind in ("reader", "spammer")
    )
    assert reader["workers"] + spammer["workers"] == 40
    assert min(reader["workers"], spammer["workers"]) > 12
    assert reader["done"] > spammer["done"] > 0
    before, after = (
        [kind["failed a"] + kind["failed b"] for kind in (reader, spammer)],
        [kind["failed c"] / kind["done"] for kind in (reader, spammer)],
    )
    assert before[1] > 2 * before[0]
    assert after[1] > 3 * after[0]
    assert broken_invariants(study) == []


def test_abandoned_units_lapse_and_are_done_by_others() -> None:
    study = judged("lapse", workers=30, model=replace(POOR, lapses=0.4), judgments_per_document=10)
    lapsed = Assignment.objects.filter(participation__study=study, state="lapsed")
    assert lapsed.exists()
    assert all(item.ended_at >= item.started_at + timedelta(minutes=study.lapse_minutes) for item in lapsed)
    taken_up = Unit.objects.filter(assignments__in=lapsed, state="done")
    assert taken_up.exists()
    assert broken_invariants(study) == []


def test_units_that_lapse_under_busy_workers_harm_nothing() -> None:
    """A minute for a unit: every worker is always too late, and is reinstated or told that it is taken."""
    study = judged("hurry", workers=10, lapse_minutes=1)
    kinds = set(Event.objects.filter(study=study).values_list("kind", flat=True))
    assert {"lapsed", "reinstated"} <= kinds
    assert broken_invariants(study) == []


def test_who_changes_nothing_after_a_failure_gives_the_unit_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same = Opinion(3.0, "3", "The same number and the same words for each.", 25.0)
    monkeypatch.setattr(Mind, "opinion", lambda *args, **kwargs: same)
    monkeypatch.setattr(Mind, "react", lambda mind: Reaction.INVERT)
    study = judged("stubborn", workers=3, record_check="off")
    ends = set(Assignment.objects.filter(participation__study=study).values_list("state", flat=True))
    assert "returned" in ends
    assert not {"completed", "judging", "revising"} & ends


def test_the_crowd_comes_when_the_study_opens() -> None:
    opens_at = START + timedelta(days=40)
    study = make_study(opened=False, opens_at=opens_at)
    assert start_of(study) == opens_at
    assert start_of(make_study(slug="undated", opened=False)) == START


def test_it_refuses_a_study_with_real_participations() -> None:
    study = make_study()
    make_worker(study)
    with pytest.raises(RefusedError):
        prepare(study, START)
    study.refresh_from_db()
    assert not study.simulated


def test_it_refuses_a_study_that_takes_no_workers_and_leaves_it_unmarked() -> None:
    paused = make_study(slug="paused")
    pause_study(study=paused, now=START)
    unready = make_study(slug="unready", documents=3, opened=False)
    ended = make_study(slug="ended", closes_at=START + timedelta(days=90))
    for study, now in ((paused, START), (unready, START), (ended, START + timedelta(days=91))):
        with pytest.raises(RefusedError):
            prepare(study, now)
        study.refresh_from_db()
        assert not study.simulated


def test_every_document_has_a_level_of_its_own_that_stays() -> None:
    study = make_study(documents=20, topics=1)
    topic = study.topics.get()
    first, again = World(study, TYPICAL).topic(topic.pk), World(study, POOR).topic(topic.pk)
    assert first == again
    levels = [document.level for document in first.documents.values()]
    assert len(set(levels)) == len(levels)
    anchors = dict(topic.pool.exclude(anchor="").values_list("anchor", "pk"))
    assert first.documents[anchors["H"]].level > first.documents[anchors["N"]].level
    assert sum(document.is_anchor for document in first.documents.values()) == 2


def test_the_pages_name_every_crowd() -> None:
    assert set(LABELS) == set(crowds.CROWDS)
    with pytest.raises(RefusedError):
        crowd_named("clever")
