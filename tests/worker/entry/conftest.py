"""Studies that are not entered by everybody, and the links that lead in."""

from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from judging.models import Study
from judging.protocol.platforms.base import Arrival
from judging.worker.selectors.signed_links import signed_query
from judging.worker.services.links import make_links, make_secret
from tests.factories import NOW, make_study
from tests.worker.pages.conftest import Clock, clock, visitor

__all__ = ["clock", "visitor"]

END = int(NOW.timestamp()) + 3600


@pytest.fixture
def invited(clock: Clock) -> Study:
    return make_study(entry="invite", seconds_per_document=0)


@pytest.fixture
def signed(clock: Clock) -> Study:
    """With a secret."""
    study = make_study(entry="signed", platform="generic", id_parameter="PID", submission_parameter="VISIT")
    make_secret(study=study, now=NOW)
    study.refresh_from_db()
    return study


def links(study: Study, count: int = 1) -> list[str]:
    """New personal links, as paths."""
    result = make_links(study=study, count=count, now=NOW, rng=Random(f"links of {study.slug}"))
    return [f"/s/{study.slug}/?invite={item.token}" for item in result]


def signed_link(study: Study, worker: str, visit: str = "", *, expires: int = END) -> str:
    arrival = Arrival(platform_id=worker, submission_id=visit)
    return f"/s/{study.slug}/?{signed_query(study, arrival, expires=expires)}"


def everything_stored(**options: Any) -> str:
    """All rows of the database that a dump would hold, as text."""
    out = StringIO()
    call_command("dumpdata", stdout=out, **options)
    return out.getvalue()
