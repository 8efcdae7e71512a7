"""Two people, or two windows, at one form of a set-up: nothing that was saved or typed is lost."""

import re

import pytest

from judging.intake.draft_fields import SECTIONS
from judging.intake.draft_merging import merge, stamp
from judging.intake.drafting import values_of
from judging.models import Draft
from tests.setup.driving import Driver, at


class TestMerging:
    seen = stamp({"a": "1", "b": "2"})

    def test_what_only_one_changed_is_taken_from_that_one(self) -> None:
        merged = merge(self.seen, {"a": "theirs", "b": "2"}, {"a": "1", "b": "mine"})
        assert merged.values == {"a": "theirs", "b": "mine"}
        assert merged.kept == ["a"]
        assert not merged.conflicts

    def test_what_both_changed_is_left_to_decide_with_what_was_typed(self) -> None:
        merged = merge(self.seen, {"a": "theirs", "b": "2"}, {"a": "mine", "b": "2"})
        assert merged.conflicts == ["a"]
        assert merged.values["a"] == "mine"

    def test_the_same_change_twice_is_none(self) -> None:
        merged = merge(self.seen, {"a": "same", "b": "2"}, {"a": "same", "b": "2"})
        assert not merged.conflicts
        assert not merged.kept

    def test_line_ends_and_space_around_are_no_change(self) -> None:
        seen = stamp({"a": "one\ntwo"})
        assert merge(seen, {"a": "theirs"}, {"a": "one\r\ntwo \r\n"}).kept == ["a"]

    def test_a_program_that_sends_no_stamp_just_writes(self) -> None:
        assert merge("", {"a": "there"}, {"a": "new"}).values == {"a": "new"}

    @pytest.mark.parametrize(
        ("seen", "conflicts"),
        [("=", []), ("a", []), ("x" * 10_000, []), ("a=", ["a"]), ("a=zz b=\x00", ["a"])],
    )
    def test_a_broken_stamp_loses_nothing_that_was_typed(self, seen: str, conflicts: list[str]) -> None:
        """It names no part, and the form just writes; or one as it never was, and somebody is asked."""
        merged = merge(seen, {"a": "1"}, {"a": "2"})
        assert (merged.values, merged.kept, merged.conflicts) == ({"a": "2"}, [], conflicts)


def seen_on(driver: Driver, address: str, form: str = "") -> str:
    """The stamp that a page's form carries; `form`: a text that stands in the form before it."""
    driver.get(address)
    text = driver.text[driver.text.index(form) :] if form else driver.text
    found = re.search(r'name="seen" value="([^"]*)"', text)
    assert found is not None
    return found[1]


def values(draft: Draft) -> dict[str, object]:
    draft.refresh_from_db()
    return values_of(draft)


pytestmark = pytest.mark.django_db(transaction=True)


def test_fields_that_the_other_changed_are_kept(driver: Driver, draft: Draft) -> None:
    address = at(draft, "study/")
    seen = seen_on(driver, address)
    form = {"title": "A small study", "requester": "A university", "contact": "study@example.org"}
    driver.post(address, **{**form, "contact": "first@example.org"}, seen=seen)
    driver.post(address, **{**form, "requester": "Second"}, seen=seen)
    (told,) = driver.told()
    labels = {field.key: field.label for fields in SECTIONS["study"].values() for field in fields}
    assert [key for key, label in labels.items() if label in told] == ["contact"]
    assert values(draft)["contact"] == "first@example.org"
    assert values(draft)["requester"] == "Second"


def test_a_field_that_both_changed_shows_both_and_one_decides(driver: Driver, draft: Draft) -> None:
    address = at(draft, "study/")
    seen = seen_on(driver, address)
    driver.post(address, title="First", contact="study@example.org", seen=seen)
    page = driver.post(address, title="Second", contact="study@example.org", seen=seen)
    assert driver.status == 409
    assert driver.refused == ["differing"]
    assert "<td>First</td><td>Second</td>" in page
    assert 'name="title" value="Second"' in page
    assert values(draft)["title"] == "First"
    again = re.search(r'name="seen" value="([^"]*)"', page)
    assert again is not None
    driver.post(address, title="Second", contact="study@example.org", seen=again[1])
    assert driver.status == 200
    assert values(draft)["title"] == "Second"


def test_pressing_save_twice_is_one_save(driver: Driver, draft: Draft) -> None:
    address = at(draft, "study/")
    seen = seen_on(driver, address)
    for _ in range(2):
        driver.post(address, title="Twice", seen=seen)
        assert driver.status == 200
        assert len(driver.told()) == 1


def test_a_choice_left_at_its_default_does_not_undo_the_others(driver: Driver, draft: Draft) -> None:
    address = at(draft, "terms/")
    seen = seen_on(driver, address)
    driver.post(address, **{"units.topic_choice": "uniform"}, seen=seen)
    driver.post(address, **{"units.topic_choice": "weighted", "pay.pay_per_unit": "0.20"}, seen=seen)
    assert values(draft)["units"] == {"judgments_per_document": 3, "topic_choice": "uniform"}


QUESTION = {"option-0": "one", "option-1": "two", "option-2": "three", "option-3": "four", "right": "2"}


def test_a_question_that_both_wrote(driver: Driver, draft: Draft) -> None:
    address = at(draft, "topic/?number=007")
    seen = seen_on(driver, address)
    driver.post(address, action="save", question="Theirs?", **QUESTION, seen=seen)
    page = driver.post(address, action="save", question="Mine?", **{**QUESTION, "right": "1"}, seen=seen)
    assert driver.status == 409
    assert "<td>Theirs?</td><td>Mine?</td>" in page
    assert (
        page.split('id="differing"')[1].split("</tbody>")[0].count("<td>") == 2
    )  # that one only this window changed
    assert "Theirs?" in str(values(draft)["question"])


def test_a_topic_that_was_taken_out_meanwhile_loses_no_words(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "topics/"), number="9", title="Nine")
    address = at(draft, "topic/?number=9")
    seen = seen_on(driver, address)
    driver.post(address, action="drop")
    assert "topic" not in values(draft)
    form = {"action": "save", "number": "9", "title": "Nine", "description": "Typed", "question": "Mine?"}
    page = driver.post(address, **form, seen=seen)
    assert driver.status == 409
    assert driver.refused == [""]
    assert "Typed" in page
    assert "topic" not in values(draft)
    driver.post(address, **form, seen="gone")
    assert "Typed" in str(values(draft)["topic"])
    assert driver.client.get(at(draft, "topic/?number=absent")).status_code == 404
    assert driver.client.post(at(draft, "topic/?number=absent")).status_code == 404


def test_anchors_that_both_chose(driver: Driver, draft: Draft) -> None:
    address = at(draft, "anchors/?number=007")
    seen = seen_on(driver, address)
    driver.post(address, H="007-H", N="007-N", seen=seen)
    page = driver.post(address, H="007-R", N="007-N", reason="The best.", seen=seen)
    assert driver.status == 409
    assert "<td>007-H</td><td>007-R</td>" in page
    assert '<option value="007-R" selected>' in page
    assert values(draft)["anchor"] == [{"topic": "007", "H": "007-H", "N": "007-N"}]


def test_depth_choice_of_topics_and_grades(driver: Driver, draft: Draft) -> None:
    address = at(draft, "files/")
    depth, only = seen_on(driver, address, 'aria-labelledby="depth-of-pool"'), seen_on(driver, address)
    grades = seen_on(driver, address, 'name="path"')
    driver.post(address, action="pool", **{"pool.depth": "5"}, seen=depth)
    page = driver.post(address, action="pool", **{"pool.depth": "6"}, seen=depth)
    assert "<td>5</td><td>6</td>" in page
    assert 'name="pool.depth" value="6"' in page
    driver.post(address, action="only", only="007", seen=only)
    page = driver.post(address, action="only", only="1e5", seen=only)
    assert "<td>007</td><td>1e5</td>" in page
    assert 'name="only" value="1e5"' in page
    form = {
        "action": "grades",
        "path": "qrels.txt",
        "name": "theirs",
        "unlisted": "",
        "seen": grades,
    }
    driver.post(address, **form)
    page = driver.post(address, **{**form, "name": "mine"})
    assert "<td>theirs</td><td>mine</td>" in page
    assert 'name="name" value="mine"' in page
    driver.post(address, action="remove", name="qrels.txt")
    driver.post(address, **form)
    assert driver.refused == [""]
    assert "grades" not in values(draft)
