"""What was not obvious at a first set-up: see docs/understanding/measurements/trials.md."""

import re
from html import unescape

import pytest

from judging.models import Setup, Study, Topic
from judging.setup.steps import SECTIONS
from judging.setup.text_templates import text_templates
from tests.setup.driving import Driver, at, zipped
from tests.setup.intake.folder import TOPICS, StudyFolder, run_lines, topic_text
from tests.support.problems import problems_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_empty_set_up_leads_to_the_forms_with_what_is_missing(driver: Driver) -> None:
    setup = driver.begin("Empty")
    assert driver.check == "faulty"
    assert driver.missing == ["documents", "topics", "pool"]
    assert driver.faults == []
    assert driver.step_counts == {"study": 2, "texts": 2, "files": 2, "topics": 1}
    assert f'href="{at(setup, "files/")}"' in driver.text
    assert any("requester" in item for item in driver.items("opening"))
    page = driver.get(at(setup, "files/"))
    assert driver.missing == ["documents", "pool"]
    assert 'role="alert"' not in page, "what is still to do is shown as an error"
    assert "<dd>" not in page, "an estimate without a pool"


def test_a_sound_set_up_says_what_keeps_the_study_from_opening(driver: Driver, setup: Setup) -> None:
    assert driver.items("opening") == []
    driver.post(at(setup, "study/"), requester="")
    driver.get(at(setup))
    assert driver.check == "sound"
    assert ["requester" in item for item in driver.items("opening")] == [True]


def test_every_step_leads_to_the_next(driver: Driver, setup: Setup) -> None:
    steps = ("study", "texts", "files", "topics", "anchors", "terms")
    for step, after in zip(steps, (*steps[1:], ""), strict=True):
        address = at(setup, f"{after}/") if after else at(setup)
        if step in SECTIONS:
            sent = driver.client.post(at(setup, f"{step}/"), {"continue": "yes"})
            assert sent["Location"] == address, step
        else:
            assert f'<p class="next"><a href="{address}">' in driver.get(at(setup, f"{step}/")), step
    driver.client.post(at(setup, "study/"), {"continue": "yes", "title": ""})
    assert Study.objects.get().title
    sent = driver.client.post(at(setup, "study/"), {"continue": "yes", "slug": "renamed"})
    assert sent["Location"] == at(setup, "texts/")
    assert "/renamed/" in sent["Location"]


def test_a_template_is_shown_for_empty_texts_and_saved_by_the_researcher_alone(driver: Driver) -> None:
    setup = driver.begin("New")
    driver.post(at(setup, "study/"), requester="Ada’s group")
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.75", "pay.expected_minutes": "13"})
    assert 'href="?template=yes"' in driver.get(at(setup, "texts/"))
    page = driver.get(at(setup, "texts/?template=yes"))
    assert "data-template" in page
    assert all(part in page for part in ("{requester}", "{pay}", "{minutes} m", "{documents} d"))
    assert all(part in page for part in ("Ada’s group", "0.75 USD", "13 minutes", "8 documents"))
    assert Study.objects.get().information == ""
    driver.post(at(setup, "texts/"), information="Mine.")
    assert set(text_templates(Study.objects.get())) == {"consent"}
    driver.post(at(setup, "texts/?template=yes"), consent="I agree.")
    study = Study.objects.get()
    assert (study.information, study.consent) == ("Mine.", "I agree.")
    assert 'href="?template=yes"' not in driver.get(at(setup, "texts/"))


@pytest.mark.parametrize("tag", ["englisch", "jp", "xx", "e", "pt_BR"])
def test_a_language_that_nobody_speaks_is_refused(driver: Driver, setup: Setup, tag: str) -> None:
    driver.post(at(setup, "study/"), language=tag)
    assert driver.fault_at("language")
    assert Study.objects.get().language == "en"


@pytest.mark.parametrize("tag", ["am", "quc", "pt-BR", "zh-Hant", "EN", "iw", "mul"])
def test_languages_without_a_translation_are_accepted(driver: Driver, setup: Setup, tag: str) -> None:
    driver.post(at(setup, "study/"), language=tag)
    assert driver.fault_at("language") == ""
    assert Study.objects.get().language == tag


def test_times_have_one_format(driver: Driver, setup: Setup) -> None:
    hint = re.search(r'id="opens_at_helptext">(.*?)</p>', driver.get(at(setup, "study/")))
    assert hint is not None
    written = re.search(r"20\d\d-[\d :T-]*\d", hint[1])
    assert written is not None
    driver.post(at(setup, "study/"), opens_at="soon")
    assert written[0] in driver.fault_at("opens_at")
    driver.post(at(setup, "study/"), opens_at=written[0])
    assert f"{Study.objects.get().opens_at:%Y-%m-%d %H:%M:%S}" == written[0]


def test_a_collection_in_place_of_a_study_file_gets_advice(driver: Driver) -> None:
    lines = []
    for name in ("docs.csv", "study.toml"):
        driver.upload_study(name, b"id,text\n1,a\n")
        lines.append(len(problems_in(driver.text)))
    assert lines == [2, 1]


def test_an_estimate_without_pay_says_so(driver: Driver, setup: Setup) -> None:
    assert "USD" not in cost(driver.get(at(setup)))
    assert "USD" not in driver.get(at(setup, "files/"))
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50"})
    assert "USD 3.00" in cost(driver.get(at(setup)))


def named() -> tuple[str, str, str]:
    """Return the anchors that were chosen for topic 007, and the reason."""
    return Topic.objects.values_list("named_h", "named_n", "anchor_reason").get(number="007")


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


def test_what_is_selected_is_what_is_taken(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "files/"), action="remove", name="qrels.txt")
    address = at(setup, "anchors/?number=007")
    page = driver.get(address)
    assert " selected>" not in page.split('id="choose"')[1]
    form = page.split('id="choice"')[1].split("</form>")[0]
    assert form.count("<select") == form.count('<option value="">') == 2
    assert 'name="take"' in form  # in one form with the lists: nothing has to be looked at first
    driver.post(address, H="007-H", N="007-B", look="yes")
    assert "Text of 007-H.</p>" in driver.text
    assert named() == ("", "", "")
    driver.post(address, H="007-H", N="007-B", take="yes")
    assert named() == ("007-H", "007-B", "")


def test_a_topic_without_a_document_to_draw_says_what_to_do(driver: Driver, setup: Setup) -> None:
    given = {f"grade-{place}": grade for place, grade in enumerate("NMRR")}
    driver.read_grades(setup, "qrels.txt", reading="own", **given)
    page = driver.get(at(setup, "anchors/?number=007"))
    assert driver.fault_at("H")
    assert not driver.fault_at("N")
    assert any("007" in fault.item for fault in driver.faults)
    assert page.split('id="choose"')[1].split("</select>")[0].count("selected") == 0


def test_a_choice_against_the_grades_needs_a_reason_and_is_shown(driver: Driver, setup: Setup) -> None:
    address = at(setup, "anchors/?number=007")
    page = driver.post(address, H="007-R", N="007-N", take="yes")
    assert 'href="#reason"' in page
    assert '<option value="007-R" selected>' in page
    assert named() == ("", "", "")
    page = driver.post(address, H="007-R", N="007-N", reason="The best there is.", take="yes")
    assert named() == ("007-R", "007-N", "The best there is.")
    shown = re.findall(
        r'<p class="(?:small|notice)">[^<]*\bsormunen\b[^<]*\bR\b[^<]*The best there is\.', page
    )
    assert len(shown) == 2
    assert 'name="reason" data-longest="1000" value="The best there is."' in page
    driver.post(address, reason="The best there is.", draw="yes")
    assert named() == ("", "", "")


def test_a_run_of_another_collection(driver: Driver, setup: Setup, folder: StudyFolder) -> None:
    folder.write("far.run", "".join(run_lines(number, "VWXYZ", "far") for number in TOPICS))
    driver.upload(setup, "run", folder.path / "far.run")
    (fault,) = driver.faults
    assert fault.where == "far.run:1"
    assert "10" in fault.item
    assert driver.step_counts == {"files": 1}


def test_no_folder_of_the_server_is_told(driver: Driver, setup: Setup, folder: StudyFolder) -> None:
    driver.post(at(setup, "topic/?number=1e5"), action="delete")
    driver.get(at(setup))
    raw = unescape(driver.text)
    assert any(item.startswith("qrels.txt: 1 ") for item in driver.items("notices"))
    assert str(folder.path.parent) not in raw
    assert "/drafts/" not in raw
