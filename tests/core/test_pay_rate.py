"""The warning about low pay counts the instructions and the practice, and the page says what is not paid."""

from io import StringIO

from django.core.management import call_command
from django.test import Client

from judging.core.selectors.pay_rate import pay_warnings
from tests.factories import make_study, make_worker


def test_the_first_unit_counts_with_its_instructions_and_practice(db: None) -> None:
    fair_without = make_study(pay_per_unit="1.40", expected_minutes=10)  # 8.40 an hour for the unit alone
    fair_without.refresh_from_db()
    assert len(pay_warnings(fair_without)) == 1
    output = StringIO()
    call_command("check_study", "study", stdout=output)
    assert "pay_per_unit" in output.getvalue()


def test_fair_pay_and_no_pay_give_no_warning(db: None) -> None:
    for slug, pay in (("fair", "2.00"), ("free", "0")):
        study = make_study(slug=slug, pay_per_unit=pay, expected_minutes=10)
        study.refresh_from_db()
        assert pay_warnings(study) == []


def test_the_button_that_starts_the_practice_says_that_it_is_unpaid(db: None) -> None:
    worker = make_worker(make_study(pay_per_unit="0.20"), upto="consented")
    client = Client()
    client.get(f"/s/study/resume/{worker.token}/")
    assert 'data-told="practice_pay"' in client.get("/s/study/instructions/").content.decode()
