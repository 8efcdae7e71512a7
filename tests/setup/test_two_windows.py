"""Two people, or two windows, at one form of a set-up: nothing that was saved or typed is lost."""

import re

import pytest

from judging.models import Question, Setup, SetupFile, Study, Topic
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)


def version_on(driver: Driver, address: str, form: str = "") -> str:
    """The version that a page's form carries; `form`: a text that stands in the form before it."""
    driver.get(address)
    text = driver.text[driver.text.index(form) :] if form else driver.text
    match = re.search(r'name="version" value="([^"]*)"', text)
    assert match is not None
    return match[1]


def differing(driver: Driver) -> list[tuple[str, str]]:
    """What the page says is saved and was typed, field by field."""
    if 'id="differing"' not in driver.text:
        return []
    body = driver.text.split('id="differing"')[1].split("</tbody>")[0]
    return re.findall(r"<td>(.*?)</td><td>(.*?)</td>", body)


def test_a_field_that_somebody_saved_is_shown_beside_what_was_typed(driver: Driver, setup: Setup) -> None:
    address = at(setup, "study/")
    version = version_on(driver, address)
    driver.post(address, title="First", contact="study@example.org", version=version)
    page = driver.post(address, title="Second", contact="study@example.org", version=version)
    assert driver.status == 409
    assert driver.refused == ["differing"]
    assert differing(driver) == [("First", "Second")]
    assert 'name="title" value="Second"' in page
    assert Study.objects.get().title == "First"
    again = re.search(r'name="version" value="([^"]*)"', page)
    assert again is not None
    driver.post(address, title="Second", contact="study@example.org", version=again[1])
    assert driver.status == 200
    assert Study.objects.get().title == "Second"


def test_forms_of_different_steps_do_not_stand_in_each_others_way(driver: Driver, setup: Setup) -> None:
    version = version_on(driver, at(setup, "study/"))
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.20"})
    driver.post(at(setup, "topics/"), number="9", title="Nine")
    driver.post(at(setup, "study/"), title="Mine", version=version)
    assert driver.status == 200
    assert Study.objects.get().title == "Mine"


def test_pressing_save_twice_is_one_save(driver: Driver, setup: Setup) -> None:
    address = at(setup, "study/")
    version = version_on(driver, address)
    for _ in range(2):
        driver.post(address, title="Twice", version=version)
        assert driver.status == 200
        assert len(driver.told()) == 1


def test_a_program_that_sends_no_version_just_writes(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "study/"), title="Written")
    assert Study.objects.get().title == "Written"


@pytest.mark.parametrize("version", ["x" * 10_000, "0", "\x1f"])
def test_a_broken_version_loses_nothing_that_was_typed(driver: Driver, setup: Setup, version: str) -> None:
    page = driver.post(at(setup, "study/"), title="Typed", version=version)
    assert driver.status == 409
    assert 'value="Typed"' in page


QUESTION = {"option-0": "one", "option-1": "two", "option-2": "three", "option-3": "four", "right": "2"}


def test_a_question_that_both_wrote(driver: Driver, setup: Setup) -> None:
    address = at(setup, "topic/?number=007")
    version = version_on(driver, address)
    driver.post(address, action="save", question="Theirs?", **QUESTION, version=version)
    driver.post(address, action="save", question="Mine?", **{**QUESTION, "right": "1"}, version=version)
    assert driver.status == 409
    assert differing(driver) == [("Theirs?", "Mine?"), ("3", "2")]
    assert Question.objects.get(topic__number="007").text == "Theirs?"


def test_a_topic_that_was_deleted_meanwhile_loses_no_words(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "topics/"), number="9", title="Nine")
    address = at(setup, "topic/?number=9")
    version = version_on(driver, address)
    driver.post(address, action="delete")
    form = {"action": "save", "number": "9", "title": "Nine", "description": "Typed", "question": "Mine?"}
    page = driver.post(address, **form, version=version)
    assert driver.status == 409
    assert driver.refused == [""]
    assert "Typed" in page
    assert not Topic.objects.filter(number="9").exists()
    driver.post(address, **form, version="gone")
    assert Topic.objects.get(number="9").description == "Typed"
    assert driver.client.get(at(setup, "topic/?number=absent")).status_code == 404
    assert driver.client.post(at(setup, "topic/?number=absent")).status_code == 404


def test_a_topic_that_got_another_number_meanwhile_is_not_deleted(driver: Driver, setup: Setup) -> None:
    address = at(setup, "topic/?number=007")
    version = version_on(driver, address)
    topic = Topic.objects.get(number="007")
    title, form = topic.title, {"action": "save", "topic_key": str(topic.pk), "version": version}
    driver.post(address, **form, number="7", title=title)
    page = driver.post(address, **form, number="007", title="Mine")
    assert driver.status == 409
    assert differing(driver) == [("7", "007"), (title, "Mine")]
    assert f'name="topic_key" value="{topic.pk}"' in page
    assert at(setup, "topic/?number=7") in page, "the way to what is saved"
    driver.post(address, **form, number="7", title="Mine")
    assert set(Topic.objects.filter(title="Mine")) == set()
    assert Topic.objects.get(pk=topic.pk).number == "7"


@pytest.mark.parametrize("key", ["", "x", "9" * 30])
def test_deleting_a_topic_twice_is_deleting_it_once(driver: Driver, setup: Setup, key: str) -> None:
    driver.post(at(setup, "topics/"), number="9", title="Nine")
    for level in ("success", "warning"):
        driver.post(at(setup, "topic/?number=9"), action="delete", topic_key=key, question="", title="Nine")
        assert (driver.status, len(driver.told(level)), driver.refused) == (200, 1, [])
        assert not Topic.objects.filter(number="9").exists()


def test_anchors_that_both_chose(driver: Driver, setup: Setup) -> None:
    address = at(setup, "anchors/?number=007")
    version = version_on(driver, address)
    driver.post(address, H="007-H", N="007-N", version=version)
    page = driver.post(address, H="007-R", N="007-N", reason="The best.", version=version)
    assert driver.status == 409
    assert ("007-H", "007-R") in differing(driver)
    assert '<option value="007-R" selected>' in page
    assert Topic.objects.get(number="007").named_h == "007-H"


def test_depth_and_grades(driver: Driver, setup: Setup) -> None:
    address = at(setup, "files/")
    depth = version_on(driver, address, 'aria-labelledby="depth-of-pool"')
    grades = version_on(driver, address, 'aria-label="Grades of')
    driver.post(address, action="pool", depth="5", version=depth)
    page = driver.post(address, action="pool", depth="6", version=depth)
    assert differing(driver) == [("5", "6")]
    assert 'name="depth" value="6"' in page
    form = {"action": "grades", "path": "qrels.txt", "name": "theirs", "unlisted": "", "version": grades}
    driver.post(address, **form)
    page = driver.post(address, **{**form, "name": "mine"})
    assert differing(driver) == [("theirs", "mine")]
    assert 'name="name" value="mine"' in page
    driver.post(address, action="remove", name="qrels.txt")
    driver.post(address, **form)
    assert driver.refused == [""]
    assert not SetupFile.objects.filter(kind="grades").exists()
