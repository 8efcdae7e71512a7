"""The pages of a set-up: nothing typed is lost, faults stand beside their fields, the study follows."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from judging.core.selectors.readiness import faults_by_topic
from judging.core.selectors.texts import unfinished_texts
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.core.services.studies import open_study
from judging.models import (
    Assignment,
    AuditEntry,
    Job,
    Participation,
    PoolDocument,
    Question,
    Role,
    Setup,
    Study,
    Topic,
)
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.scales import DEFAULT, is_used
from judging.protocol.settings.groups import ADAPTIVE, LINKS
from judging.protocol.text_fields import TEXT_FIELDS
from judging.setup.anchors import anchors_against_grades
from judging.setup.intake.study_file import shipped_text
from judging.setup.making import get_or_create_setup
from judging.setup.pages.field_groups import field_groups
from judging.setup.pages.settings_form import SettingsForm
from judging.setup.steps import SECTIONS, groups_of
from judging.watching.selectors.consequences import consequences
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("section", "name", "typed", "named"),
    [
        ("study", "title", "t" * 201, "200"),
        ("study", "slug", "two words", ""),
        ("terms", "seed", "seven", ""),
        ("study", "opens_at", "tomorrow", ""),
        ("study", "closes_at", "2030-13-01", ""),
        ("terms", "units.unit_size", "2", "100"),
        ("terms", "units.unit_size", "8.5", ""),
        ("terms", "units.topic_choice", "any", ""),
        ("terms", "checks.check_attempts", "many", ""),
        ("terms", "pay.pay_per_unit", "0.205", ""),
        ("terms", "pay.currency", "euro", ""),
        ("terms", "platform.completion_url", "nowhere", ""),
    ],
)
def test_what_is_wrong_is_shown_again_and_told_beside_its_field(
    driver: Driver, setup: Setup, section: str, name: str, typed: str, named: str
) -> None:
    before = Study.objects.filter(setup=setup).values().get()
    page = driver.post(at(setup, f"{section}/"), **{name: typed})
    assert driver.status == 400
    assert driver.refused == [name]
    output = driver.fault_at(name)
    assert output
    assert named in output
    assert f'value="{typed}"' in page or name == "units.topic_choice"
    assert Study.objects.filter(setup=setup).values().get() == before


def test_two_settings_that_contradict_each_other_are_refused(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "study/"), opens_at="2030-01-02 12:00", closes_at="2030-01-01 12:00")
    assert driver.refused == ["closes_at"]
    driver.post(at(setup, "terms/"), **{"platform.platform": "generic"})
    assert driver.refused == ["platform.id_parameter"]


def test_a_setting_that_is_emptied_takes_its_default_again(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"units.judgments_per_document": "", "checks.visit_minutes": "7"})
    study = Study.objects.get(setup=setup)
    assert (study.judgments_per_document, study.visit_minutes) == (10, 7)
    driver.post(at(setup, "terms/"), **{"checks.check_attempts": "unlimited", "checks.visit_minutes": " "})
    study.refresh_from_db()
    assert (study.check_attempts, study.visit_minutes) == (None, 15)


def test_texts_are_shown_as_workers_see_them(driver: Driver, setup: Setup) -> None:
    page = driver.post(at(setup, "texts/"), information="# Hello\r\n\r\n<script>x</script> **there**")
    assert "<h1>Hello</h1><p><script>x</script> <strong>there</strong></p>" in page  # unescaped by the driver
    raw = driver.client.get(at(setup, "texts/")).content.decode()
    assert "&lt;script&gt;x&lt;/script&gt; <strong>there</strong>" in raw
    assert "8 documents" in page  # the instructions that come with the software, with the unit's size
    answer = driver.client.post(at(setup, "preview/"), {"text": "*seen* <b>"})
    assert answer.content.decode().strip() == "<p><em>seen</em> &lt;b&gt;</p>"


def test_the_shipped_instructions_follow_the_size_of_units_until_they_are_changed(
    driver: Driver, setup: Setup
) -> None:
    older = shipped_text("instructions_task").replace("{documents}", "8")  # from before texts had fields
    Study.objects.update(instructions_task=older)
    driver.post(at(setup, "terms/"), **{"units.unit_size": "6"})
    study = Study.objects.get(setup=setup)
    assert study.instructions_task == shipped_text("instructions_task")
    assert "6 documents" in driver.get(at(setup, "texts/"))
    driver.post(at(setup, "texts/"), instructions_task="Judge 6 documents.", instructions_magnitude="")
    driver.post(at(setup, "terms/"), **{"units.unit_size": "7"})
    study.refresh_from_db()
    assert study.instructions_task == "Judge 6 documents."
    assert study.instructions_magnitude == shipped_text("instructions_magnitude")


def test_the_shipped_instructions_follow_the_language(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "study/"), language="es-MX")
    study = Study.objects.get(setup=setup)
    assert study.instructions_task == shipped_text("instructions_task", "es")
    assert study.instructions_task != shipped_text("instructions_task")
    driver.post(at(setup, "study/"), language="nl")
    study.refresh_from_db()
    assert study.instructions_task == shipped_text("instructions_task")


def test_the_size_of_units_is_told_as_the_one_change(driver: Driver, setup: Setup) -> None:
    open_study(study=setup.study, now=NOW)
    changes = driver.change(setup.study)
    driver.post(at(changes, "terms/"), **{"units.unit_size": "6"})
    driver.post(at(changes), action="make")
    detail = AuditEntry.objects.get(verb="updated").detail
    assert (detail["before"], detail["after"]) == ({"unit_size": "8"}, {"unit_size": "6"})
    assert Study.objects.get().instructions_task == shipped_text("instructions_task")
    judge_unit(make_worker(Study.objects.get()))
    changes = driver.change(Study.objects.get())
    driver.post(at(changes, "terms/"), **{"units.unit_size": "5"})
    driver.get(at(changes))
    assert [fault.field for fault in driver.faults] == ["unit_size"]


def test_a_broken_run_is_told_before_there_are_topics(driver: Driver, setup: Setup, tmp_path: Path) -> None:
    sound, broken = tmp_path / "sound.run", tmp_path / "broken.run"
    sound.write_text("9 Q0 A 1 2.0 sound\n")
    broken.write_text("9 Q0 A 1 high broken\n")
    driver.begin("New")
    new = Setup.objects.latest("pk")
    driver.upload(new, "run", sound, broken)
    driver.get(at(new, "files/"))
    assert [fault.where.partition(":")[0] for fault in driver.faults] == ["broken.run"]


def test_opening_plans_nothing_where_there_is_nothing_to_judge(driver: Driver) -> None:
    setup = driver.begin("New")
    study = Study.objects.get(setup=setup)
    assert not [
        sentence for sentence in consequences(study, "open", now=NOW).sentences if sentence.startswith("0 ")
    ]


def test_a_topic_without_a_pool_has_one_fault(setup: Setup) -> None:
    PoolDocument.objects.filter(topic__number="007").delete()
    result = faults_by_topic(Study.objects.get())
    assert {topic.number: len(faults) for topic, faults in result.items() if faults} == {"007": 1}


@pytest.mark.parametrize(("platform", "entries"), [("direct", {"invite"}), ("generic", {"signed"})])
def test_the_way_in_offers_what_the_platform_has(driver: Driver, platform: str, entries: set[str]) -> None:
    make_study(platform=platform, id_parameter="PID" if platform == "generic" else "")
    page = driver.get("/console/studies/study/way-in/")
    assert set(re.findall(r'data-entry="(\w+)"', page)) == entries


def test_a_name_that_another_study_has_is_refused(driver: Driver, setup: Setup) -> None:
    make_study(slug="other")
    driver.post(at(setup, "study/"), slug="other")
    assert driver.refused == ["slug"]
    driver.post(at(setup, "study/"), slug="another")
    assert driver.status == 200
    assert Study.objects.get(setup=setup).slug == "another"


def test_the_pool_is_shown_for_every_depth_and_follows_it(driver: Driver, setup: Setup) -> None:
    page = driver.post(at(setup, "files/"), action="pool", depth="5")
    row = page.split('<tr class="chosen">')[1].split("</tr>")[0]
    # of 8 documents the runs, one the other's reverse, share A and N in their first five, and N is an anchor
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
    assert [cell.split(" <")[0] for cell in cells[:5]] == ["5", "12", "6–6", "2 (17 %)", "6"]
    for typed in ("0", "10001", "deep"):
        page = driver.post(at(setup, "files/"), action="pool", depth=typed)
        assert driver.refused == ["depth"]
        assert f'value="{typed}"' in page
    setup.refresh_from_db()
    assert setup.pool_depth == 5


def test_the_estimate_follows_what_is_typed_and_stores_nothing(driver: Driver, setup: Setup) -> None:
    before = Study.objects.filter(setup=setup).values().get()
    page = driver.post(
        at(setup, "estimate/"),
        **{"pay.pay_per_unit": "0.25", "units.judgments_per_document": "4", "pay.expected_minutes": "15"},
    )
    # two topics of 6 documents beside the anchors, 4 judgments each, units of 6 others: 8 units of 8
    for amount in ("<dd>USD 2.00<", "<dd>8<", "<dd>64<", "<dd>2.0 ", "<dd>USD 1.00<"):
        assert amount in page
    page = driver.post(at(setup, "estimate/"), **{"depth": "4", "units.unit_size": "nonsense"})
    assert "<dd>" in page
    assert Study.objects.filter(setup=setup).values().get() == before


def test_the_minutes_of_earlier_workers_are_told(driver: Driver, setup: Setup) -> None:
    assert "data-measured" not in driver.get(at(setup))
    worker = make_worker(make_study(slug="earlier"))
    judge_unit(worker)
    Assignment.objects.update(ended_at=later(minutes=30), started_at=later(minutes=18))
    assert 'data-measured="12.0"' in driver.get(at(setup))
    Participation.objects.update(kind="simulated", behaviour="careful")
    assert "data-measured" not in driver.get(at(setup))
    assert timedelta(minutes=12) == later(minutes=30) - later(minutes=18)


def test_an_incomplete_question_is_kept_and_keeps_the_study_from_opening(
    driver: Driver, setup: Setup
) -> None:
    address = at(setup, "topic/?number=007")
    page = driver.get(address)
    assert 'value="title of 007"' in page
    assert 'class="fails"' not in page
    typed = {"question": "What?", "option-0": "all of these", "option-1": "b", "option-2": "b", "right": "0"}
    page = driver.post(at(setup, "advice/"), **typed)
    assert page.count('class="fails"') == 2
    page = driver.post(address, action="save", **typed)
    (fault,) = driver.faults
    assert (fault.where, fault.field) == ("topic 007", "topic.options")
    assert 'value="all of these"' in page
    assert driver.step_counts == {"topics": 1}
    with pytest.raises(RefusedError):
        open_study(study=setup.study, now=NOW)
    driver.post(address, action="save", **{**typed, "right": ""})
    assert Question.objects.get(topic__number="007").right_option is None
    nothing = {f"option-{place}": "" for place in range(4)}
    driver.post(address, action="save", question="", **nothing)
    assert not Question.objects.filter(topic__number="007").exists()
    assert [fault.where for fault in driver.faults] == ["topic 007"]


def test_topics_are_written_renamed_and_deleted(driver: Driver, setup: Setup) -> None:
    for number, title in (("007", "Twice"), ("0 7", "Spaces"), ("", "None")):
        driver.post(at(setup, "topics/"), number=number, title=title)
        assert driver.status == 400
        assert driver.refused == ["number"]
        assert f'value="{title}"' in driver.text
    driver.post(at(setup, "topics/"), number="9", title="Nine")
    address = at(setup, "topic/?number=9")
    options = {f"option-{place}": str(place) for place in range(4)}
    driver.post(
        address, action="save", number="10", title="Ten", description="d", question="Q", right="3", **options
    )
    topic = Topic.objects.get(number="10")
    assert (topic.title, topic.description, topic.narrative, topic.place) == ("Ten", "d", "", 2)
    assert (topic.question.text, topic.question.options, topic.question.right_option) == (
        "Q",
        ["0", "1", "2", "3"],
        3,
    )
    page = driver.post(at(setup, "topic/?number=10"), action="save", number="007", title="Kept", **options)
    assert driver.refused == ["number"]
    assert 'value="Kept"' in page
    driver.post(at(setup, "topic/?number=007"), action="delete")
    assert list(Topic.objects.order_by("place").values_list("number", "place")) == [("1e5", 0), ("10", 1)]


def test_a_study_with_a_placeholder_in_a_text_does_not_open(driver: Driver, setup: Setup) -> None:
    study = Study.objects.get()
    Study.objects.update(information="")
    template = SettingsForm("texts", Study.objects.get()).templates["information"]
    driver.post(at(setup, "texts/"), information=template)
    study.refresh_from_db()
    assert "[Write why you are running the study.]" in unfinished_texts(study)[0].sentence
    assert 'data-step="texts" data-state="todo"' in driver.get(at(setup))
    with pytest.raises(RefusedError, match="information"):
        open_study(study=study, now=NOW)
    Study.objects.update(information="We want to know which search engine is best.")
    study.refresh_from_db()
    assert unfinished_texts(study) == []


def test_a_study_with_a_field_that_nothing_fills_does_not_open(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "texts/"), information="You get {pya}.", consent="I work for {pay}.")
    page = driver.get(at(setup, "texts/"))
    assert "You get {pya}." in page
    (step,) = [step for step in driver.path if step.name == "texts"]
    assert step.state == "todo"
    assert "{pya}" in step.missing
    assert "{pay}" in step.missing
    driver.get(at(setup))
    (unknown,) = [item for item in driver.items("opening") if "{pya}" in item]
    assert "information" in unknown
    assert all(field.written in unknown for field in TEXT_FIELDS.values())
    (unpaid,) = [item for item in driver.items("opening") if "pay_per_unit" in item]
    assert "consent" in unpaid
    with pytest.raises(RefusedError, match=r"\{pya\}.*pay_per_unit"):
        open_study(study=Study.objects.get(), now=NOW)
    driver.post(at(setup, "texts/"), information="You get {pay}.")
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50", "pay.paid_within": "3"})
    driver.get(at(setup))
    assert driver.items("opening") == []
    open_study(study=Study.objects.get(), now=NOW)


def test_a_preview_fills_in_the_fields(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50"})
    answer = driver.client.post(at(setup, "preview/"), {"text": "{pay} for {documents}, {pya}"})
    assert answer.content.decode().strip() == "<p>0.50 USD for 8, {pya}</p>"


def folded_in(page: str) -> set[str]:
    """The names of the fields in groups that the page folds away."""
    parts = re.findall(r'<details class="group"\s*>(.*?)</details>', page, re.DOTALL)
    return set(re.findall(r'<(?:input|select)[^>]* name="([^"]+)"', "".join(parts)))


def test_groups_are_folded_while_their_settings_have_their_defaults(driver: Driver, setup: Setup) -> None:
    address = at(setup, "terms/")
    page = driver.get(address)
    used = {setting.name for setting in SECTIONS["terms"] if is_used(setting.key, DEFAULT)}
    by_group = {
        group: used & {setting.name for setting in each} for group, each in groups_of("terms").items()
    }
    names = set(re.findall(r'<(?:input|select)[^>]* name="([^"]+)"', page))
    assert set().union(*by_group.values()) == used < names
    foldable = {group: each for group, each in by_group.items() if not group.is_main}
    assert folded_in(page) == set().union(*foldable.values())
    driver.post(address, **{"units.lapse_minutes": "90"})
    together = next(each for each in foldable.values() if "units.lapse_minutes" in each)
    assert folded_in(driver.get(address)) == set().union(*foldable.values()) - together
    page = driver.post(address, **{"checks.visit_minutes": "none"})
    assert driver.refused == ["checks.visit_minutes"]
    assert "checks.visit_minutes" not in folded_in(page), "what is refused is shown"


def test_the_values_of_a_preset_count_as_its_defaults(driver: Driver, setup: Setup) -> None:
    address = at(setup, "terms/")
    folded = folded_in(driver.get(address))
    driver.post(address, preset="turpin2015")
    assert folded_in(driver.get(address)) == folded
    driver.post(address, **{"checks.anchor_ties": "fail"})
    assert "checks.anchor_ties" not in folded_in(driver.get(address))


def test_a_group_whose_setting_the_check_refuses_is_open(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"platform.platform": "generic", "platform.id_parameter": "PID"})
    Study.objects.filter(setup=setup).update(id_parameter="")
    driver.post(at(setup), action="check")
    assert "platform.id_parameter" not in folded_in(driver.get(at(setup, "terms/")))


def test_groups_that_a_study_does_not_use(setup: Setup) -> None:
    def unused(**settings: str) -> set[str]:
        study = Study(**settings)
        return {
            item.heading
            for item in field_groups(SettingsForm("terms", study), "terms", set())
            if not item.is_used
        }

    assert unused() == {ADAPTIVE.heading, LINKS.heading}
    assert unused(allocation="adaptive", platform="mturk") == set()


def test_anchors_are_chosen_side_by_side_and_drawn_again(driver: Driver, setup: Setup) -> None:
    def named() -> tuple[str, str]:
        return Topic.objects.values_list("named_h", "named_n").get(number="007")

    address = at(setup, "anchors/?number=007")
    page = driver.get(address)
    assert "007-H, 3 " in page
    assert page.count('data-chosen="no"') == 2
    page = driver.get(f"{address}&H=007-A&N=007-B")
    assert "Text of 007-A.</p>" in page
    assert "Text of 007-B.</p>" in page
    driver.post(address, H="007-A", N="007-N", reason="Read and found good.")
    assert re.search(r'<p class="notice">[^<]*\bsormunen\b[^<]*Read and found good\.', driver.text)
    assert driver.text.count('data-chosen="yes"') == 1
    driver.post(address, H="007-H", N="007-H")
    assert driver.refused == ["H"]
    assert named() == ("007-A", "007-N")
    driver.post(address, H="007-H", N="007-N")
    assert named() == ("007-H", "007-N")
    driver.post(address, H="007-H", N="007-N", draw="yes")
    assert named() == ("", "")


def test_the_lists_of_candidates_begin_with_the_nearest_grades(driver: Driver, setup: Setup) -> None:
    page = driver.get(at(setup, "anchors/?number=007"))
    pool = PoolDocument.objects.filter(topic__number="007")
    grades = dict(pool.values_list("document__document_id", "grade"))
    for anchor, order in (("H", ["H", "R", "", "M", "N"]), ("N", ["N", "M", "", "R", "H"])):
        options = page.partition(f'<select id="{anchor}"')[2].partition("</select>")[0]
        listed = [grades[document] for document in re.findall(r'<option\s+value="([^"]+)"', options)]
        assert [*dict.fromkeys(listed)] == [grade for grade in order if grade in listed]
        assert len({*listed}) > 3


def test_an_anchor_that_the_grades_do_not_support_needs_a_reason(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "files/"), action="pool", depth="2")
    topic = Topic.objects.get(number="007")
    assert anchors_against_grades(topic, {Anchor.H: "007-C", Anchor.N: "007-R"}) == {
        "H": ("007-C", ""),
        "N": ("007-R", "R"),
    }
    # outside the pool, but in the file of grades
    assert anchors_against_grades(topic, {Anchor.H: "007-M", Anchor.N: ""}) == {"H": ("007-M", "M")}
    assert anchors_against_grades(topic, {Anchor.H: "007-H", Anchor.N: "007-N"}) == {}
    driver.post(at(setup, "anchors/?number=007"), H="007-C", N="007-N", take="yes")
    assert driver.refused == ["reason"]


def test_how_earlier_workers_judged_a_candidate_is_told(driver: Driver, setup: Setup) -> None:
    driver.post("/console/studies/small/copy/")
    copied = Setup.objects.latest("pk")
    assert 'data-earlier="0"' in driver.get(at(copied, "anchors/?number=007"))
    study = Study.objects.get(slug="small")
    Study.objects.filter(pk=study.pk).update(seconds_per_document=0)
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    worker = make_worker(study)
    judge_unit(worker)
    number = worker.assignments.get().topic.number
    page = driver.get(at(copied, f"anchors/?number={number}"))
    assert 'data-earlier="1"' in page


def test_a_set_up_is_for_those_who_manage_the_study(driver: Driver, setup: Setup, client: Client) -> None:
    other = get_user_model().objects.create_user("olga", is_staff=True)
    client.force_login(other)
    pages = (
        "",
        "study/",
        "texts/",
        "terms/",
        "files/",
        "files/download/?name=qrels.txt",
        "grades/?name=qrels.txt",
        "topics/",
        "topic/?number=007",
        "anchors/",
        "study.toml",
        "study.zip",
        "estimate/",
        "advice/",
    )

    def statuses() -> set[int]:
        got = {client.get(at(setup, page)).status_code for page in pages}
        return got | {client.post(at(setup, page)).status_code for page in pages} - {405}

    assert statuses() == {404}
    study = Study.objects.get()
    set_role(study=study, user=other, role=Role.VIEWER, now=NOW)
    assert statuses() == {403}
    assert client.post(f"/console/studies/{study.slug}/copy/").status_code == 403
    assert client.post(at(setup, "change/")).status_code == 403
    set_role(study=study, user=other, role=Role.EDITOR, now=NOW)
    assert client.get(at(setup)).status_code == 200


def test_a_study_that_has_begun_changes_as_far_as_update_lets_it(driver: Driver, setup: Setup) -> None:
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    make_worker(study, upto="question")
    changes = driver.change(study)
    assert changes.study.changes_to == study
    driver.post(at(changes, "texts/"), consent="Another one.")
    driver.post(at(changes), action="check")
    assert [(fault.step, fault.field) for fault in driver.faults] == [("texts", "consent")]
    driver.post(at(changes), action="make")
    assert driver.refused == [""]
    assert not Job.objects.filter(kind="import").exists()
    driver.post(at(changes, "texts/"), consent="I agree.")
    driver.post(at(changes, "study/"), title="Better", slug="other")
    driver.post(at(changes), action="check")
    driver.post(at(changes), action="make")
    study.refresh_from_db()
    assert (study.title, study.slug, study.consent) == ("Better", "small", "I agree.")
    assert Setup.objects.get().study == study
    assert Study.objects.count() == 1


def test_changes_are_seen_nowhere_but_on_their_pages(driver: Driver, setup: Setup, client: Client) -> None:
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    driver.post(at(driver.change(study), "study/"), title="Not yet")
    hidden = Study.with_hidden.get(changes_to=study)
    assert hidden.title == "Not yet"
    for address in ("/console/", "/console/studies/small/", "/s/small/", "/metrics", "/api/v1/studies/"):
        page = driver.client.get(address).content.decode()
        assert hidden.title not in page
        assert hidden.slug not in page
    for place in ("/console/studies", "/s", "/api/v1/studies"):
        address = f"{place}/{hidden.slug}/"
        assert driver.client.get(address).status_code == 404, address
    assert not Study.objects.filter(pk=hidden.pk).exists()


def test_changes_are_discarded_and_the_study_stays(driver: Driver, setup: Setup) -> None:
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    changes = driver.change(study)
    folder = changes.folder
    assert folder.exists()
    driver.post(at(changes), action="delete", sure="on")
    assert not folder.exists()
    assert list(Study.objects.all()) == [study]
    assert setup.folder.exists()


def test_a_draft_is_deleted_with_its_files_and_an_open_study_is_not(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup), action="delete")
    assert driver.refused == ["sure"]
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    address = at(setup)
    driver.post(address, action="delete", sure="on")
    assert Study.objects.exists()
    Study.objects.update(state="draft")
    driver.post(address, action="delete", sure="on")
    assert not Study.objects.exists()
    assert not Setup.objects.exists()
    assert not setup.folder.exists()
    assert AuditEntry.objects.filter(verb="deleted", study_slug="small").exists()


def test_a_study_with_imported_judgments_is_not_read_anew(driver: Driver, setup: Setup) -> None:
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    make_worker(study, upto="question")
    Study.objects.update(state="draft")
    study.refresh_from_db()
    assert get_or_create_setup(study=study, now=NOW).study.changes_to == study
