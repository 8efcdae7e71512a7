"""A sample that does not fit is refused in one line with its place, and nothing is written."""

from pathlib import Path

import pytest

from judging.models import Study
from tests.setup.intake.breaks import Break, replaced
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder
from tests.setup.sampling.folder import BUDGET, DEPTH, sampled_folder

pytestmark = pytest.mark.django_db

OWN = f"sample = {{ budget = {BUDGET} }}"
BUDGET_PLACE = "study.toml:{}: pool.sample.budget"


def sample(text: str) -> Break:
    return replaced("study.toml", OWN, f"sample = {text}")


def of_a_list(folder: StudyFolder) -> int:
    folder.write(
        "pool.txt",
        "".join(f"{number} {number}-{letter}\n" for number in ("007", "1e5") for letter in "HRMNABCD"),
    )
    folder.replace("study.toml", f"depth = {DEPTH}", 'path = "pool.txt"')
    return folder.replace("study.toml", "sample =", "sample =")


def ranked_by(measure: str) -> Break:
    def change(folder: StudyFolder) -> int:
        folder.replace("study.toml", "DCG@10", measure)
        return folder.replace("study.toml", "sample =", "sample =")

    return change


def adaptive(folder: StudyFolder) -> int:
    folder.replace("study.toml", "[units]", '[units]\nallocation = "adaptive"')
    return folder.replace("study.toml", "sample =", "sample =")


REFUSED: dict[str, tuple[Break, str, list[str]]] = {
    "no budget": (sample('{ design = "poisson" }'), BUDGET_PLACE, []),
    "an empty table": (sample("{ }"), BUDGET_PLACE, []),
    "a number for the table": (sample("300"), "study.toml:{}: pool.sample", []),
    "a budget of nothing": (sample("{ budget = 0 }"), BUDGET_PLACE, ["0"]),
    "a budget of words": (sample('{ budget = "28" }'), BUDGET_PLACE, []),
    "an unknown key": (sample("{ budget = 28, sed = 1 }"), "study.toml:{}: pool.sample.sed", ["seed"]),
    "an unknown design": (
        sample('{ budget = 28, design = "random" }'),
        "study.toml:{}: pool.sample.design",
        ["systematic", "poisson"],
    ),
    "a negative seed": (sample("{ budget = 28, seed = -1 }"), "study.toml:{}: pool.sample.seed", ["-1"]),
    "a budget for anchors alone": (sample("{ budget = 4 }"), BUDGET_PLACE, ["4", "48", "5"]),
    "a pool from a list": (of_a_list, "study.toml:{}: pool.sample", []),
    "a measure that is not linear": (ranked_by("nDCG@10"), BUDGET_PLACE, ["nDCG@10", "DCG@10"]),
    "a measure without a cut-off": (ranked_by("DCG"), BUDGET_PLACE, ["DCG@10"]),
    "a measure of deeper lists": (ranked_by("DCG@30"), BUDGET_PLACE, ["30", str(DEPTH)]),
    "an adaptive study": (adaptive, BUDGET_PLACE, ["fixed"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused(tmp_path: Path, case: str) -> None:
    folder = sampled_folder(tmp_path / "small")
    break_it, place, named = REFUSED[case]
    line = break_it(folder)
    lines = folder.faults()
    assert len(lines) == 1, lines
    assert_error_line(lines[0], place.format(line), *named)
    assert not Study.objects.exists()


def test_the_sample_can_be_a_table_of_its_own(tmp_path: Path) -> None:
    folder = sampled_folder(tmp_path / "small")
    folder.replace("study.toml", OWN, "")
    line = folder.append("study.toml", "\n[pool.sample]\nbudget = 28\nsed = 1\n") + 3
    (fault,) = folder.faults()
    assert_error_line(fault, f"study.toml:{line}: pool.sample.sed", "seed")
    folder.replace("study.toml", "sed = 1", "seed = 1")
    study = folder.imported().study
    assert (study.sample_budget, study.sample_seed) == (28, 1)


@pytest.mark.parametrize("measure", ["DCG@10", "CG@5", "RBP(p=0.8)@10", "gP(gmax=100)@10"])
def test_measures_that_are_linear_in_gains_are_accepted(tmp_path: Path, measure: str) -> None:
    folder = sampled_folder(tmp_path / "small")
    folder.replace("study.toml", "DCG@10", measure)
    assert folder.imported().study.ranked_by == measure
