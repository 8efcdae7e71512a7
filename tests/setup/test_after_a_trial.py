"""What was not obvious to somebody who had never seen a set-up: see docs/trials.md."""

from html import unescape

import pytest

from judging.intake.drafting import values_of
from judging.models import Draft
from tests.intake.folder import TOPICS, StudyFolder, run_lines, topic_text
from tests.setup.driving import Driver, at, zipped

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_empty_set_up_says_what_to_do_in_the_words_of_its_forms(driver: Driver) -> None:
    draft = driver.begin("Empty")
    assert "There are no documents yet: upload them." in driver.text
    assert "study.toml:1" not in driver.text
    assert "3 faults:" in driver.text
    assert '<span class="count">3 faults</span>' in driver.text
    assert "The study has no requester to name to the workers: give it requester." in driver.text
    assert f'href="{at(draft, "files/")}">Files and pool</a>: There is no pool yet' in driver.text
    assert f'href="{at(draft, "study/")}">Begin with: The study</a>' in driver.text
    page = driver.get(at(draft, "files/"))
    assert "Still to be done here:" in page
    assert "not understood" not in page
    assert "It is shown as soon as topics and a pool were understood." in page


def test_every_step_leads_to_the_next(driver: Driver, draft: Draft) -> None:
    steps = ("study", "texts", "files", "topics", "anchors", "terms")
    for step, after in zip(steps, (*steps[1:], ""), strict=True):
        page = driver.get(at(draft, f"{step}/"))
        address = at(draft, f"{after}/") if after else at(draft)
        assert f'<p class="next"><a href="{address}">' in page, step


def test_an_estimate_without_pay_says_so(driver: Driver, draft: Draft) -> None:
    assert "<dd>no pay is set</dd>" in driver.get(at(draft))
    driver.post(at(draft, "terms/"), **{"pay.pay_per_unit": "0.50"})
    assert "no pay is set" not in driver.get(at(draft))


def test_many_questions_to_write_hide_no_fault_of_a_file(driver: Driver, folder: StudyFolder) -> None:
    numbers = [f"n{number}" for number in range(60)]
    folder.append("topics.txt", "".join(topic_text(number) for number in numbers))
    folder.write("poor.run", "one two three\n")
    driver.upload_study("small.zip", zipped(folder.path))
    assert 'Files and pool <span class="count">' in driver.text
    assert 'Topics and questions <span class="count">60 faults' in driver.text
    assert "poor.run:1" in driver.text


def test_what_is_selected_is_what_is_taken(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "files/"), action="remove", name="qrels.txt")
    address = at(draft, "anchors/?number=007")
    page = driver.get(address)
    assert '<option value="">to be drawn</option>' in page
    assert " selected>" not in page.split('id="choose"')[1]
    form = page.split('id="choose"')[1].split("</form>")[0]
    assert form.count("<select") == 2
    assert "Take these two" in form  # in one form with the lists: nothing has to be looked at first
    driver.post(address, H="007-A", N="007-B", look="yes")
    assert "Text of 007-A.</p>" in driver.text
    assert "anchor" not in values_of(Draft.objects.get(pk=draft.pk))
    driver.post(address, H="007-A", N="007-B", take="yes")
    assert values_of(Draft.objects.get(pk=draft.pk))["anchor"] == [
        {"topic": "007", "H": "007-A", "N": "007-B"}
    ]


def test_a_topic_without_a_document_to_draw_says_what_to_do(driver: Driver, draft: Draft) -> None:
    given = {f"grade-{place}": grade for place, grade in enumerate("NMRR")}
    driver.read_grades(draft, "qrels.txt", reading="own", **given)
    page = driver.get(at(draft, "anchors/?number=007"))
    assert "No pooled document of this topic is graded H." in page
    assert "topic 007 has no H document to draw; grade one or choose one for the topic" in page
    assert '<option value="">none can be drawn</option>' in page
    assert page.split('id="choose"')[1].split("</select>")[0].count("selected") == 0


def test_a_choice_against_the_grades_needs_a_reason_and_is_shown(driver: Driver, draft: Draft) -> None:
    address = at(draft, "anchors/?number=007")
    page = driver.post(address, H="007-R", N="007-N", take="yes")
    assert 'href="#reason"' in page
    assert '<option value="007-R" selected>' in page
    assert "anchor" not in values_of(Draft.objects.get(pk=draft.pk))
    page = driver.post(address, H="007-R", N="007-N", reason="The best there is.", take="yes")
    assert values_of(Draft.objects.get(pk=draft.pk))["anchor"] == [
        {"topic": "007", "H": "007-R", "N": "007-N", "reason": "The best there is."}
    ]
    assert page.count("sormunen grades it R. Reason: The best there is.") == 2
    assert 'name="reason" maxlength="1000" value="The best there is."' in page
    driver.post(address, reason="The best there is.", draw="yes")
    assert "anchor" not in values_of(Draft.objects.get(pk=draft.pk))


def test_topics_are_chosen_with_commas_and_what_the_others_have_waits(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "anchors/?number=1e5"), H="1e5-H", N="1e5-N")
    page = driver.post(at(draft, "files/"), action="only", only="007,")
    assert values_of(Draft.objects.get(pk=draft.pk))["topics"]["only"] == ["007"]
    page = driver.get(at(draft))
    assert "No fault was found: 1 topic" in page
    assert "questions of topics that are not chosen are passed over: 1e5." in page
    assert "Of topics that are not there" not in driver.get(at(draft, "topics/"))
    driver.post(at(draft, "files/"), action="only", only="007; 1e5")
    assert "No fault was found: 2 topics" in driver.get(at(draft))


def test_what_belongs_to_no_topic_can_be_deleted(driver: Driver, folder: StudyFolder) -> None:
    folder.append("study.toml", '\n[[anchor]]\ntopic = "8"\nH = "007-H"\n')
    draft = driver.upload_study("small.zip", zipped(folder.path))
    assert draft is not None
    page = driver.get(at(draft, "topics/"))
    assert "Delete what belonged to 8" in page
    driver.post(at(draft, "topics/"), action="drop", number="8")
    assert "No fault was found" in driver.get(at(draft))


def test_a_run_of_another_collection(driver: Driver, draft: Draft, folder: StudyFolder) -> None:
    folder.write("far.run", "".join(run_lines(number, "VWXYZ", "far") for number in TOPICS))
    driver.upload(draft, "run", folder.path / "far.run")
    assert "none of the 10 documents that it gives to the pools is in the documents" in driver.text
    assert 'Files and pool <span class="count">1 fault</span>' in driver.text


def test_no_folder_of_the_server_is_told(driver: Driver, draft: Draft, folder: StudyFolder) -> None:
    driver.post(at(draft, "files/"), action="only", only="007")
    driver.post(at(draft), action="make")
    raw = unescape(driver.text)
    assert "qrels.txt: 1 topics that the study does not have are passed over." in raw
    assert str(folder.path.parent) not in raw
    assert "/drafts/" not in raw
