"""Rows that are read with explicit SQL, and their locks."""

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from judging.core.services.ending import open_visit
from judging.core.services.locking import lock_assignment
from judging.core.sql import first_row, for_update
from judging.models import Participation, Study
from judging.worker.selectors.participations import (
    current_assignment,
    documents_of,
    judgment_at_cursor,
    participation_by_token,
)
from tests.factories import make_study, make_worker, see


@pytest.fixture
def worker(database: str) -> Participation:
    worker = make_worker(make_study(pay_per_unit="1.25"), upto="judging")
    see(worker)
    return worker


def test_rows_have_the_values_that_the_orm_reads(worker: Participation) -> None:
    """Times, amounts, JSON and booleans are converted for both databases."""
    known = participation_by_token(worker.study.slug, worker.token)
    assert known is not None
    assignment = current_assignment(known)
    assert assignment is not None
    judgment, visit = judgment_at_cursor(assignment), open_visit(assignment)
    assert judgment is not None
    assert visit is not None
    for row in (known, known.study, assignment, assignment.topic, judgment, visit, *documents_of(judgment)):
        same = type(row)._base_manager.get(pk=row.pk)
        fields = [field.attname for field in row._meta.concrete_fields]
        assert [getattr(row, name) for name in fields] == [getattr(same, name) for name in fields]
        assert model_to_dict(row) == model_to_dict(same)
        assert not row._state.adding


def test_no_row_is_none(worker: Participation) -> None:
    assert first_row(Study, "SELECT * FROM judging_study WHERE slug = %s", "' OR 1=1 --") is None
    assert participation_by_token("none", worker.token) is None
    assert participation_by_token(worker.study.slug, "none") is None
    with transaction.atomic():
        assert lock_assignment(worker, 99) is None


def test_the_participation_is_locked_before_its_assignment(worker: Participation) -> None:
    with transaction.atomic(), CaptureQueriesContext(connection) as captured:
        lock_assignment(worker, 1)
    first, second = (query["sql"] for query in captured if "SELECT *" in query["sql"])
    assert "judging_participation" in first
    assert "judging_assignment" in second
    locks = connection.vendor == "postgresql"
    assert all(sql.endswith("FOR NO KEY UPDATE") == locks for sql in (first, second))


def test_locks_need_a_transaction(worker: Participation) -> None:
    with pytest.raises(TransactionManagementError):
        for_update("SELECT 1")
