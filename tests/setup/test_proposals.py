"""Anchors without known grades: proposed by runs and pilots, confirmed one by one, and recorded."""

import re
import tomllib
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.core.selectors.anchors import anchor_warnings
from judging.core.services.studies import open_study
from judging.models import Judgment, Setup, Study, Topic
from tests.factories import NOW, judge_unit, later, make_worker
from tests.setup.driving import Driver, at, zipped
from tests.setup.intake.folder import LETTERS, TOPICS, StudyFolder, run_lines

pytestmark = pytest.mark.django_db(transaction=True)

H_REASON = "H proposed by the runs good, third, poor (ranks 4, 4, 5)."
N_REASON = "N proposed by the run third (rank 8)."


@pytest.fixture
def ungraded(driver: Driver, folder: StudyFolder) -> Setup:
    """A set-up without grades. Its third run agrees with the good one, but ends with another document."""
    folder.replace("study.toml", '[[grades]]\nname = "sormunen"\npath = "qrels.txt"\n', "")
    folder.replace(
        "study.toml",
        '[[run]]\npath = "poor.run"',
        '[[run]]\npath = "third.run"\n\n[[run]]\npath = "poor.run"',
    )
    lines = "".join(
        run_lines(number, LETTERS[:7], "third") + f"{number} Q0 unpooled 8 1 third\n" for number in TOPICS
    )
    folder.write("third.run", lines)
    result = driver.upload_study("small.zip", zipped(folder.path))
    assert result is not None
    return result


def proposals(page: str) -> dict[str, list[str]]:
    """Return the documents that a page proposes, by anchor."""
    listed: dict[str, list[str]] = {}
    for grade, document in re.findall(r'data-proposal="(\w)" data-document="([^"]*)"', page):
        listed.setdefault(grade, []).append(document)
    return listed


def named() -> tuple[str, str, str]:
    return Topic.objects.values_list("named_h", "named_n", "anchor_reason").get(number="007")


def test_runs_propose_and_nothing_is_chosen(driver: Driver, ungraded: Setup) -> None:
    page = driver.get(at(ungraded, "anchors/?number=007"))
    # all runs have N and A among their first five, two have H, R and M; only one has the last document
    assert proposals(page) == {"H": ["007-N", "007-A", "007-H"], "N": ["unpooled"]}
    assert page.count('data-by="runs"') == 4
    assert "poor: rank 5" in page
    assert named() == ("", "", "")
    assert driver.step_counts == {"anchors": 1}, "one problem for all topics"


def test_a_proposal_is_read_before_it_is_confirmed(driver: Driver, ungraded: Setup) -> None:
    page = driver.client.get(at(ungraded, "anchors/?number=007")).content.decode()
    link = re.search(r'href="(\?number=007&amp;H=007-A)#texts"', page)
    assert link
    assert "Text of 007-A." in driver.get(at(ungraded, f"anchors/{link[1].replace('&amp;', '&')}"))
    assert named() == ("", "", "")


def test_each_proposal_is_confirmed_alone_and_recorded(driver: Driver, ungraded: Setup) -> None:
    address = at(ungraded, "anchors/?number=007")
    driver.post(address, H="007-N", take="yes")
    assert named() == ("007-N", "", H_REASON)
    page = driver.post(address, N="unpooled", take="yes")
    assert named() == ("007-N", "unpooled", f"{H_REASON} {N_REASON}")
    assert driver.step_counts == {"anchors": 1}, "the other topic has no anchors"
    assert "data-recorded" in page
    assert len(re.findall(r'<p class="notice">Topic 007:', page)) == 2
    driver.get(at(ungraded))
    notices = driver.items("notices")
    assert ["good, third, poor" in notice for notice in notices] == [True, False]
    file = tomllib.loads(driver.client.get(at(ungraded, "study.toml")).content.decode())
    assert file["anchor"] == [
        {"topic": "007", "H": "007-N", "N": "unpooled", "reason": f"{H_REASON} {N_REASON}"}
    ]
    study = Study.objects.get(setup=ungraded)
    assert len(anchor_warnings(study)) == 2


def test_a_proposal_that_is_picked_from_the_list_is_recorded_too(driver: Driver, ungraded: Setup) -> None:
    address = at(ungraded, "anchors/?number=007")
    driver.post(address, H="007-N", N="007-B", take="yes")
    assert named() == ("007-N", "007-B", H_REASON)


def test_the_record_follows_the_anchor(driver: Driver, ungraded: Setup) -> None:
    address = at(ungraded, "anchors/?number=007")
    driver.post(address, H="007-N", N="unpooled", take="yes")
    driver.post(address, H="007-B", take="yes")
    assert named() == ("007-B", "unpooled", N_REASON)
    driver.post(address, H="007-B", N="007-C", take="yes")
    assert named() == ("007-B", "007-C", "")
    driver.post(address, H="007-N", take="yes")
    assert named()[2] == H_REASON
    driver.post(address, draw="yes")
    assert named() == ("", "", "")


def test_one_document_is_not_confirmed_for_both(driver: Driver, ungraded: Setup) -> None:
    address = at(ungraded, "anchors/?number=007")
    driver.post(address, H="007-N", N="007-B", take="yes")
    driver.post(address, N="007-N", take="yes")
    assert driver.refused == ["H"]
    assert named()[:2] == ("007-N", "007-B")


def test_somebody_elses_choice_is_not_overwritten(driver: Driver, ungraded: Setup) -> None:
    address = at(ungraded, "anchors/?number=007")
    page = driver.client.get(address).content.decode()
    version = page.split('data-proposal="H"')[1].split('name="version" value="')[1].split('"')[0]
    Topic.objects.filter(number="007").update(named_h="007-B")
    driver.post(address, H="007-N", version=version, take="yes")
    assert driver.status == 409
    assert named()[0] == "007-B"


def test_a_topic_with_known_grades_needs_no_proposals(driver: Driver, setup: Setup) -> None:
    assert proposals(driver.get(at(setup, "anchors/?number=007"))) == {}
    driver.post(at(setup, "anchors/?number=007"), H="007-N", N="007-A", reason="Mine.", take="yes")
    assert named() == ("007-N", "007-A", "Mine.")


def test_anchors_that_can_no_longer_change_are_not_proposed(driver: Driver, ungraded: Setup) -> None:
    for number in TOPICS:
        driver.post(at(ungraded, f"anchors/?number={number}"), H=f"{number}-N", N="unpooled", take="yes")
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    changes = driver.change(study)
    assert proposals(driver.get(at(changes, "anchors/?number=007")))
    study.refresh_from_db()
    make_worker(study, upto="question")
    driver.post(at(changes), action="check")
    assert proposals(driver.get(at(changes, "anchors/?number=007"))) == {}


def test_a_check_of_an_earlier_version_proposes_nothing(driver: Driver, ungraded: Setup) -> None:
    job = Setup.objects.get(pk=ungraded.pk).job
    assert job is not None
    for topic in job.result["topics"]:
        del topic["proposals"]
    del job.result["overlap"]
    job.save()
    assert proposals(driver.get(at(ungraded, "anchors/?number=007"))) == {}
    assert 'id="overlap"' not in driver.get(at(ungraded, "files/"))


@pytest.fixture
def shallow(driver: Driver, ungraded: Setup) -> Setup:
    """A pool so shallow that no document of it is proposed as N."""
    driver.post(at(ungraded, "files/"), action="pool", depth="2")
    return ungraded


def test_a_shallow_pool_gets_n_from_the_top_of_another_topic(driver: Driver, shallow: Setup) -> None:
    address = at(shallow, "anchors/?number=007")
    page = driver.get(address)
    other = proposals(driver.get(at(shallow, "anchors/?number=1e5")))
    assert proposals(page)["N"] == other["H"]
    assert page.count('data-by="topic"') == len(other["H"])
    document = proposals(page)["N"][0]
    assert f"Text of {document}." in driver.get(f"{address}&N={document}")
    driver.post(address, N=document, take="yes")
    assert named() == ("", document, "N proposed from the top of topic 1e5, as no run retrieves it here.")
    assert Topic.objects.get(number="007").pool.get(anchor="N").document.document_id == document
    driver.get(at(shallow))
    assert driver.items("notices") == [], "it favours no run"


def offered(page: str) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for grade, document in re.findall(r'data-offered="(\w)" data-document="([^"]*)"', page):
        listed.setdefault(grade, []).append(document)
    return listed


def test_the_proposals_of_all_topics_are_saved_together(driver: Driver, shallow: Setup) -> None:
    address = at(shallow, "anchors/")
    page = driver.get(address)
    assert offered(page) == {
        "H": ["007-H", "007-R", "1e5-H", "1e5-R"],
        "N": ["1e5-H", "1e5-R", "007-H", "007-R"],
    }
    keys = {topic.number: topic.pk for topic in Topic.objects.all()}
    driver.post(address, take="yes")
    assert named() == ("", "", "")
    picked = {f"H-{keys['007']}": "007-H", f"N-{keys['007']}": "1e5-H", f"H-{keys['1e5']}": "1e5-H"}
    page = driver.post(address, take="yes", **picked)
    assert named()[:2] == ("007-H", "1e5-H")
    assert named()[2].count(" proposed ") == 2
    assert Topic.objects.get(number="1e5").named_h == "1e5-H"
    assert offered(page) == {"N": ["007-H", "007-R"]}
    page = driver.post(address, take="yes", **{f"N-{keys['1e5']}": "007-H"})
    assert offered(page) == driver.step_counts == {}


def test_saving_all_overwrites_nobodys_choice(driver: Driver, shallow: Setup) -> None:
    topic = Topic.objects.get(number="007")
    address = at(shallow, "anchors/")
    page = driver.get(address)
    version = page.split(f'name="version-{topic.pk}" value="')[1].split('"')[0]
    Topic.objects.filter(pk=topic.pk).update(named_n="007-B")
    driver.post(address, take="yes", **{f"H-{topic.pk}": "007-H", f"version-{topic.pk}": version})
    assert named()[:2] == ("", "007-B")
    assert driver.refused == [""]


def test_the_page_of_all_proposals_takes_the_same_queries_for_more_topics(
    driver: Driver, shallow: Setup, django_assert_num_queries: Any
) -> None:
    address = at(shallow, "anchors/")
    driver.get(address)
    with CaptureQueriesContext(connection) as before:
        driver.get(address)
    Topic.objects.filter(number="007").update(named_h="007-H", named_n="1e5-H")
    with django_assert_num_queries(len(before)):
        driver.get(address)


def test_any_document_of_the_collection_can_be_typed(driver: Driver, shallow: Setup) -> None:
    address = at(shallow, "anchors/?number=007")
    page = driver.post(address, **{"H": "007-H", "other-H": "007-D", "other-N": "unpooled", "take": "yes"})
    assert named()[:2] == ("007-D", "unpooled")
    assert driver.step_counts == {"anchors": 1}, "the other topic"
    assert re.search(r'<option value="unpooled" selected', page)
    page = driver.post(address, **{"other-H": "nowhere", "take": "yes"})
    assert re.search(r'name="other-H"[^>]* value="nowhere"', page)
    driver.get(at(shallow))
    assert ("topic 007", "anchor.H") in [(fault.where, fault.field) for fault in driver.faults]


def test_nothing_is_drawn_where_no_grades_are_known(driver: Driver, ungraded: Setup) -> None:
    page = driver.get(at(ungraded, "anchors/?number=007"))
    assert 'name="draw"' not in page
    assert "[[anchor]]" not in page
    assert len(driver.faults) == 1


def test_drawn_anchors_can_be_drawn_again(driver: Driver, setup: Setup) -> None:
    assert 'name="draw"' in driver.get(at(setup, "anchors/?number=007"))


@pytest.fixture
def piloted(driver: Driver, setup: Setup) -> Setup:
    """A copy, without grades, of a study in which three workers judged every document of every topic."""
    driver.post("/console/studies/small/copy/")
    copied = Setup.objects.latest("pk")
    driver.post(at(copied, "files/"), action="remove", name="qrels.txt")
    Study.objects.filter(slug="small").update(seconds_per_document=0)
    study = Study.objects.get(slug="small")
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    for _ in range(3):
        worker = make_worker(study)
        for unit in range(len(TOPICS)):
            judge_unit(worker, now=later(minutes=30 * unit))
    return copied


def test_a_pilot_proposes_by_its_medians(driver: Driver, piloted: Setup) -> None:
    address = at(piloted, "anchors/?number=007")
    anchors = {
        anchor: Topic.objects.get(study__slug="small", number="007")
        .pool.get(anchor=anchor)
        .document.document_id
        for anchor in "HN"
    }
    page = driver.get(address)
    by_pilot = page.count('data-by="pilot"')
    assert by_pilot
    assert proposals(page)["H"][0] == anchors["H"]
    assert proposals(page)["N"][0] == anchors["N"]
    driver.post(address, H=anchors["H"], take="yes")
    topic = Topic.objects.get(study=piloted.study, number="007")
    assert topic.named_h == anchors["H"]
    assert topic.anchor_reason.startswith("H proposed by 3 judgments of a pilot (median ")
    driver.get(at(piloted))
    assert driver.items("notices") == [], "a pilot favours no run"


def test_what_earlier_workers_gave_is_beside_the_text(driver: Driver, piloted: Setup) -> None:
    page = driver.client.get(at(piloted, "anchors/?number=007&H=007-H&N=007-A")).content.decode()
    assert page.count('data-earlier="3"') == 2
    shown = [float(value) for value in re.findall(r'<data value="([\d.]+)">', page.split('id="texts"')[1])]
    assert len(shown) == 2
    assert shown[0] > shown[1]


def test_judgments_of_the_changed_study_count_under_another_title(driver: Driver, piloted: Setup) -> None:
    changes = driver.change(Study.objects.get(slug="small"))
    Topic.objects.filter(study=changes.study).update(title="Better")
    Topic.objects.filter(study=piloted.study).update(title="Better")
    assert 'data-earlier="3"' in driver.get(at(changes, "anchors/?number=007&H=007-A"))
    assert 'data-earlier="0"' in driver.get(at(piloted, "anchors/?number=007&H=007-A"))


def test_studies_without_magnitudes_are_left_out(driver: Driver, piloted: Setup) -> None:
    Study.objects.filter(slug="small").update(purpose="analysis", state="closed", scale="rating")
    Judgment.objects.update(number=0)
    page = driver.get(at(piloted, "anchors/?number=007&H=007-A"))
    assert driver.status == 200
    assert 'data-earlier="0"' in page
