"""Workers read the current settings in the fields of texts, and a stored consent says what they agreed to."""

import pytest

from judging.core.services.studies import open_study
from judging.models import AuditEntry, Participation, Setup, Study
from judging.protocol.text_fields import TEXT_FIELDS
from judging.worker.services.arrival import give_consent
from tests.factories import NOW, dice, make_worker
from tests.setup.driving import Driver, at
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent, practise

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = {
    "information": "**Pay.** You get {pay} within {paid_within} days, for about {minutes} minutes.",
    "consent": "I judge {documents} documents.",
    "instructions_magnitude": "You have {time_limit} minutes. Ask {contact}.",
    "instructions_task": "This is for {requester}.",
}


@pytest.fixture
def study(driver: Driver, setup: Setup) -> Study:
    """An open study with fields in each text."""
    driver.post(at(setup, "texts/"), **TEXTS)
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50", "pay.paid_within": "3"})
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    return study


def make_changes(driver: Driver, study: Study, **typed: str) -> None:
    changes = driver.change(study)
    for name, value in typed.items():
        step = "texts" if name == "consent_version" else "terms"
        driver.post(at(changes, f"{step}/"), **{name if step == "texts" else f"pay.{name}": value})
    driver.post(at(changes), action="check")
    driver.post(at(changes), action="make")


def information(study: Study) -> str:
    return Visitor(through_client()).open(f"/s/{study.slug}/").text


def test_a_change_of_the_pay_changes_what_workers_read(driver: Driver, study: Study) -> None:
    assert "You get 0.50 USD within 3 days, for about 10 minutes." in information(study)
    make_changes(driver, study, pay_per_unit="0.75")
    assert "You get 0.75 USD within 3 days" in information(study)
    assert Study.objects.get().information == TEXTS["information"]
    entry = AuditEntry.objects.filter(verb="updated").get()
    assert (entry.detail["before"], entry.detail["after"]) == (
        {"pay_per_unit": "0.50"},
        {"pay_per_unit": "0.75"},
    )


def test_every_text_for_workers_is_filled_in(study: Study) -> None:
    visitor = Visitor(through_client())
    page = visitor.open(f"/s/{study.slug}/")
    assert f"I judge {study.unit_size} documents." in page.text
    consent(visitor, f"/s/{study.slug}/")
    assert f"You have 60 minutes. Ask {study.contact}." in visitor.page.text
    practise(visitor)
    assert visitor.page.step == "task"
    assert f"This is for {study.requester}." in visitor.page.text
    bodies = [reply.body.decode() for reply in visitor.seen]
    assert not any(field.written in body for body in bodies for field in TEXT_FIELDS.values())


def test_amounts_are_in_the_language_of_the_study(study: Study) -> None:
    Study.objects.update(language="de", pay_per_unit="1234.50")
    assert "1.234,50 USD" in information(study)


def test_an_open_study_keeps_what_its_fields_need(driver: Driver, study: Study) -> None:
    make_changes(driver, study, pay_per_unit="0")
    assert "{pay}" in driver.text
    assert Study.objects.get().pays


def test_other_words_in_the_consent_need_another_version(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "texts/"), consent="I work for {pay}.")
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50", "pay.paid_within": "3"})
    study = Study.objects.get()
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    make_worker(study, upto="question")
    make_changes(driver, study, paid_within="5")
    make_changes(driver, Study.objects.get(), pay_per_unit="0.75")
    assert [(fault.step, fault.field) for fault in driver.faults] == [("texts", "consent_version")]
    assert (Study.objects.get().paid_within, str(Study.objects.get().pay_per_unit)) == (5, "0.50")
    make_changes(driver, Study.objects.get(), consent_version="2")
    study = Study.objects.get()
    assert "I work for 0.75 USD." in information(study)
    first = Participation.objects.get()
    second = give_consent(study=study, now=NOW, rng=dice(first, NOW))
    assert (first.consent_version, second.consent_version) == ("1", "2")
