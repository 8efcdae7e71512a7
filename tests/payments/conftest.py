"""A study that pays for everything: completed units, being screened out, and units cancelled by a closing."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.core.services.members import set_role
from judging.core.services.studies import close_study
from judging.models import Participation, Role, Study
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    answer_rightly,
    dice,
    fail_practice,
    judge_unit,
    later,
    make_study,
    make_worker,
)

PAY: dict[str, Decimal] = {
    "pay_per_unit": Decimal("0.20"),
    "pay_screened_out": Decimal("0.05"),
    "pay_cancelled": Decimal("0.10"),
}


def paying_study(**settings: object) -> Study:
    return make_study(
        **{
            "platform": "generic",
            "id_parameter": "PID",
            "practice_attempts": 1,
            "seconds_per_document": 0,  # so that a test can fail the practice in no time
            **PAY,
            **settings,
        }
    )


def fill(study: Study) -> dict[str, Participation]:
    """Two units by a worker, one screened-out worker, one whose unit is cancelled as the study closes.

    Four payments: 0.20 + 0.20 + 0.05 + 0.10 = 0.55.
    """
    people = {
        "judge": make_worker(study, platform_id="P-judge", submission_id="S-1"),
        "novice": make_worker(study, platform_id="P-novice", submission_id="S-2", upto="practising"),
        "late": make_worker(study, platform_id="P-late", submission_id="S-3"),
    }
    for number in range(2):
        judge_unit(people["judge"], now=later(hours=number))
    fail_practice(people["novice"], now=later(hours=2))
    judge_unit_halfway(people["late"])
    close_study(study=study, now=later(hours=3), force=True)
    for person in people.values():
        person.refresh_from_db()
    return people


def judge_unit_halfway(worker: Participation) -> None:
    """Take a unit, and answer its question."""
    now = later(hours=2, minutes=50)
    assert reserve_unit(participation=worker, now=now, rng=dice(worker, now))
    answer_rightly(worker, now=now)


@pytest.fixture
def study(db: None) -> Study:
    return paying_study()


@pytest.fixture
def member(db: None) -> Callable[..., AbstractBaseUser]:
    """A function that makes a member of the staff with a role in a study, or without one."""

    def make(name: str, study: Study | None = None, role: Role | None = None) -> AbstractBaseUser:
        user = get_user_model().objects.create_user(name, password="a-plumb-line-of-93", is_staff=True)
        if study is not None and role is not None:
            set_role(study=study, user=user, role=role, now=NOW)
        return user

    return make


@pytest.fixture
def logged_in() -> Callable[[AbstractBaseUser], Client]:
    """A function that gives the browser of a user."""

    def client_of(user: AbstractBaseUser) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return client_of


@pytest.fixture
def owner(member: Callable[..., AbstractBaseUser], study: Study) -> AbstractBaseUser:
    return member("olga", study, Role.OWNER)


@pytest.fixture
def browser_of_owner(owner: AbstractBaseUser, logged_in: Callable[[AbstractBaseUser], Client]) -> Client:
    return logged_in(owner)
