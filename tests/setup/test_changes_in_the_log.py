"""What an update of a study leaves in the audit log, and who may change the terms of one that has begun."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.core.faults import StudyRefusedError
from judging.core.services.members import set_role
from judging.core.services.studies import open_study
from judging.core.stored_sentences import from_json
from judging.models import AuditEntry, Job, Role, Setup, Study, Topic
from judging.setup.making import get_or_create_setup
from judging.setup.services.setups import delete_draft
from tests.factories import NOW, make_worker
from tests.setup.driving import Driver, at
from tests.setup.intake.folder import StudyFolder

pytestmark = pytest.mark.django_db
in_console = pytest.mark.django_db(transaction=True)
"""Jobs are done once their transaction is committed."""

PAY = "[pay]\npaid_within = 7\npay_per_unit = {}\n[documents]"


def last_update() -> dict[str, Any]:
    entry = AuditEntry.objects.filter(verb="updated").latest("pk")
    return {"actor": entry.actor_name, **entry.detail}


@pytest.fixture
def study(driver: Driver, setup: Setup) -> Study:
    """The study of the set-up, opened; its owner is the researcher of `driver`."""
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.20", "pay.paid_within": "7"})
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    return study


@pytest.fixture
def changes(driver: Driver, study: Study) -> Setup:
    """The set-up of changes to the study."""
    return driver.change(study)


def make_changes(driver: Driver, changes: Setup) -> None:
    driver.post(at(changes), action="check")
    driver.post(at(changes), action="make")


@pytest.fixture
def editor(study: Study, db: None) -> AbstractBaseUser:
    user = get_user_model().objects.create_user("eddy")
    set_role(study=study, user=user, role=Role.EDITOR, now=NOW)
    return user


def driver_of(user: AbstractBaseUser) -> Driver:
    client = Client()
    client.force_login(user)
    return Driver(client)


@pytest.mark.parametrize("begun", [False, True])
def test_an_update_on_the_command_line_tells_what_was_and_is(folder: StudyFolder, begun: bool) -> None:
    folder.replace("study.toml", "[documents]", PAY.format("0.2"))
    study = folder.imported().study
    open_study(study=study, now=NOW)
    if begun:
        make_worker(Study.objects.get(), upto="question")
    folder.replace("study.toml", "pay_per_unit = 0.2", "pay_per_unit = 0.05")
    folder.replace("topics.txt", "title of 007", "a clearer title")
    folder.imported(update=True)

    detail = last_update()
    assert detail["actor"] == ""
    assert detail["before"] == {"pay_per_unit": "0.20", "topic 007 title": "title of 007"}
    assert detail["after"] == {"pay_per_unit": "0.05", "topic 007 title": "a clearer title"}
    assert (detail["topics_added"], detail["topics_removed"]) == ([], [])


def test_before_the_study_begins_questions_anchors_and_topics_are_told_too(folder: StudyFolder) -> None:
    folder.imported()
    folder.replace("study.toml", "does topic 007", "is topic 007")
    folder.append("qrels.txt", "007 0 unpooled 3\n")
    folder.append("study.toml", '[[anchor]]\ntopic = "007"\nH = "unpooled"\n')
    folder.add_topic("3")
    folder.imported(update=True)

    detail = last_update()
    assert detail["topics_added"] == ["3"]
    assert set(detail["after"]) == {"topic 007 question", "topic 007 anchor H", "topic 007 pool"}
    assert detail["after"]["topic 007 anchor H"] == "unpooled"


def test_changes_that_are_being_set_up_are_not_left_to_undo_an_update(folder: StudyFolder) -> None:
    study = folder.imported().study
    open_study(study=study, now=NOW)
    changes = get_or_create_setup(study=Study.objects.get(), now=NOW)
    folder.replace("topics.txt", "title of 007", "a clearer title")
    with pytest.raises(StudyRefusedError):
        folder.imported(update=True)
    assert not Topic.objects.filter(study=study, title="a clearer title").exists()

    delete_draft(setup=changes, now=NOW, actor=None)
    folder.imported(update=True)
    assert Topic.objects.filter(study=study, title="a clearer title").exists()


def test_of_an_address_the_host_alone_is_told(folder: StudyFolder) -> None:
    head = (
        '[platform]\nplatform = "generic"\nid_parameter = "PID"\ncompletion_url = "https://{}"\n[documents]'
    )
    folder.replace("study.toml", "[documents]", head.format("a.example/done?cc=TOPSECRET"))
    folder.imported()
    folder.replace("study.toml", "a.example/done?cc=TOPSECRET", "b.example/done?cc=NEWSECRET")
    folder.imported(update=True)

    assert last_update()["after"] == {"completion_url": "b.example"}
    assert "SECRET" not in str(list(AuditEntry.objects.values()))


@in_console
def test_the_console_says_who_created_and_who_changed(driver: Driver, study: Study, changes: Setup) -> None:
    created = AuditEntry.objects.get(verb="created")
    driver.post(at(changes, "terms/"), **{"pay.pay_per_unit": "0.05"})
    make_changes(driver, changes)

    detail = last_update()
    assert detail["actor"] == created.actor_name != ""
    assert (detail["before"], detail["after"]) == ({"pay_per_unit": "0.20"}, {"pay_per_unit": "0.05"})
    page = driver.get(f"/console/studies/{study.slug}/audit/")
    assert "pay_per_unit: 0.20 → 0.05" in page


@in_console
def test_an_editor_changes_no_terms_of_a_study_that_has_begun(
    study: Study, changes: Setup, editor: AbstractBaseUser
) -> None:
    make_worker(study, upto="question")
    before = Study.with_hidden.filter(changes_to=study).values().get()
    by_editor = driver_of(editor)
    terms = {"pay.pay_per_unit": "0.05", "pay.pay_screened_out": "0.10", "pay.pay_cancelled": "0.10"}
    typed = [("terms", {name: value}) for name, value in terms.items()]
    typed += [("terms", {"platform.entry": "invite"}), ("study", {"contact": "me@example.org"})]
    for step, fields in typed:
        name, value = {"study": ("title", "Half a change"), "terms": ("units.lapse_minutes", "90")}[step]
        by_editor.post(at(changes, f"{step}/"), **fields, **{name: value})

        assert by_editor.status == 403, fields
        assert Study.with_hidden.filter(changes_to=study).values().get() == before
        assert f'value="{value}"' in by_editor.text, "what was typed is lost"


@in_console
def test_an_editor_changes_the_rest_and_an_owner_all(
    driver: Driver, study: Study, changes: Setup, editor: AbstractBaseUser
) -> None:
    make_worker(study, upto="question")
    by_editor = driver_of(editor)
    by_editor.post(at(changes, "terms/"), **{"units.lapse_minutes": "90", "pay.pay_per_unit": "0.20"})
    make_changes(by_editor, changes)
    assert Study.objects.get().lapse_minutes == 90
    assert last_update()["actor"] == "eddy"
    more = driver.change(study)
    driver.post(at(more, "terms/"), **{"pay.pay_per_unit": "0.30"})
    make_changes(driver, more)
    assert str(Study.objects.get().pay_per_unit) == "0.30"


@in_console
def test_terms_that_an_owner_saved_are_not_made_by_an_editor(
    driver: Driver, study: Study, changes: Setup, editor: AbstractBaseUser
) -> None:
    make_worker(study, upto="question")
    driver.post(at(changes, "terms/"), **{"pay.pay_per_unit": "0.05", "units.lapse_minutes": "90"})
    make_changes(driver_of(editor), changes)

    job = Job.objects.filter(kind="import").latest("pk")
    assert job.state == "failed"
    assert [str(from_json(fault)).split(": ")[0] for fault in job.result["faults"]] == ["pay_per_unit"]
    study.refresh_from_db()
    assert (str(study.pay_per_unit), study.lapse_minutes) == ("0.20", 60)


@in_console
def test_until_the_study_has_begun_an_editor_changes_the_terms(
    changes: Setup, editor: AbstractBaseUser
) -> None:
    by_editor = driver_of(editor)
    by_editor.post(at(changes, "terms/"), **{"pay.pay_per_unit": "0.05"})
    make_changes(by_editor, changes)
    assert str(Study.objects.get().pay_per_unit) == "0.05"


@in_console
def test_a_topic_and_a_run_are_added_to_a_study_that_has_begun(
    driver: Driver, study: Study, folder: StudyFolder
) -> None:
    make_worker(study, upto="question")
    changes = driver.change(study)
    folder.add_topic("3")
    for name in ("documents.jsonl", "qrels.txt", "good.run", "poor.run"):
        driver.post(at(changes, "files/"), action="remove", name=name)
    driver.upload(changes, "topics", folder.path / "topics.txt")
    driver.upload(changes, "documents", folder.path / "documents.jsonl")
    driver.upload(changes, "run", folder.path / "good.run", folder.path / "poor.run")
    driver.upload_grades(changes, folder.path / "qrels.txt")
    form = {"action": "grades", "path": "qrels.txt", "name": "sormunen", "unlisted": ""}
    driver.post(at(changes, "files/"), **form)
    driver.post(at(changes, "files/"), action="pool", depth="8")
    options = dict(zip((f"option-{place}" for place in range(4)), ("a", "b", "c", "d"), strict=True))
    driver.post(at(changes, "topic/?number=3"), action="save", question="Q?", right="0", **options)
    make_changes(driver, changes)
    assert last_update()["topics_added"] == ["3"]
    assert [topic.number for topic in study.topics.order_by("place")] == ["007", "1e5", "3"]
    assert study.topics.get(number="3").units.count() == 3
    assert Setup.objects.get().study == study
