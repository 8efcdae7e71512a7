"""What a platform takes on top of pay: told wherever money is estimated, and nobody's pay."""

from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from judging.core.published.payments import payment_rows
from judging.core.selectors.payments import totals
from judging.core.selectors.readiness import readiness
from judging.core.services.studies import open_study
from judging.models import Study
from judging.protocol.estimates import Terms, estimate, fee_on
from judging.setup.estimating import estimates_of
from judging.setup.reading import Reading
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from judging.watching.selectors.consequences import consequences
from tests.factories import NOW, judge_unit, later, make_worker
from tests.payments.test_study_file import pays
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder
from tests.support.named import assert_names


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return StudyFolder(tmp_path)


def gives(folder: StudyFolder, fee: str) -> None:
    folder.replace("study.toml", "[documents]", f"[platform]\nplatform_fee = {fee}\n\n[documents]")
    pays(folder, pay_per_unit='"0.20"')


@pytest.mark.parametrize(
    ("pay", "per_cent", "fee"),
    [
        ("46.80", "33.33", "15.60"),
        ("46.80", "0", "0.00"),
        ("0.05", "10", "0.01"),  # half a cent goes up
        ("0.04", "10", "0.00"),
        ("999999.99", "100", "999999.99"),
    ],
)
def test_the_fee_is_per_cent_of_pay_to_the_cent(pay: str, per_cent: str, fee: str) -> None:
    assert str(fee_on(Decimal(pay), Decimal(per_cent))) == fee


def test_an_estimate_has_the_fee_beside_the_cost() -> None:
    terms = Terms(8, 2, 10, 20, 8, Decimal("0.20"), platform_fee=Decimal(40))
    result = estimate([7, 9], terms)
    assert (result.cost, result.fee, result.total) == (Decimal("5.40"), Decimal("2.16"), Decimal("7.56"))


def test_the_estimate_of_a_study_in_set_up_has_it() -> None:
    reading: Reading = {
        "depth": None,
        "topics": [
            {"number": "1", "title": "", "others": 7, "depths": [], "anchors": {}, "anchor_warnings": []}
        ],
    }
    study = Study(pay_per_unit=Decimal(1), platform_fee=Decimal(20))
    assert estimates_of(study, reading, None)[0].fee == Decimal("2.40")


@pytest.mark.django_db
class TestStudies:
    def test_without_the_key_there_is_none(self, folder: StudyFolder) -> None:
        study = folder.imported().study
        study.refresh_from_db()
        assert study.platform_fee == 0
        assert "fee" not in checked(study)

    @pytest.mark.parametrize(
        ("fee", "named"),
        [("33.333", ["33.333"]), ("100.01", ["0", "100"]), ("-1", ["0", "100"]), ('"a third"', ["0", "100"])],
    )
    def test_other_fees_are_refused_by_line(self, folder: StudyFolder, fee: str, named: list[str]) -> None:
        gives(folder, fee)
        line = folder.read("study.toml").split("platform_fee =")[0].count("\n") + 1
        (fault,) = folder.faults()
        assert_error_line(fault, f"study.toml:{line}: platform.platform_fee", *named)

    def test_it_is_told_before_a_study_opens_and_while_it_runs(self, folder: StudyFolder) -> None:
        gives(folder, '"33.33"')
        study = folder.imported().study
        result = readiness(study, now=NOW)
        assert result.planned.units == 6
        assert (result.planned.cost, result.planned.fee) == (Decimal("1.20"), Decimal("0.40"))
        sentences = " ".join(consequences(study, "open", now=NOW).sentences)
        for text in (checked(study), sentences):
            assert_names(text, "1.20", "1.60", "33.33 %")
        Study.objects.update(seconds_per_document=0)
        open_study(study=study, now=later())
        study.refresh_from_db()
        judge_unit(make_worker(study))
        sums = totals(study)
        assert (sums.spent, sums.at_most) == (Decimal("0.20"), Decimal("1.20"))
        assert (sums.fee, sums.with_fee) == (Decimal("0.40"), Decimal("1.60"))
        assert [row.amount for row in payment_rows(study)] == [Decimal("0.20")]  # nobody's pay

    def test_it_may_change_while_the_study_runs_and_is_kept_in_files(self, folder: StudyFolder) -> None:
        gives(folder, "20")
        study = folder.imported().study
        open_study(study=study, now=later())
        study.refresh_from_db()
        make_worker(study, upto="question")
        folder.replace("study.toml", "platform_fee = 20", "platform_fee = 40")
        folder.imported(update=True)
        study.refresh_from_db()
        assert study.platform_fee == 40
        place = folder.path / "written"
        place.mkdir()
        again = import_study(write_study_folder(study, place), slug="again", now=NOW).study
        again.refresh_from_db()
        assert again.platform_fee == 40


def checked(study: Study) -> str:
    output = StringIO()
    call_command("check_study", study.slug, stdout=output)
    return output.getvalue()
