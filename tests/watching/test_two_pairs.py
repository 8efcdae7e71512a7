"""Bad anchors in a study with two pairs: each pair is looked at on its own, and all four can be replaced."""

from collections.abc import Callable

import pytest
from django.test import Client

from judging.models import Event, Judgment, PoolDocument, Study, Topic, UnitDocument
from judging.watching.selectors.topic_quality import TopicQuality, topic_quality
from tests.factories import honest, inverted, judge_unit, make_study, make_worker
from tests.support.integrity import broken_invariants
from tests.watching.conftest import read

pytestmark = pytest.mark.django_db


def inverting(*anchors: str) -> Callable[[Judgment], str]:
    """Judge honestly, apart from these anchors."""
    return lambda judgment: (inverted if judgment.pool_document.anchor in anchors else honest)(judgment)


SECOND, BOTH = inverting("H2", "N2"), inverting("H", "N", "H2", "N2")


@pytest.fixture
def study() -> Study:
    """One topic whose second pair most workers see the other way round."""
    study = make_study(topics=1, documents=8, anchor_pairs=2, judgments_per_document=9)
    for magnitude in (honest, SECOND, SECOND, SECOND, SECOND, BOTH):
        judge_unit(make_worker(study), magnitude=magnitude)
    return study


def only(study: Study) -> TopicQuality:
    (topic,) = topic_quality(study)
    return topic


def test_only_the_pair_that_workers_fail_is_bad(study: Study) -> None:
    orders = Event.objects.filter(kind="anchors_failed").order_by("pk").values_list("anchors", flat=True)
    assert [*orders] == ["ordered inverted"] * 4 + ["inverted inverted"]
    topic = only(study)
    first, second = topic.pairs
    assert (first.h_id, first.n_id, second.h_id, second.n_id) == ("D401-H", "D401-N", "D401-H2", "D401-N2")
    assert (first.record.workers, first.record.failed, first.record.inverted) == (6, 1, 1)
    assert (second.record.workers, second.record.failed, second.record.inverted) == (6, 5, 5)
    assert (topic.pair.workers, topic.pair.failed, topic.pair.inverted, topic.pair.tied) == (6, 5, 5, 0)
    assert topic.bad_pairs == [second]
    assert (topic.h_id, topic.n_id) == ("D401-H D401-H2", "D401-N D401-N2")
    assert broken_invariants(study) == []


def test_the_pages_name_the_bad_pair(study: Study, console: Client) -> None:
    page = read(console, "quality/")
    assert "with H anchor D401-H2 and N anchor D401-N2" in page
    assert "with H anchor D401-H " not in page
    page = read(console, "quality/topic/?number=401")
    assert "H2 D401-H2, N2 D401-N2:" in page
    assert "Second pair: H2 anchor D401-H2 , N2 anchor D401-N2" in page


def test_all_four_anchors_are_set_anew(study: Study, console: Client) -> None:
    address = "/console/studies/study/quality/topic/?number=401"
    PoolDocument.objects.filter(topic__number="401", anchor="").update(grade="")
    new = {"H": "D401-H", "N": "D401-N", "H2": "D401-000", "N2": "D401-001"}
    same = {**new, "N2": "D401-000"}
    answer = console.post(address, {"action": "replace", "sure": "on", **same}, follow=True)
    assert "Two anchors are the same document" in answer.content.decode()
    console.post(address, {"action": "replace", "sure": "on", **new})
    copy = Topic.objects.get(number="401-2")
    pool = copy.pool.exclude(anchor="").values_list("anchor", "document__document_id")
    assert dict(pool) == new
    units = UnitDocument.objects.filter(unit__topic=copy)
    assert {units.filter(unit=unit).count() for unit in copy.units.all()} == {4}
    assert broken_invariants(study) == []
