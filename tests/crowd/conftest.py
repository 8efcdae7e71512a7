"""The sample collection judged by a crowd: once for all tests of a module, rolled back after them."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

import judging
from judging.crowd.simulation import START, Crowd, prepare, simulate
from judging.models import Study
from judging.setup.study_files.importing import import_study

SAMPLE = Path(judging.__file__).parent / "sample"


@pytest.fixture(scope="module")
def sample(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Study]:
    """The sample study, judged whole by 60 workers of the typical crowd."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = import_study(SAMPLE, slug="judged-sample", now=START - timedelta(days=1)).study
        prepare(study, START)
        simulate(study, Crowd(workers=60, seed=1), START)
        yield study
        transaction.set_rollback(True)
