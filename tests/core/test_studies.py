"""What researchers do to a study and its units while it runs."""

from collections import Counter
from itertools import chain
from random import Random

import pytest

from judging.core.selectors.readiness import readiness
from judging.core.services.errors import RefusedError
from judging.core.services.planning import plan_missing_units
from judging.core.services.studies import close_study, mark_simulated, open_study, pause_study, retire_topic
from judging.models import AuditEntry, Document, Event, Judgment, Question, Study, Topic, Unit, UnitDocument
from judging.protocol.judges import SIMULATED
from judging.protocol.planning import plan_units, unit_rng
from judging.protocol.platforms import PLATFORM_KEYS, PLATFORMS
from judging.watching.services.curation import exclude_unit, include_unit
from judging.worker.services.leaving import withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    form,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
)
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db


def verbs() -> list[str]:
    return list(AuditEntry.objects.values_list("verb", flat=True))


def judgments_planned(topic: Topic) -> Counter[int]:
    documents = UnitDocument.objects.filter(unit__topic=topic).values_list("pool_document", flat=True)
    return Counter(documents)


def documents_of_units(topic: Topic) -> dict[int, set[int]]:
    return {
        unit.number: set(unit.unit_documents.values_list("pool_document", flat=True))
        for unit in topic.units.all()
    }


def test_opening_plans_the_units_of_every_topic() -> None:
    study = make_study(topics=2, documents=7)
    for topic in study.topics.all():
        assert [unit.number for unit in topic.units.all()] == list(range(1, 13))
        assert sorted(judgments_planned(topic).values()) == [10] * 5 + [11] * 2
        assert not UnitDocument.objects.filter(unit__topic=topic).exclude(pool_document__anchor="").exists()
    entry = AuditEntry.objects.get()
    assert (entry.verb, entry.at, entry.detail) == ("opened", NOW, {"units_planned": 24})


@pytest.mark.parametrize("key", PLATFORM_KEYS)
def test_a_study_that_would_throw_its_workers_ids_away_does_not_open(key: str) -> None:
    study = make_study(opened=False, **{key: "https://platform.example/x"[-40:]})
    with pytest.raises(RefusedError, match=key):
        open_study(study=study, now=NOW)
    assert any(key in fault for fault in readiness(study, now=NOW).faults)
    platform = next(platform for platform in PLATFORMS.values() if key in platform.keys)
    Study.objects.update(platform=platform.name, **dict.fromkeys(platform.needed, "PID"))
    open_study(study=study, now=NOW)


def test_opening_again_after_a_pause_plans_nothing_new() -> None:
    study = make_study()
    units = Unit.objects.count()
    pause_study(study=study, now=NOW)
    open_study(study=study, now=later(60))
    assert Unit.objects.count() == units
    assert verbs() == ["opened", "paused", "opened"]


def test_a_study_that_is_not_ready_stays_a_draft() -> None:
    study = make_study(opened=False)
    Question.objects.filter(topic=study.topics.all()[0]).delete()
    with pytest.raises(RefusedError, match=r"\b401\b"):
        open_study(study=study, now=NOW)
    assert Study.objects.get().state == "draft"
    assert not Unit.objects.exists()
    assert verbs() == []


def test_closing_is_final_and_a_draft_is_not_paused() -> None:
    study = make_study()
    with pytest.raises(RefusedError):
        pause_study(study=make_study(slug="draft", opened=False), now=NOW)
    close_study(study=study, now=NOW)
    for move in (open_study, pause_study, close_study):
        with pytest.raises(RefusedError):
            move(study=study, now=NOW)
    assert Study.objects.get(slug="study").state == "closed"


def test_study_closed_by_force_cancels_says_so_and_lists_them_for_pay() -> None:
    study = make_study()
    live = [make_worker(study, upto=step) for step in ("question", "judging")]
    see(live[1])
    sent = form(live[1])
    done = judge_unit(make_worker(study))
    cancelled = close_study(study=study, now=later(30), force=True)
    assert {item.participation for item in cancelled} == set(live)
    assert {live_assignment(worker).state for worker in live} == {"cancelled"}
    assert {live_assignment(worker).unit.state for worker in live} == {"open"}
    done.refresh_from_db()
    assert (done.state, done.unit.state) == ("completed", "done")
    assert AuditEntry.objects.get(verb="closed").detail == {
        "cancelled": [f"{worker.pseudonym}/1" for worker in live]
    }
    assert set(Event.objects.values_list("kind", flat=True)) == {"cancelled"}
    assert set(Judgment.objects.values_list("assignment", flat=True)) == {done.pk}
    send(live[1], sent, now=later(40))
    assert live_assignment(live[1]).state == "cancelled"
    assert broken_invariants(study) == []


def test_study_closed_without_force_cancels_nothing() -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    assert close_study(study=study, now=NOW) == []
    assert judge_unit(worker).state == "completed"


def test_judgments_per_document_raised() -> None:
    study = make_study(topics=1, documents=8, judgments_per_document=3)
    topic = study.topics.get()
    done = judge_unit(make_worker(study)).unit
    before = documents_of_units(topic)
    Study.objects.update(judgments_per_document=5)
    assert plan_missing_units(study=study) > 0
    after = documents_of_units(topic)
    assert {number: after[number] for number in before} == before
    assert sorted(after) == list(range(1, len(after) + 1))
    assert set(judgments_planned(topic).values()) <= {5, 6}
    assert len(after) == -(-8 * 5 // 6)
    done.refresh_from_db()
    assert done.state == "done"
    assert plan_missing_units(study=study) == 0


def test_draws_depend_on_the_seed_the_topic_and_the_number_of_units_that_the_kind_has() -> None:
    study = make_study(topics=2, documents=7, judgments_per_document=2, seed=3, opened=False)
    for place, document in enumerate(Document.objects.order_by("-pk")):  # stored in another order than sorted
        Document.objects.filter(pk=document.pk).update(document_id=f"D{place:03}")
    open_study(study=study, now=NOW)
    Study.objects.update(judgments_per_document=3)
    plan_missing_units(study=study)
    plan_missing_units(study=study, kind=SIMULATED.name)
    for topic in study.topics.all():
        pool = topic.pool.filter(anchor="").order_by("document__document_id")
        names = list(pool.values_list("document__document_id", flat=True))
        first = plan_units(names, judgments=2, others=6, rng=unit_rng(3, topic.number))
        planned, rng = Counter(chain.from_iterable(first)), unit_rng(3, topic.number, len(first))
        second = plan_units(names, judgments=3, others=6, rng=rng, planned=planned)
        simulated = plan_units(names, judgments=3, others=6, rng=unit_rng(3, topic.number))
        expected = [*first, *second, *simulated]
        rows = UnitDocument.objects.filter(unit__topic=topic).order_by("pk")
        stored: dict[int, list[str]] = {}
        for number, name in rows.values_list("unit__number", "pool_document__document__document_id"):
            stored.setdefault(number, []).append(name)
        assert stored == {number: list(names) for number, names in enumerate(expected, 1)}


def test_topic_retired_with_a_live_unit() -> None:
    study = make_study(topics=2)
    worker = make_worker(study, upto="judging")
    topic = live_assignment(worker).topic
    retire_topic(topic=topic, now=NOW)
    assert set(topic.units.values_list("state", flat=True)) == {"reserved", "retired"}
    newcomer = reserve_unit(participation=make_worker(study), now=NOW, rng=Random(1))
    assert newcomer is not None
    assert newcomer.topic != topic
    assert judge_unit(worker).state == "completed"
    assert set(topic.units.values_list("state", flat=True)) == {"done", "retired"}
    assert "topic_retired" in verbs()
    assert plan_missing_units(study=study) == 0


def test_a_retired_topic_counts_for_nothing_when_the_study_opens_again() -> None:
    study = make_study(topics=2)
    retired, kept = study.topics.order_by("place")
    retire_topic(topic=retired, now=NOW)
    retired.pool.exclude(anchor="").delete()
    result = readiness(study, now=NOW)
    assert (result.faults, [topic.number for topic in result.topics]) == ([], [kept.number])
    pause_study(study=study, now=NOW)
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    assert study.state == "open"


def test_unit_excluded_by_a_researcher() -> None:
    study = make_study(topics=1, judgments_per_document=1)
    unit = judge_unit(make_worker(study)).unit
    assert exclude_unit(unit=unit, reason=" Not careful. ", now=later(300)) is None
    unit.refresh_from_db()
    assert (unit.state, unit.excluded_at, unit.exclusion_reason) == ("done", later(300), "Not careful.")
    assert Judgment.objects.count() == 8
    assert reserve_unit(participation=make_worker(study), now=later(300), rng=Random(1)) is None
    include_unit(unit=unit, now=later(400))
    unit.refresh_from_db()
    assert (unit.excluded_at, unit.exclusion_reason) == (None, "")
    assert verbs() == ["opened", "unit_excluded", "unit_included"]


def test_unit_excluded_and_collected_again() -> None:
    study = make_study(topics=1, judgments_per_document=1)
    worker = make_worker(study)
    unit = judge_unit(worker).unit
    copy = exclude_unit(unit=unit, reason="Not careful.", now=later(300), collect_again=True)
    assert copy is not None
    documents = [set(item.unit_documents.values_list("pool_document", flat=True)) for item in (unit, copy)]
    assert documents[0] == documents[1]
    assert (copy.number, copy.copy_of, copy.state) == (2, unit, "open")
    assert reserve_unit(participation=worker, now=later(300), rng=Random(1)) is None  # had the topic
    assert judge_unit(make_worker(study), now=later(300)).unit == copy
    assert plan_missing_units(study=study) == 0
    assert broken_invariants(study) == []


def test_only_a_done_unit_is_excluded_and_only_with_a_reason() -> None:
    study = make_study(topics=1)
    done = judge_unit(make_worker(study)).unit
    with pytest.raises(RefusedError):
        exclude_unit(unit=study.topics.get().units.get(number=2), reason="No.", now=NOW)
    with pytest.raises(RefusedError):
        exclude_unit(unit=done, reason="  ", now=NOW)
    assert not Unit.objects.filter(excluded_at__isnull=False).exists()


def test_collecting_again_needs_a_running_study_and_excludes_nothing_otherwise() -> None:
    study = make_study(topics=1)
    unit = judge_unit(make_worker(study)).unit
    close_study(study=study, now=NOW)
    with pytest.raises(RefusedError):
        exclude_unit(unit=unit, reason="No.", now=NOW, collect_again=True)
    unit.refresh_from_db()
    assert unit.excluded_at is None


def test_a_unit_is_collected_again_once() -> None:
    study = make_study(topics=1)
    unit = judge_unit(make_worker(study)).unit
    copy = exclude_unit(unit=unit, reason="No.", now=NOW, collect_again=True)
    assert copy is not None
    units = Unit.objects.count()
    exclude_unit(unit=unit, reason="Another reason.", now=NOW)
    with pytest.raises(RefusedError, match=rf"\b{copy.number}\b"):
        exclude_unit(unit=unit, reason="Again.", now=NOW, collect_again=True)
    unit.refresh_from_db()
    assert (Unit.objects.count(), unit.exclusion_reason) == (units, "Another reason.")


def test_what_is_not_excluded_is_not_included_again_nor_a_retired_topic_retired() -> None:
    study = make_study(topics=1)
    unit = judge_unit(make_worker(study)).unit
    with pytest.raises(RefusedError):
        include_unit(unit=unit, now=NOW)
    retire_topic(topic=study.topics.get(), now=NOW)
    with pytest.raises(RefusedError):
        retire_topic(topic=study.topics.get(), now=later(60))
    assert study.topics.get().retired_at == NOW
    assert verbs() == ["opened", "topic_retired"]


def test_giving_a_study_to_a_simulated_crowd_is_audited_once() -> None:
    study = make_study()
    for seconds in (10, 20):
        mark_simulated(study=study, now=later(seconds))
    entry = AuditEntry.objects.get(verb="simulated")
    assert (entry.study, entry.at, entry.actor) == (study, later(10), None)
    real = make_study(slug="real")
    make_worker(real)
    with pytest.raises(RefusedError):
        mark_simulated(study=real, now=NOW)
    assert not AuditEntry.objects.filter(study=real, verb="simulated").exists()


def test_deletion_takes_the_flag_of_an_excluded_unit_away() -> None:
    study = make_study()
    worker = make_worker(study)
    unit = judge_unit(worker).unit
    exclude_unit(unit=unit, reason="No.", now=NOW)
    withdraw(participation=worker, delete_judgments=True, now=NOW)
    unit.refresh_from_db()
    assert (unit.state, unit.excluded_at, unit.exclusion_reason) == ("open", None, "")
