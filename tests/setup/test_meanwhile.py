"""A study that is opened, or whose changes are made, while somebody else still sets it up."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from judging.core.services.errors import RefusedError
from judging.core.services.studies import open_study
from judging.models import Job, JobState, Setup, Study, Topic, Unit
from judging.setup.intake.content import StudyContent
from judging.setup.jobs import importing
from judging.setup.pages import common
from judging.setup.reading import read_setup
from judging.setup.services.setups import note_change, request_changes
from tests.factories import NOW, make_worker
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)
Meanwhile = Callable[[Callable[[], object]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let something happen once a page has found its set-up, before it is locked."""

    def happen(deed: Callable[[], object]) -> None:
        find = common.setup_of

        def found(study: Study) -> Setup | None:
            setup = find(study)
            monkeypatch.setattr(common, "setup_of", find)
            deed()
            return setup

        monkeypatch.setattr(common, "setup_of", found)

    return happen


def test_a_check_that_comes_late_leaves_an_open_study_alone(setup: Setup) -> None:
    late = Setup.objects.select_related("study__changes_to").get(pk=setup.pk)
    open_study(study=late.study, now=NOW)
    planned = set(Unit.objects.values_list("pk", flat=True))
    read_setup(late)
    assert planned
    assert set(Unit.objects.values_list("pk", flat=True)) == planned


@pytest.mark.parametrize(
    ("page", "typed"),
    [
        ("terms/", {"units.judgments_per_document": "4"}),
        ("topics/?", {"number": "999", "title": "Late"}),
        ("topic/?number=007", {"action": "delete"}),
        ("files/", {"action": "pool", "depth": "1"}),
        ("anchors/?number=007", {"draw": "1"}),
    ],
)
def test_a_form_that_comes_late_leaves_an_open_study_alone(
    driver: Driver, setup: Setup, meanwhile: Meanwhile, page: str, typed: dict[str, str]
) -> None:
    topics = list(Topic.objects.order_by("pk").values())
    meanwhile(lambda: open_study(study=setup.study, now=NOW))
    driver.post(at(setup, page), **typed)
    assert driver.status == 409 or driver.refused == [""]
    study = Study.objects.get()
    assert (study.state, study.judgments_per_document) == ("open", setup.study.judgments_per_document)
    assert list(Topic.objects.order_by("pk").values()) == topics


def test_a_form_that_comes_after_the_changes_were_made_writes_nothing(
    driver: Driver, setup: Setup, meanwhile: Meanwhile
) -> None:
    open_study(study=setup.study, now=NOW)
    changes = driver.change(setup.study)
    address = at(changes, "terms/")
    meanwhile(lambda: driver.client.post(at(changes), {"action": "make"}))
    driver.post(address, **{"units.judgments_per_document": "4"})
    assert not Study.with_hidden.filter(judgments_per_document=4).exists()
    assert not Study.with_hidden.exclude(changes_to=None).exists()


def test_only_changes_that_were_read_without_a_fault_are_made(driver: Driver, setup: Setup) -> None:
    with pytest.raises(RefusedError):
        request_changes(setup=setup, now=NOW, actor=None)
    open_study(study=setup.study, now=NOW)
    changes = driver.change(setup.study)
    changes.refresh_from_db()
    note_change(setup=changes, now=NOW)
    jobs = Job.objects.count()
    with pytest.raises(RefusedError):
        request_changes(setup=changes, now=NOW, actor=None)
    driver.post(at(changes), action="make")
    assert driver.refused == [""]
    assert Job.objects.count() == jobs


def test_what_was_typed_into_discarded_changes_is_shown(driver: Driver, setup: Setup) -> None:
    open_study(study=setup.study, now=NOW)
    changes = driver.change(setup.study)
    address = at(changes, "study/")
    driver.post(at(changes), action="delete", sure="yes")
    assert not Study.with_hidden.exclude(changes_to=None).exists()
    answer = driver.client.post(address, {"contact": "late@example.org"})
    assert answer.status_code == 409
    assert ("contact", "late@example.org") in answer.context["typed"]


def test_what_was_typed_into_a_deleted_draft_is_shown(driver: Driver, setup: Setup) -> None:
    address = at(setup, "study/")
    driver.post(at(setup), action="delete", sure="yes")
    assert not Study.objects.exists()
    assert driver.client.get(address).status_code == 404
    answer = driver.client.post(address, {"contact": "late@example.org"})
    assert answer.status_code == 404
    assert ("contact", "late@example.org") in answer.context["typed"]


def test_what_is_saved_while_changes_are_made_is_kept(
    driver: Driver, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_study(study=setup.study, now=NOW)
    changes = driver.change(setup.study)
    address = at(changes, "study/")
    read = importing.assemble_setup

    def overtaken(*args: Any) -> StudyContent:
        content = read(*args)
        driver.client.post(address, {"contact": "late@example.org"})
        return content

    monkeypatch.setattr(importing, "assemble_setup", overtaken)
    driver.post(at(changes), action="make")
    assert Job.objects.get(kind="import").state == JobState.FAILED
    assert Study.with_hidden.get(changes_to=setup.study_id).contact == "late@example.org"
    assert Study.objects.get().contact != "late@example.org"
    monkeypatch.setattr(importing, "assemble_setup", read)
    driver.post(at(changes), action="make")
    assert Study.objects.get().contact == "late@example.org"


def test_changed_terms_of_an_opened_study_are_checked(driver: Driver, setup: Setup) -> None:
    open_study(study=setup.study, now=NOW)
    make_worker(Study.objects.get(), upto="question")
    changes = driver.change(setup.study)
    driver.post(at(changes), action="check")
    driver.post(at(changes, "terms/"), **{"units.unit_size": "6"})
    driver.get(at(changes))
    assert "unit_size" in {fault.field for fault in driver.faults}


def test_settings_that_nobody_touched_stay_exactly_as_they_are(driver: Driver, setup: Setup) -> None:
    opens = datetime(2030, 1, 1, 10, 0, 30, tzinfo=UTC)
    Study.objects.update(seconds_per_document=12.3456789, opens_at=opens)
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50"})
    driver.post(at(setup, "study/"), title="Other")
    study = Study.objects.get()
    assert (study.title, str(study.pay_per_unit)) == ("Other", "0.50")
    assert (study.seconds_per_document, study.opens_at) == (12.3456789, opens)


@pytest.mark.parametrize("typed", ["x" * 300, "two words"])
def test_what_cannot_be_an_id_is_no_anchor(driver: Driver, setup: Setup, typed: str) -> None:
    driver.post(at(setup, "anchors/?number=007"), H=typed, reason="Clear.")
    assert driver.status == 400
    assert Topic.objects.get(number="007").named_h != typed
