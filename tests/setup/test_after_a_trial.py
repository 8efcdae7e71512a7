"""What was not obvious to somebody who had never seen a set-up: see docs/trials.md."""

import re
from html import unescape

import pytest

from judging.intake.drafting import values_of
from judging.models import Draft
from tests.intake.folder import TOPICS, StudyFolder, run_lines, topic_text
from tests.setup.driving import Driver, at, zipped

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_empty_set_up_leads_to_the_forms_with_what_is_missing(driver: Driver) -> None:
    draft = driver.begin("Empty")
    assert driver.check == "faulty"
    assert [(fault.step, fault.where) for fault in driver.faults] == [("files", "")] * 3
    assert driver.step_counts == {"files": 3}
    assert any("requester" in item for item in driver.items("opening"))
    assert f'id="first-step"><a href="{at(draft, "study/")}">' in driver.text
    page = driver.get(at(draft, "files/"))
    assert len(driver.faults) == 3
    assert '<div class="notice" role="alert">' in page, "what is still to do is shown as an error"
    assert "<dd>" not in page, "an estimate without a pool"


def test_every_step_leads_to_the_next(driver: Driver, draft: Draft) -> None:
    steps = ("study", "texts", "files", "topics", "anchors", "terms")
    for step, after in zip(steps, (*steps[1:], ""), strict=True):
        page = driver.get(at(draft, f"{step}/"))
        address = at(draft, f"{after}/") if after else at(draft)
        assert f'<p class="next"><a href="{address}">' in page, step


def test_an_estimate_without_pay_says_so(driver: Driver, draft: Draft) -> None:
    assert "USD" not in cost(driver.get(at(draft)))
    driver.post(at(draft, "terms/"), **{"pay.pay_per_unit": "0.50"})
    assert "USD 3.00" in cost(driver.get(at(draft)))


def cost(page: str) -> str:
    """Return the first amount in the estimate of a page."""
    return page.split("data-estimate=")[1].split("<dd>")[1].split("</dd>")[0]


def test_many_questions_to_write_hide_no_fault_of_a_file(driver: Driver, folder: StudyFolder) -> None:
    numbers = [f"n{number}" for number in range(60)]
    folder.append("topics.txt", "".join(topic_text(number) for number in numbers))
    folder.write("poor.run", "one two three\n")
    driver.upload_study("small.zip", zipped(folder.path))
    assert driver.step_counts["topics"] == 60
    assert driver.step_counts["files"] > 0
    assert ("files", "poor.run:1") in [(fault.step, fault.where) for fault in driver.faults]


def test_what_is_selected_is_what_is_taken(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "files/"), action="remove", name="qrels.txt")
    address = at(draft, "anchors/?number=007")
    page = driver.get(address)
    assert " selected>" not in page.split('id="choose"')[1]
    form = page.split('id="choose"')[1].split("</form>")[0]
    assert form.count("<select") == form.count('<option value="">') == 2
    assert 'name="take"' in form  # in one form with the lists: nothing has to be looked at first
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
    assert driver.fault_at("H")
    assert not driver.fault_at("N")
    assert any("007" in fault.item for fault in driver.faults)
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
    shown = re.findall(
        r'<p class="(?:small|notice)">[^<]*\bsormunen\b[^<]*\bR\b[^<]*The best there is\.', page
    )
    assert len(shown) == 2
    assert 'name="reason" maxlength="1000" value="The best there is."' in page
    driver.post(address, reason="The best there is.", draw="yes")
    assert "anchor" not in values_of(Draft.objects.get(pk=draft.pk))


def test_topics_are_chosen_with_commas_and_what_the_others_have_waits(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "anchors/?number=1e5"), H="1e5-H", N="1e5-N")
    driver.post(at(draft, "files/"), action="only", only="007,")
    assert values_of(Draft.objects.get(pk=draft.pk))["topics"]["only"] == ["007"]
    driver.get(at(draft))
    assert (driver.check, topics_read(draft)) == ("sound", ["007"])
    assert any("1e5" in item for item in driver.items("notices"))
    assert 'id="ownerless"' not in driver.get(at(draft, "topics/"))
    driver.post(at(draft, "files/"), action="only", only="007; 1e5")
    driver.get(at(draft))
    assert (driver.check, topics_read(draft)) == ("sound", ["007", "1e5"])


def topics_read(draft: Draft) -> list[str]:
    """Return the numbers of the topics that the last check read."""
    draft.refresh_from_db()
    return [topic["number"] for topic in draft.job.result["topics"]]


def test_what_belongs_to_no_topic_can_be_deleted(driver: Driver, folder: StudyFolder) -> None:
    folder.append("study.toml", '\n[[anchor]]\ntopic = "8"\nH = "007-H"\n')
    draft = driver.upload_study("small.zip", zipped(folder.path))
    assert draft is not None
    page = driver.get(at(draft, "topics/"))
    assert 'name="number" value="8"' in page.split('id="ownerless"')[1].split("</section>")[0]
    driver.post(at(draft, "topics/"), action="drop", number="8")
    driver.get(at(draft))
    assert driver.check == "sound"


def test_a_run_of_another_collection(driver: Driver, draft: Draft, folder: StudyFolder) -> None:
    folder.write("far.run", "".join(run_lines(number, "VWXYZ", "far") for number in TOPICS))
    driver.upload(draft, "run", folder.path / "far.run")
    (fault,) = driver.faults
    assert fault.where == "far.run:1"
    assert "10" in fault.item
    assert driver.step_counts == {"files": 1}


def test_no_folder_of_the_server_is_told(driver: Driver, draft: Draft, folder: StudyFolder) -> None:
    driver.post(at(draft, "files/"), action="only", only="007")
    driver.post(at(draft), action="make")
    raw = unescape(driver.text)
    assert any(item.startswith("qrels.txt: 1 ") for item in driver.items("notices"))
    assert str(folder.path.parent) not in raw
    assert "/drafts/" not in raw
