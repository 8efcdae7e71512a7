"""What people read about time and pay before they agree."""

from decimal import Decimal

import pytest
from django.core.cache import cache
from django.test import Client

from judging.models import Assignment, Participation, Study
from judging.protocol.estimates import first_minutes, hourly_pay
from judging.worker.selectors.offer import LEAST_UNITS, offer_of
from tests.factories import judge_unit, later, make_study, make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def new_cache() -> None:
    cache.clear()


@pytest.mark.parametrize(
    ("words", "minutes", "expected"), [(700, 10, 15), (0, 8, 9), (1, 8, 10), (200, 8.5, 11)]
)
def test_the_first_unit_takes_its_texts_and_the_practice_too(
    words: int, minutes: float, expected: int
) -> None:
    assert first_minutes(words, minutes) == expected


def test_pay_per_hour_is_rounded_to_cents() -> None:
    assert hourly_pay(Decimal("0.20"), 10) == Decimal("1.20")
    assert hourly_pay(Decimal("1"), 7) == Decimal("8.57")
    assert hourly_pay(Decimal("0.05"), 8) == Decimal("0.38")  # half a cent is rounded up


def test_the_researchers_estimate_is_used_until_units_are_complete() -> None:
    study = make_study(topics=3, expected_minutes=12, pay_per_unit="0.60", information="word " * 200)
    offer = offer_of(study)
    assert (offer.unit_minutes, offer.most_units, offer.most_pay) == (12, 3, Decimal("1.80"))
    assert offer.hourly == Decimal("3.00")
    assert offer.first_minutes >= 14


def test_completed_units_replace_the_estimate() -> None:
    study = make_study(topics=2, judgments_per_document=LEAST_UNITS, expected_minutes=60, pay_per_unit="1")
    for number in range(LEAST_UNITS):
        judge_unit(make_worker(study), now=later(hours=number), seconds=30)
    Participation.objects.update(kind="person", behaviour="")
    cache.clear()
    assert offer_of(study).unit_minutes == 4  # eight documents of 30 s
    assert offer_of(study).hourly == Decimal("15.00")
    assert Assignment.objects.filter(state="completed").count() == LEAST_UNITS


def test_a_limit_lowers_the_most_that_can_be_earned() -> None:
    study = make_study(topics=3, max_units_per_worker=2, pay_per_unit="0.60")
    assert (offer_of(study).most_units, offer_of(study).most_pay) == (2, Decimal("1.20"))
    study.max_units_per_worker = 9
    assert offer_of(study).most_units == 3


def test_the_page_shows_the_offer() -> None:
    study = make_study(topics=3, expected_minutes=10, pay_per_unit="0.60", pay_checks_failed="0.11")
    Study.objects.update(check_attempts=2)
    page = Client().get(f"/s/{study.slug}/").content.decode()
    for amount in ("0.60", "3.60", "1.80", "0.11"):
        assert amount in page
