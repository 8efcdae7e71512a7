"""A study whose workers come from Prolific, and a stand-in for Prolific."""

from decimal import Decimal
from typing import Any

import pytest

from judging.models import Study
from tests.factories import make_study
from tests.platforms.prolific.stand_in import prolific

__all__ = ["prolific"]


def prolific_study(**settings: Any) -> Study:
    return make_study(
        **{
            "platform": "prolific",
            "completion_code": "DONE1234",
            "pay_per_unit": Decimal("0.90"),
            "pay_checks_failed": Decimal("0.30"),
            "pay_screened_out": Decimal("0.10"),
            "practice_attempts": 1,
            "seconds_per_document": 0,
            **settings,
        }
    )


@pytest.fixture
def study(db: None) -> Study:
    return prolific_study()
