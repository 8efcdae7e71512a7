"""Queries that are written once read and write what the ORM would."""

import sys
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

import deploy.urls  # noqa: F401 - brings all prepared reads in
from judging.core.statements import Prepared, Value, save_fields
from judging.models import (
    Assignment,
    Judgment,
    Participation,
    PlatformIdentity,
    PlatformSubmission,
    Visit,
)
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.visits import open_document
from tests.factories import (
    NOW,
    answer_rightly,
    current,
    judge_unit,
    live_assignment,
    make_study,
    make_worker,
    see,
)
from tests.support.named import assert_names

NOTHING: dict[type, Value] = {str: "none", int: 987_654, datetime: NOW - timedelta(days=365)}


@pytest.fixture
def worker(database: str) -> Participation:
    """Somebody in the second unit, the first one paid; another's unit has lapsed, a third topic is left."""
    study = make_study(pay_per_unit="1.25", opens_at=NOW - timedelta(days=1), topics=3)
    lost = make_worker(study, upto="judging")
    Assignment.objects.filter(participation=lost).update(state="lapsed", ended_at=NOW, answers_kept=True)
    worker = make_worker(study, upto="ready")
    identity = PlatformIdentity.objects.create(study=study, participation=worker, platform_id="someone")
    PlatformSubmission.objects.create(identity=identity, submission_id="first", linked_at=NOW)
    judge_unit(worker)
    reserve_unit(participation=worker, now=NOW, rng=Random(1))
    answer_rightly(worker)
    see(worker)
    return worker


def reads() -> list[Prepared]:
    """Every prepared read of the site."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("judging.")]
    results = {id(var): var for module in modules for var in vars(module).values() if type(var) is Prepared}
    return list(results.values())


def values_for(read: Prepared, worker: Participation) -> dict[str, Value]:
    assignment = live_assignment(worker)
    known: dict[str, Value] = {
        "slug": worker.study.slug,
        "token": worker.token,
        "study": worker.study_id,
        "worker": worker.pk,
        "assignment": assignment.pk,
        "unit": assignment.unit_id,
        "topic": assignment.topic_id,
        "position": 1,
        "number": assignment.number,
        "kind": worker.kind,
        "now": NOW,
        "ended": NOW + timedelta(days=2),
    }
    model = read.queryset(**{name: NOTHING[kind] for name, kind in read.parameters.items()}).model
    known["key"] = assignment.pk if model is Assignment else worker.pk
    return {name: known[name] for name in read.parameters}


def test_what_is_prepared_reads_what_the_orm_reads(worker: Participation) -> None:
    """Each read, twice: as it is written and as it is written already; with all that it joins."""
    assert len(reads()) > 12
    for read in reads():
        values = values_for(read, worker)
        with transaction.atomic():
            expected = list(read.queryset(**values))
            assert expected, f"nothing to compare for {values}"
            for _ in range(2):
                result = read.all(**values)
                assert [told(item) for item in result] == [told(item) for item in expected]
                assert read.first(**values) == expected[0]


def told(one: Model, seen: frozenset[int] = frozenset()) -> list[tuple[type[Model], dict[str, object], bool]]:
    """An object and those that were read with it: type, all values, and whether it is yet to be stored."""
    if id(one) in seen:
        return []
    values = {name: value for name, value in vars(one).items() if name not in ("_state", "read_at")}
    joined = one._state.fields_cache
    return [(type(one), values, one._state.adding)] + [
        row for name in sorted(joined) for row in told(joined[name], seen | {id(one)})
    ]


def test_nothing_there_is_nothing_found(worker: Participation) -> None:
    for read in reads():
        with transaction.atomic():
            nothing = {name: NOTHING[kind] for name, kind in read.parameters.items()}
            assert read.all(**nothing) == []
            assert read.first(**nothing) is None


def test_a_parameter_that_the_query_does_not_use_is_a_mistake(worker: Participation) -> None:
    read = Prepared(lambda number, more: Judgment.objects.filter(position=number), number=int, more=int)
    with pytest.raises(AssertionError, match="more"):
        read.all(number=1, more=2)


def test_text_is_never_part_of_the_query(worker: Participation) -> None:
    read = Prepared(lambda token: Participation.objects.filter(token=token), token=str)
    assert read.all(token="' OR 1=1 --") == []
    assert read.all(token=worker.token) == [worker]


@pytest.mark.parametrize("magnitude", [1 / 3, None])
def test_fields_are_saved_as_the_orm_saves_them(worker: Participation, magnitude: float | None) -> None:
    """All kinds of values: text, a float or none, a whole number, a time with its zone."""
    one, other = Judgment.objects.filter(assignment=live_assignment(worker)).order_by("position")[:2]
    names = ("raw_input", "justification", "magnitude", "revisions", "saved_at")
    for judgment in (one, other):
        judgment.raw_input, judgment.justification = "1/3", "Because it's “so” – 100 %s"
        judgment.magnitude = magnitude
        judgment.revisions, judgment.saved_at = 3, NOW + timedelta(microseconds=123_000)
        judgment.visible_seconds = 77.0
    save_fields(one, *names)
    other.save(update_fields=names)
    by_rows, by_orm = (Judgment.objects.get(pk=judgment.pk) for judgment in (one, other))
    assert model_to_dict(by_rows, names) == model_to_dict(by_orm, names)
    assert by_rows.saved_at == one.saved_at
    assert by_rows.visible_seconds == 0, "a field that was not named"


def test_a_row_that_is_gone_is_not_saved(worker: Participation) -> None:
    judgment = Judgment.objects.filter(assignment=live_assignment(worker)).first()
    Visit.objects.all().delete()
    Judgment.objects.filter(pk=judgment.pk).delete()
    with pytest.raises(DatabaseError) as refused:
        save_fields(judgment, "raw_input")
    assert_names(str(refused.value), str(judgment.pk))
    assert not Judgment.objects.filter(pk=judgment.pk).exists()


def test_what_the_database_refuses_is_told_as_by_the_orm(worker: Participation) -> None:
    judgment = Judgment.objects.filter(assignment=live_assignment(worker)).first()
    judgment.magnitude = -1.0
    with pytest.raises(IntegrityError, match="judgment_magnitude_bounded"), transaction.atomic():
        save_fields(judgment, "magnitude")


def test_a_per_cent_sign_is_text(worker: Participation) -> None:
    """In the values of a statement, and written into its text."""
    read = Prepared(
        lambda token: Participation.objects.filter(token=token).extra(where=["'5%%' LIKE '5%%%%'"]), token=str
    )
    assert read.all(token=worker.token) == [worker]
    assert read.all(token="%s") == read.all(token="100 %") == []


def test_statements_are_logged_as_others_are(worker: Participation) -> None:
    assignment, judgment = live_assignment(worker), current(worker)
    with CaptureQueriesContext(connection) as asked:
        open_document(assignment=assignment, judgment=judgment, now=NOW)
    (query,) = asked.captured_queries
    assert "INSERT INTO" in query["sql"]
