"""The keys of `[pay]` for screen-outs and forced closings."""

from decimal import Decimal
from pathlib import Path

import pytest

from judging.core.services.studies import open_study
from tests.factories import later, make_worker
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return StudyFolder(tmp_path)


def pays(folder: StudyFolder, **amounts: str) -> None:
    lines = "".join(f"{key} = {amount}\n" for key, amount in amounts.items())
    folder.replace("study.toml", "[documents]", f"[pay]\npaid_within = 7\n{lines}\n[documents]")


def test_without_the_keys_nothing_is_paid(folder: StudyFolder) -> None:
    study = folder.imported().study
    study.refresh_from_db()
    assert (study.pay_screened_out, study.pay_cancelled) == (Decimal("0.00"), Decimal("0.00"))


def test_amounts_are_exact_in_quotes_or_not(folder: StudyFolder) -> None:
    pays(folder, pay_screened_out='"0.05"', pay_cancelled="0.1")
    study = folder.imported().study
    study.refresh_from_db()
    assert (str(study.pay_screened_out), str(study.pay_cancelled)) == ("0.05", "0.10")


@pytest.mark.parametrize("key", ["pay_screened_out", "pay_cancelled"])
@pytest.mark.parametrize(
    ("amount", "named"),
    [("0.125", ["0.125"]), ("-1", ["0", "999999.99"]), ('"much"', ["0", "999999.99"])],
)
def test_other_amounts_are_refused_by_line(
    folder: StudyFolder, key: str, amount: str, named: list[str]
) -> None:
    pays(folder, **{key: amount})
    line = folder.read("study.toml").split(f"{key} =")[0].count("\n") + 1
    (fault,) = folder.faults()
    assert_error_line(fault, f"study.toml:{line}: pay.{key}", *named)


def test_they_may_change_while_the_study_runs(folder: StudyFolder) -> None:
    study = folder.imported().study
    open_study(study=study, now=later())
    study.refresh_from_db()
    make_worker(study, upto="question")
    pays(folder, pay_screened_out="0.05", pay_cancelled="0.10")
    folder.imported(update=True)
    study.refresh_from_db()
    assert (study.pay_screened_out, study.pay_cancelled) == (Decimal("0.05"), Decimal("0.10"))
