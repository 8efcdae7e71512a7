"""Marking what was handed over: by the exported file, all of it or nothing, and once."""

from collections.abc import Callable
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.parsing.detect import other_kind
from judging.core.faults import InputError
from judging.core.selectors.payments import Sum, totals
from judging.core.services.errors import RefusedError
from judging.management.commands.export import Command as Export
from judging.management.commands.mark_paid import Command as MarkPaid
from judging.management.study_command import StudyCommand
from judging.models import Assignment, AuditEntry, Participation, Study
from judging.payments.export import payment_chunks
from judging.payments.reading import read_payments
from judging.payments.services.payments import Marked, mark_paid
from judging.watching.services.workers import erase_identity
from tests.factories import judge_unit, later, make_worker
from tests.payments.conftest import fill, paying_study
from tests.setup.intake.error_lines import assert_error_line
from tests.support.concurrent import at_once
from tests.support.named import numbers_in

Shell = pytest.CaptureFixture[str]


def exported(study: Study, form: str = "csv") -> list[bytes]:
    return b"".join(payment_chunks(study, form, now=later(hours=4))).splitlines(keepends=True)


def mark(study: Study, lines: list[bytes], *, hours: float = 5) -> Marked:
    return mark_paid(
        study=study, payments=read_payments("list.csv", BytesIO(b"".join(lines))), now=later(hours=hours)
    )


def refusal(study: Study, lines: list[bytes]) -> str:
    """Why the file is refused; nothing is marked by it."""
    with pytest.raises((InputError, RefusedError)) as refused:
        mark(study, lines)
    assert totals(study).paid.count == 0
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_was_exported_is_paid_and_what_came_later_is_due(database: str, form: str) -> None:
    study = paying_study()
    worker = make_worker(study)
    judge_unit(worker)
    lines = exported(study, form)
    judge_unit(worker, now=later(hours=1))
    assert mark(study, lines) == Marked(1, 0, Decimal("0.20"))
    assert (totals(study).paid, totals(study).due) == (Sum(1, Decimal("0.20")), Sum(1, Decimal("0.20")))
    assert list(worker.assignments.values_list("paid_at", flat=True)) == [later(hours=5), None]


def test_everything_that_pays_is_marked_once(study: Study) -> None:
    fill(study)
    lines = exported(study)
    assert mark(study, lines) == Marked(4, 0, Decimal("0.55"))
    assert mark(study, lines, hours=6) == Marked(0, 4, Decimal("0.00"))
    assert (totals(study).paid, totals(study).due) == (Sum(4, Decimal("0.55")), Sum(0, Decimal("0.00")))
    assert set(Assignment.objects.values_list("paid_at", flat=True)) == {later(hours=5)}
    assert Participation.objects.get(state="screened_out").paid_at == later(hours=5)
    entry = AuditEntry.objects.get(verb="payments_marked")
    assert entry.detail == {"payments": 4, "amount": "0.55", "currency": "USD"}


def test_a_line_that_stands_twice_is_paid_once(study: Study) -> None:
    judge_unit(make_worker(study))
    lines = exported(study)
    assert mark(study, [*lines, lines[1]]) == Marked(1, 1, Decimal("0.20"))


@pytest.mark.parametrize(
    "content",
    [b"%PDF-1.7\n", b"<!DOCTYPE html>\n", b'[{"worker_id": "a"}]', b"PK\x03\x04" + bytes(30) + b"xl/"],
)
def test_a_file_of_another_kind_is_named_as_what_it_is(study: Study, content: bytes) -> None:
    assert other_kind(content) in refusal(study, [content])


def test_a_spreadsheet_may_have_written_semicolons(study: Study) -> None:
    judge_unit(make_worker(study))
    lines = [line.replace(b",", b";") for line in exported(study)]
    assert mark(study, lines).new == 1


def test_an_identity_erased_meanwhile_does_not_matter(study: Study) -> None:
    worker = make_worker(study, platform_id="P")
    judge_unit(worker)
    lines = exported(study)
    erase_identity(participation=worker, now=later(hours=4))
    assert mark(study, lines).new == 1


def test_more_payments_than_are_looked_up_at_once(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.payments.services.payments._BATCH", 1)
    fill(study)
    assert mark(study, exported(study)).new == 4


def test_two_people_mark_the_same_list_at_once(database: str) -> None:
    study = paying_study()
    fill(study)
    lines = exported(study)
    marked = at_once([lambda: mark(study, lines, hours=5), lambda: mark(study, lines, hours=6)])
    assert sorted((item.new, item.already) for item in marked) == [(0, 4), (4, 0)]
    assert totals(study).paid == Sum(4, Decimal("0.55"))
    assert AuditEntry.objects.filter(verb="payments_marked").count() == 1


def test_a_spreadsheet_may_have_saved_it(study: Study) -> None:
    judge_unit(make_worker(study))
    header, row = exported(study)
    lines = [b"\xef\xbb\xbf" + header.replace(b"\n", b"\r\n"), row.replace(b",0.20,", b",0.2,")]
    assert mark(study, lines).new == 1


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b",0.20,", b",2.00,", ("list.csv:2", "amount", "2.00", "0.20")),
        (b",0.20,", b",much,", ("list.csv:2", "amount")),
        (b",0.20,", b",sNaN,", ("list.csv:2", "amount")),
        (b"completed", b"cancelled", ("list.csv:2", "study", "cancelled")),
        (b"worker_id", b"worker", ("list.csv:1", "worker_id")),
        (b"P-1", b"\xff", ("list.csv:2", "UTF-8")),
        (b"P-1", b'"P', ("list.csv:2", "CSV")),
    ],
)
def test_a_file_that_was_changed_is_refused_by_its_line(
    study: Study, old: bytes, new: bytes, told: tuple[str, ...]
) -> None:
    judge_unit(make_worker(study, platform_id="P-1"))
    assert_error_line(refusal(study, [line.replace(old, new) for line in exported(study)]), *told)


def test_one_line_at_fault_marks_none(study: Study) -> None:
    fill(study)
    lines = exported(study)
    assert "list.csv:5: " in refusal(study, [*lines[:-1], lines[-1].replace(b",0.", b",7.")])


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], ("list.csv",)),
        ([b"{}\n"], ("list.csv:1", "worker_id")),
        ([b'{"worker_id": 7}\n'], ("list.csv:1", "worker_id")),
        ([b"{]\n"], ("list.csv:1",)),
    ],
)
def test_other_files_are_refused(study: Study, lines: list[bytes], told: tuple[str, ...]) -> None:
    assert_error_line(refusal(study, lines), *told)


def test_the_list_of_another_study_is_refused(study: Study) -> None:
    judge_unit(make_worker(study))
    other = paying_study(slug="other")
    assert refusal(other, exported(study)).startswith("list.csv:2: study other ")


@given(st.sampled_from([[], [b"worker_id,unit_id,state,amount\n"]]), st.lists(st.binary(max_size=40)))
def test_any_file_is_read_or_refused_by_its_name(top: list[bytes], lines: list[bytes]) -> None:
    read, where, content = [], "list.csv:", b"".join([*top, *lines])
    try:
        read = read_payments("list.csv", BytesIO(content))
    except InputError as refused:
        where = str(refused)
    assert where.startswith("list.csv:")
    assert len(read) <= content.count(b"\n") + 1


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that runs a command as a shell does."""
    monkeypatch.setattr("django.core.management.base.connections.close_all", lambda: None)

    def run(command: type[StudyCommand], *arguments: str) -> None:
        name = command.__module__.rpartition(".")[2]
        command().run_from_argv(["manage.py", name, *arguments])

    return run


def test_from_the_shell(study: Study, run: Callable[..., None], tmp_path: Path, capsys: Shell) -> None:
    fill(study)
    path = tmp_path / "payments.csv"
    run(Export, "study", "--what", "payments", "-o", str(path))
    assert path.read_text().count("\n") == 5
    assert AuditEntry.objects.get(verb="exported").actor is None
    run(MarkPaid, "study", str(path))
    assert numbers_in(capsys.readouterr().out) == ["4", "0.55", "0", "0.55", "0.00", "0.00"]


@pytest.mark.parametrize("name", ["missing.csv", "."])
def test_a_file_that_cannot_be_read_is_told_in_one_line(
    study: Study, run: Callable[..., None], tmp_path: Path, capsys: Shell, name: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(MarkPaid, "study", str(tmp_path / name))
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be read: " in line
