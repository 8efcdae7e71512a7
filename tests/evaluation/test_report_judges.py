"""The parts of a report on machine judges, and on labels beside people."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from evaluation.cli import main
from evaluation.frames import Gains
from evaluation.judges import assess
from evaluation.report import build_report
from evaluation.report.content import Content
from tests.evaluation.report_study import MACHINE, study_of_everything

PARTS = ("machine-judges", "judges-beside-people")


def contents(data, parts=PARTS) -> dict[str, Content]:
    return {each.part.key: each.content for each in build_report(data, only=parts).finished}


def table(content: Content, key: str):
    return next(numbers.table for numbers in content.tables if numbers.key == key)


def test_checks_and_cost_of_a_machine_judge() -> None:
    content = contents(study_of_everything())["machine-judges"]
    assert table(content, "machine-checks").rows() == [
        ("gauge", "practice", 3, 0, 1.0),
        ("gauge", "question", 12, 1, pytest.approx(12 / 13)),
        ("gauge", "anchors", 12, 2, pytest.approx(12 / 14)),
    ]
    work = table(content, "machine-work").row(0, named=True)
    assert work["money_per_document"] == pytest.approx(0.16 / 80)
    assert (work["calls"], work["input_tokens"], work["output_tokens"]) == (130, 90_000, 7_000)
    assert dict(table(content, "machine-faults").select("fault", "calls").rows()) == MACHINE.faults
    assert table(content, "machine-order")["share_by_place"].item() == pytest.approx(0.2)
    assert table(content, "machine-settings")["prompt_sha256"].item() == MACHINE.prompt_sha256


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, "passed the protocol"),
        ({"units": 9}, "lost"),
        ({"units": 9, "units_left": 3}, "not done"),
        ({"screened_out": 1, "units_left": 3}, "screened out"),
        ({"checks": {"practice": (1, 3), "anchors": (2, 9)}}, "anchors"),
    ],
)
def test_the_first_sentence_says_how_a_judge_got_on(changes, code: str) -> None:
    data = replace(study_of_everything(), machines=[replace(MACHINE, **changes)])
    (sentence,) = contents(data)["machine-judges"].sentences
    assert code in str(sentence)


def test_labels_are_compared_as_by_the_library_alone() -> None:
    data = study_of_everything()
    content = contents(data)["judges-beside-people"]
    alone = assess(
        data.judgments,
        data.labels,
        data.runs,
        families=data.families,
        documents=data.documents,
        resamples=data.parameters.resamples,
        worker_resamples=data.parameters.worker_resamples,
        seed=data.parameters.seed,
    )
    for part in alone.parts:
        assert table(content, f"judges-{part}").equals(alone.to_polars(part))
    assert {"agreement", "worth", "systems", "favour", "annotators", "bias"} <= {*alone.parts}
    assert "length" in table(content, "judges-bias")["by"].to_list()


def test_labels_of_other_documents_are_left_out_with_a_reason() -> None:
    data = study_of_everything()
    stray = Gains({"elsewhere": {"d": 1.0}})
    content = contents(replace(data, labels={**data.labels, "stray": stray}))["judges-beside-people"]
    assert [reason.values["judge"] for reason in content.missing] == ["stray"]
    assert table(content, "judges-agreement")["judge"].unique().to_list() == ["gauge"]
    nothing = contents(replace(data, labels={"stray": stray}))["judges-beside-people"]
    assert not nothing.tables
    assert len(nothing.missing) == 1


def test_labels_that_cannot_score_runs_are_compared_without_them() -> None:
    data = study_of_everything()
    negative = Gains.from_checked(data.labels["gauge"].table.with_columns(gain=-pl.col("gain")))
    content = contents(replace(data, labels={"negative": negative}))["judges-beside-people"]
    assert len(content.missing) == 1
    assert not table(content, "judges-agreement").is_empty()
    assert "judges-systems" not in {numbers.key for numbers in content.tables}


def test_a_study_without_machines_and_labels_says_so() -> None:
    data = replace(study_of_everything(), machines=(), labels={})
    assert all(not content.tables and content.missing for content in contents(data).values())


def test_the_command_compares_the_labels_of_files(tmp_path: Path) -> None:
    data = study_of_everything()
    judgments, labels, out = (str(tmp_path / name) for name in ("judgments.csv", "gauge.qrels", "out"))
    data.judgments.table.write_csv(judgments)
    rows = data.labels["gauge"].table.iter_rows()
    Path(labels).write_text("".join(f"{topic} 0 {document} {gain!r}\n" for topic, document, gain in rows))
    words = ["report", "--judgments", judgments, "--labels", f"gauge={labels}"]
    parts = ["--parts", "judges-beside-people", "--resamples", "40", "-o", out]
    assert main([*words, *parts]) == 0
    worth = pl.read_csv(Path(out) / "tables" / "judges-worth.csv")
    alone = assess(data.judgments, {"gauge": data.labels["gauge"]}, resamples=40)
    assert worth["judge"].to_list() == ["gauge"]
    assert worth["value"].to_list() == pytest.approx(alone.worth["value"].to_list())
    assert main([*words, "--labels", f"gauge={labels}", *parts]) != 0
