"""The pages of a set-up: nothing typed is lost, faults stand beside their fields, uploads are not trusted."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from judging.intake.drafting import folder_of, values_of
from judging.models import Assignment, Draft, Job, Participation, Role, Study
from judging.services.members import set_role
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.setup.driving import SETUPS, Driver, at

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
def test_what_is_wrong_is_kept_and_told_beside_its_field(
    driver: Driver, draft: Draft, section: str, name: str, typed: str, named: str
) -> None:
    page = driver.post(at(draft, f"{section}/"), **{name: typed})
    told = driver.fault_at(name)
    assert told
    assert named in told
    assert f'value="{typed}"' in page or f"<option selected>{typed}</option>" in page
    assert driver.step_counts == {section: 1}
    overview = driver.get(at(draft))
    assert [(fault.step, fault.field) for fault in driver.faults] == [(section, name)]
    assert 'value="make"' not in overview
    driver.post(at(draft), action="make")
    assert driver.refused == [""]
    assert not Study.objects.exists()


def test_a_field_that_is_emptied_takes_its_default_again(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "terms/"), **{"units.judgments_per_document": "", "checks.visit_minutes": "7"})
    draft.refresh_from_db()
    assert "units" not in values_of(draft)
    assert values_of(draft)["checks"] == {"visit_minutes": 7}
    driver.post(at(draft, "terms/"), **{"checks.visit_minutes": " "})
    draft.refresh_from_db()
    assert "checks" not in values_of(draft)


def test_texts_are_shown_as_workers_see_them(driver: Driver, draft: Draft) -> None:
    page = driver.post(at(draft, "texts/"), information="# Hello\r\n\r\n<script>x</script> **there**")
    assert (
        "<h1>Hello</h1> <p><script>x</script> <strong>there</strong></p>" in page
    )  # unescaped by the driver
    raw = driver.client.get(at(draft, "texts/")).content.decode()
    assert "&lt;script&gt;x&lt;/script&gt; <strong>there</strong>" in raw
    assert "8 documents" in page  # the instructions that come with the software, with the unit's size
    answer = driver.client.post(f"{SETUPS}preview/", {"text": "*seen* <b>"})
    assert answer.content.decode() == "<p><em>seen</em> &lt;b&gt;</p>\n"


def test_the_shipped_instructions_are_not_copied_into_the_study(driver: Driver, draft: Draft) -> None:
    from judging.intake.draft_fields import shown
    from judging.protocol.settings import SETTINGS

    draft.refresh_from_db()
    driver.post(
        at(draft, "texts/"),
        instructions_task=shown(SETTINGS["instructions_task"], values_of(draft)).replace("\n", "\r\n"),
    )
    draft.refresh_from_db()
    assert "instructions_task" not in values_of(draft)


def test_a_study_of_that_name_is_told_before_anything_is_made(driver: Driver, draft: Draft) -> None:
    make_study(slug="small")
    driver.post(at(draft), action="check")
    assert [(fault.step, fault.field) for fault in driver.faults] == [("study", "slug")]
    driver.get(at(draft, "study/"))
    assert "small" in driver.fault_at("slug")


def test_the_pool_is_shown_for_every_depth_and_follows_it(driver: Driver, draft: Draft) -> None:
    page = driver.post(at(draft, "files/"), action="pool", **{"pool.depth": "5"})
    row = page.split('<tr class="chosen"><th scope="row">5 ')[1].split("</tr>")[0]
    # of 8 documents the runs, one the other's reverse, share A and N in their first five, and N is an anchor
    assert "<td>12</td><td>6–6</td><td>2 (17 %)</td><td>6</td>" in row
    page = driver.post(at(draft, "files/"), action="pool", **{"pool.depth": "0"})
    assert ["10000" in fault.item for fault in driver.faults if fault.field == "pool.depth"] == [True]


def test_the_estimate_follows_what_is_typed_and_stores_nothing(driver: Driver, draft: Draft) -> None:
    before = draft.text
    page = driver.post(
        at(draft, "estimate/"),
        **{"pay.pay_per_unit": "0.25", "units.judgments_per_document": "4", "pay.expected_minutes": "15"},
    )
    # two topics of 6 documents beside the anchors, 4 judgments each, units of 6 others: 8 units of 8
    for amount in ("<dd>USD 2.00<", "<dd>8<", "<dd>64<", "<dd>2.0 ", "<dd>USD 1.00<"):
        assert amount in page
    draft.refresh_from_db()
    assert "0.25" not in draft.text
    assert draft.text.count("\n") >= before.count("\n")
    page = driver.post(at(draft, "estimate/"), **{"pool.depth": "4", "units.unit_size": "nonsense"})
    assert "<dd>" in page


def test_the_minutes_of_earlier_workers_are_told(driver: Driver, draft: Draft) -> None:
    assert "data-measured" not in driver.get(at(draft))
    worker = make_worker(make_study(slug="earlier"))
    judge_unit(worker)
    Assignment.objects.update(ended_at=later(minutes=30), started_at=later(minutes=18))
    assert 'data-measured="12.0"' in driver.get(at(draft))
    Participation.objects.update(simulated=True, simulated_kind="careful")
    assert "data-measured" not in driver.get(at(draft))
    assert timedelta(minutes=12) == later(minutes=30) - later(minutes=18)


def test_questions_have_a_checklist_and_their_faults(driver: Driver, draft: Draft) -> None:
    address = at(draft, "topic/?number=007")
    page = driver.get(address)
    assert "title of 007" in page
    assert 'class="fails"' not in page
    typed = {"question": "What?", "option-0": "all of these", "option-1": "b", "option-2": "b", "right": "0"}
    page = driver.post(at(draft, "advice/"), **typed)
    assert page.count('class="fails"') == 2
    page = driver.post(address, action="save", **typed)
    (fault,) = driver.faults
    assert fault.field == "question.options"
    assert 'value="all of these"' in page
    assert "1e5" not in fault.item
    assert driver.step_counts == {"topics": 1}
    driver.post(address, action="save", question="")
    (fault,) = driver.faults
    assert "007" in fault.item


def test_topics_are_written_renamed_and_taken_out(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft, "topics/"), number="007", title="Twice")
    assert driver.refused == ["number"]
    assert 'value="Twice"' in driver.text
    driver.post(at(draft, "topics/"), number="9", title="Nine")
    address = at(draft, "topic/?number=9")
    options = {f"option-{place}": str(place) for place in range(4)}
    driver.post(
        address, action="save", number="10", title="Ten", description="d", question="Q", right="3", **options
    )
    draft.refresh_from_db()
    assert values_of(draft)["topic"] == [
        {
            "number": "10",
            "title": "Ten",
            "description": "d",
            "narrative": "",
            "question": "Q",
            "options": ["0", "1", "2", "3"],
            "answer": "3",
        }
    ]
    page = driver.post(at(draft, "topic/?number=10"), action="save", number="007", title="Kept", **options)
    assert driver.refused == ["number"]
    assert 'value="Kept"' in page
    driver.post(at(draft, "topic/?number=10"), action="drop")
    draft.refresh_from_db()
    assert "topic" not in values_of(draft)


def test_anchors_are_chosen_side_by_side_and_drawn_again(driver: Driver, draft: Draft) -> None:
    address = at(draft, "anchors/?number=007")
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
    driver.post(address, H="007-H", N="007-N")
    draft.refresh_from_db()
    assert values_of(draft)["anchor"] == [{"topic": "007", "H": "007-H", "N": "007-N"}]
    driver.post(address, H="007-H", N="007-N", draw="yes")
    draft.refresh_from_db()
    assert "anchor" not in values_of(draft)


def test_how_earlier_workers_judged_a_candidate_is_told(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft), action="make")
    study = Study.objects.get(slug="small")
    driver.post(f"/console/studies/{study.slug}/copy/")
    copied = Draft.objects.latest("pk")
    assert 'data-earlier="0"' in driver.get(at(copied, "anchors/?number=007"))
    from judging.services.studies import open_study

    Study.objects.update(seconds_per_document=0)
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    worker = make_worker(study)
    judge_unit(worker)
    number = worker.assignments.get().topic.number
    page = driver.get(at(copied, f"anchors/?number={number}"))
    assert 'data-earlier="1"' in page


def test_set_ups_are_their_owners_until_a_study_has_members(
    driver: Driver, draft: Draft, client: Client
) -> None:
    other = get_user_model().objects.create_user("olga", is_staff=True)
    client.force_login(other)
    pages = (
        "",
        "study/",
        "texts/",
        "terms/",
        "files/",
        "topics/",
        "topic/?number=007",
        "anchors/",
        "study.toml",
    )
    for page in (*pages, "study.zip", "estimate/", "advice/"):
        assert client.get(at(draft, page)).status_code == 404, page
        assert client.post(at(draft, page)).status_code in (404, 405), page
    driver.post(at(draft), action="make")
    study = Study.objects.get()
    set_role(study=study, user=other, role=Role.VIEWER, now=NOW)
    assert client.get(at(draft)).status_code == 404
    assert client.post(f"/console/studies/{study.slug}/copy/").status_code == 403
    assert client.post(f"/console/studies/{study.slug}/setup/").status_code == 403
    set_role(study=study, user=other, role=Role.EDITOR, now=NOW)
    assert client.get(at(draft)).status_code == 200


def test_a_study_that_has_begun_changes_as_far_as_update_lets_it(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft), action="make")
    study = Study.objects.get()
    driver.post(f"/console/studies/{study.slug}/state/open/")
    study.refresh_from_db()
    make_worker(study, upto="question")
    driver.post(at(draft, "texts/"), consent="Another one.")
    driver.post(at(draft), action="make")
    job = Job.objects.filter(kind="import").latest("pk")
    assert [line.split(": ")[1] for line in job.result["faults"]] == ["consent"]
    assert f'href="{at(draft)}">' in driver.text
    study.refresh_from_db()
    assert study.consent == "I agree."
    driver.post(at(draft, "texts/"), consent="I agree.")
    driver.post(at(draft, "study/"), title="Better", slug="other")
    driver.post(at(draft), action="make")
    study.refresh_from_db()
    assert (study.title, study.slug) == ("Better", "small")


def test_deleting_takes_the_files_along_and_leaves_the_study(driver: Driver, draft: Draft) -> None:
    driver.post(at(draft), action="make")
    place = folder_of(draft)
    driver.post(at(draft), action="delete")
    assert driver.refused == ["sure"]
    assert place.exists()
    driver.post(at(draft), action="delete", sure="on")
    assert not place.exists()
    assert not Draft.objects.exists()
    assert Study.objects.count() == 1
