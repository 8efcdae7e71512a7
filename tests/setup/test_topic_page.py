"""The page of a topic: a drafted question that is not saved, and a preview of what workers see."""

import re

import pytest

from judging.models import Question, Setup, Topic
from judging.setup.topics import add_topic
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)

NOTHING = {"question": "", **{f"option-{place}": "" for place in range(4)}}


@pytest.fixture
def described(setup: Setup) -> Setup:
    """A set-up with four topics with descriptions; topic 007 has no question."""
    Question.objects.filter(topic__number="007").delete()
    for number in ("8", "9"):
        topic = add_topic(setup.study, number=number, title=f"Title {number}")
        Topic.objects.filter(pk=topic.pk).update(description=f"Why {number} is so.\nAnd more.")
    return setup


def options(page: str) -> list[str]:
    found = dict(re.findall(r'name="option-(\d)" value="([^"]*)"', page))
    return [found.get(str(place), "") for place in range(4)]


def test_a_question_is_drafted_and_not_saved(driver: Driver, described: Setup) -> None:
    address = at(described, "topic/?number=007")
    before = described.version
    page = driver.post(address, action="draft", **NOTHING)
    assert driver.status == 200
    assert "data-drafted" in page
    assert sorted(options(page)) == ["What 007 is.", "What 1e5 is.", "Why 8 is so.", "Why 9 is so."]
    assert options(page)[0] == "What 007 is."
    assert re.search(r'name="right" value="0"[^>]* checked', page)
    assert page.count('class="holds"') >= 4
    assert 'role="alert"' not in page
    assert not Question.objects.filter(topic__number="007").exists()
    assert Setup.objects.get(pk=described.pk).version == before
    typed = {f"option-{place}": option for place, option in enumerate(options(page))}
    driver.post(address, action="save", question="What?", right="0", **typed)
    assert Question.objects.get(topic__number="007").options == options(page)


def test_only_empty_fields_are_filled_and_what_was_typed_stays(driver: Driver, described: Setup) -> None:
    typed = NOTHING | {"question": "Mine?", "option-1": "Also mine", "right": "1", "title": "Typed just now"}
    page = driver.post(at(described, "topic/?number=007"), action="draft", **typed)
    assert ">Mine?</textarea>" in page.replace("> Mine?", ">Mine?")
    assert options(page)[1] == "Also mine"
    assert re.search(r'name="right" value="1"[^>]* checked', page)
    assert "What 007 is." not in options(page), "there would be two right options"
    assert 'value="Typed just now"' in page
    assert Topic.objects.get(number="007").title == "title of 007"


def test_too_few_topics_leave_options_empty(driver: Driver, setup: Setup) -> None:
    Question.objects.filter(topic__number="007").delete()
    page = driver.post(at(setup, "topic/?number=007"), action="draft", **NOTHING)
    assert options(page) == ["What 007 is.", "What 1e5 is.", "", ""]
    assert 'class="fails"' in page


def test_a_draft_of_an_unknown_topic_is_refused(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "topic/?number=no%20such"), action="draft", **NOTHING)
    assert driver.status == 404
    driver.post(at(setup, "topic/?number=8"), action="draft")
    assert driver.status == 404


def test_a_draft_does_not_hide_that_somebody_saved_meanwhile(driver: Driver, described: Setup) -> None:
    address = at(described, "topic/?number=007")
    version = driver.get(address).split('name="version" value="')[1].split('"')[0]
    Topic.objects.filter(number="007").update(title="Theirs")
    page = driver.post(address, action="draft", version=version, title="Mine", **NOTHING)
    assert driver.status == 200
    assert f'name="version" value="{version}"' in page
    driver.post(address, action="save", version=version, title="Mine", **NOTHING)
    assert driver.status == 409
    assert Topic.objects.get(number="007").title == "Theirs"


def test_the_topic_is_shown_as_workers_see_it(driver: Driver, setup: Setup) -> None:
    page = driver.get(at(setup, "topic/?number=007")).split("data-seen=")[1]
    for text in ("title of 007", "What 007 is.", "What does topic 007 ask for?", "three", "Text of 007-A."):
        assert text in page
    for name in ("topic", "option", "document"):
        assert f'class="{name}"' in page, "a class of the workers' style sheet"


def test_the_preview_follows_what_is_typed_and_saves_nothing(driver: Driver, setup: Setup) -> None:
    topic = Topic.objects.get(number="007")
    typed = {
        "topic_key": str(topic.pk),
        "number": "7",
        "title": "<b>New</b>",
        "question": "Q?",
        "option-0": "first",
    }
    answer = driver.client.post(at(setup, "topic/preview/"), typed)
    page = answer.content.decode()
    assert answer.status_code == 200
    for text in ("&lt;b&gt;New&lt;/b&gt;", "Q?", "first", "Text of 007-A."):
        assert text in page
    assert Topic.objects.get(number="007").title == "title of 007"
    for key in ("", "0", "x", "9" * 30):
        answer = driver.client.post(at(setup, "topic/preview/"), {"topic_key": key, "title": "T"})
        assert answer.status_code == 200
        assert "Text of" not in answer.content.decode()


def test_texts_are_shown_with_the_workers_style(driver: Driver, setup: Setup) -> None:
    page = driver.get(at(setup, "texts/"))
    assert page.count("data-previewed") == page.count("preview as-worker") > 0


def test_a_draft_uses_the_narrative_of_a_topic_without_a_description(
    driver: Driver, described: Setup
) -> None:
    Topic.objects.filter(number__in=["007", "8"]).update(description="")
    Topic.objects.filter(number="8").update(narrative="Only proofs. No sketches.")
    page = driver.post(at(described, "topic/?number=007"), action="draft", description="", **NOTHING)
    assert options(page)[0] == "What is relevant to 007."
    assert "Only proofs." in options(page)


def test_saving_leads_to_the_next_topic(driver: Driver, described: Setup) -> None:
    numbers = list(Topic.objects.order_by("place").values_list("number", flat=True))
    for number, following in zip(numbers, [*numbers[1:], numbers[-1]], strict=True):
        page = driver.get(at(described, f"topic/?number={number}"))
        assert ('value="next"' in page) == (number != following)
        answer = driver.client.post(
            at(described, f"topic/?number={number}"), {"action": "next", "description": "New."}
        )
        assert answer.url == at(described, f"topic/?number={following}")
        assert Topic.objects.get(number=number).description == "New."


def test_the_list_of_topics_shows_what_the_checklist_finds(driver: Driver, setup: Setup) -> None:
    assert "data-advice" not in driver.get(at(setup, "topics/"))
    Question.objects.filter(topic__number="007").update(options=["one", "none of these", "three", "four"])
    page = driver.get(at(setup, "topics/"))
    assert page.count("data-advice") == 1
    row = next(row for row in page.split("<tr") if "number=007" in row)
    assert "data-advice" in row
