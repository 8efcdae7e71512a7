"""Several topics deleted at once: chosen, shown with what goes with them, confirmed, or refused."""

import re

import pytest

from judging.core.services.studies import open_study
from judging.models import Judgment, Question, Setup, Study, Topic
from tests.factories import NOW, judge_unit, make_worker
from tests.setup.driving import Driver, at
from tests.setup.intake.folder import StudyFolder, grade_lines, topic_text
from tests.support.problems import problems_in

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "topics/delete/"


@pytest.fixture
def many(driver: Driver, setup: Setup, folder: StudyFolder) -> Setup:
    """The set-up with four topics: 007 and 1e5 have runs and grades, 8 has grades, and 9 has nothing."""
    folder.write("more.txt", topic_text("8") + topic_text("9"))
    driver.upload(setup, "topics", folder.path / "more.txt")
    folder.write("eight.qrels", grade_lines("8"))
    driver.upload_grades(setup, folder.path / "eight.qrels")
    return setup


def numbers(setup: Setup) -> list[str]:
    topics = Topic.objects.filter(study=setup.study).order_by("place")
    assert list(topics.values_list("place", flat=True)) == list(range(len(topics)))
    return list(topics.values_list("number", flat=True))


def confirm(driver: Driver, setup: Setup) -> str:
    selected = re.search(r'name="selected" value="([^"]*)"', driver.text)
    assert selected is not None
    return driver.post(at(setup, PAGE), action="delete", selected=selected[1])


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"choice": "selected", "topic": ["9", "007"]}, ["1e5", "8"]),
        ({"choice": "grades"}, ["007", "1e5", "8"]),
        ({"choice": "run"}, ["007", "1e5"]),
        ({"choice": "these", "only": "8, 1e5"}, ["1e5", "8"]),
        ({"choice": "grades", "topic": ["007"]}, ["007", "1e5", "8"]),
    ],
)
def test_the_chosen_topics_are_shown_and_then_deleted(
    driver: Driver, many: Setup, fields: dict[str, str | list[str]], left: list[str]
) -> None:
    before = numbers(many)
    going = [number for number in before if number not in left]
    page = driver.post(at(many, PAGE), action="show", **fields)
    assert (driver.status, numbers(many)) == (200, before), "deleted without a question"
    assert f"{len(left)} topics stay." in page
    assert [f'<li dir="auto">{number} title of {number}</li>' in page for number in before] == [
        number in going for number in before
    ]
    confirm(driver, many)
    assert numbers(many) == left
    assert Question.objects.filter(topic__study=many.study).count() == len({"007", "1e5"} & set(left))
    assert [str(len(going)) in text for text in driver.told()] == [True]


def test_what_goes_with_a_topic_is_counted(driver: Driver, many: Setup) -> None:
    page = driver.post(at(many, PAGE), action="show", choice="selected", topic=["007"])
    facts = re.findall(r"<dt>([^<]*)</dt><dd>(\d+)</dd>", page)
    assert [int(number) for _name, number in facts][:5] == [1, 0, 8, 4, 2]


@pytest.mark.parametrize(
    ("fields", "field", "names"),
    [
        ({"choice": "selected"}, "choices", ""),
        ({"choice": "selected", "topic": "77"}, "choices", ""),
        ({"choice": "other"}, "choices", ""),
        ({"choice": "these", "only": ""}, "only", ""),
        ({"choice": "these", "only": "8 77"}, "only", "77"),
        ({"choice": "these", "only": "007 1e5 8 9"}, "choices", ""),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused_at_its_field(
    driver: Driver, many: Setup, fields: dict[str, str], field: str, names: str
) -> None:
    before = numbers(many)
    driver.post(at(many, PAGE), action="show", **fields)
    [(place, message)] = problems_in(driver.text)
    assert (driver.status, place) == (400, field)
    assert names in message
    assert f'id="{field}"' in driver.text
    assert numbers(many) == before


def test_without_runs_no_topic_would_be_left(driver: Driver) -> None:
    setup = driver.begin("Empty")
    driver.post(at(setup, "topics/"), number="1", title="One")
    driver.post(at(setup, PAGE), action="show", choice="run")
    assert driver.refused == ["choices"]
    assert numbers(setup) == ["1"]


def test_every_topic_can_be_selected_in_the_list(driver: Driver, many: Setup) -> None:
    page = driver.get(at(many, "topics/"))
    boxes = re.findall(
        r'<input type="checkbox" name="topic" value="([^"]+)" form="choose" aria-label="', page
    )
    assert boxes == numbers(many)
    assert f'id="choose" action="{at(many, PAGE)}"' in page


def test_topics_deleted_meanwhile_are_no_error(driver: Driver, many: Setup) -> None:
    driver.post(at(many, PAGE), action="delete", selected="77")
    assert len(driver.told("warning")) == 1


def test_judged_topics_stay_and_are_named(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.20", "pay.paid_within": "7"})
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    judge_unit(make_worker(study))
    changes = driver.change(study)
    [judged] = Judgment.objects.order_by().values_list("assignment__topic__number", flat=True).distinct()
    before = numbers(changes)
    for action in ("show", "delete"):
        fields = {"topic": before} if action == "show" else {"selected": " ".join(before)}
        driver.post(at(changes, PAGE), action=action, choice="selected", **fields)
        [(field, message)] = problems_in(driver.text)
        assert (driver.status, field) == (400, "choices")
        assert f"topic {judged}," in message
    driver.post(at(changes, f"topic/?number={judged}"), action="delete")
    assert len(problems_in(driver.text)) == 1
    assert numbers(changes) == before
