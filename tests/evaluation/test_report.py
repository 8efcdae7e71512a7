"""The report of a study: its parts, its files, and what it says of parts that are missing."""

import csv
import hashlib
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl
import pytest

from evaluation import analyses
from evaluation.cli import main
from evaluation.comparison import tau_b
from evaluation.errors import InputError
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import intervals
from evaluation.rendering import to_latex
from evaluation.report import CHAPTERS, PARTS, Parameters, ReportData, build_report, write_report
from evaluation.report.catalogue import ADAPTIVE
from evaluation.report.cells import printed
from evaluation.report.intervals import (
    agreement_bounds,
    alpha_bounds,
    median_bounds,
    medians_of,
    profile_bounds,
    ratio_bounds,
    taus_of_rows,
)
from evaluation.runs import Run
from tests.evaluation.refusals import assert_fault
from tests.evaluation.report_study import FEW, QUICK, study_of_everything

COLUMNS = ("topic_id", "document_id", "score")
FORMS = {"tables": {"csv", "tex"}, "figures": {"csv", "svg", "pdf"}}


@pytest.fixture(scope="module")
def study():
    return study_of_everything()


@pytest.fixture(scope="module")
def quick(study, tmp_path_factory):
    """A report of a few parts, and its folder."""
    folder = tmp_path_factory.mktemp("quick")
    report = build_report(study, only=QUICK)
    write_report(report, folder)
    return report, folder


def checksums(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def contents(report):
    """Return key → content of each part that is there."""
    return {finished.part.key: finished.content for finished in report.finished if finished}


def tables_of(report):
    return {numbers.key: numbers for content in contents(report).values() for numbers in content.tables}


@pytest.mark.slow
def test_a_study_with_everything_has_every_part(study):
    """All but the arms, which a study of its own lacks, and the simulated systems.

    These need graded documents down to rank 10 in two lists of a topic.
    """
    report = build_report(study)
    assert contents(report).keys() | {"simulated", "side-by-side"} == PARTS.keys()
    for key, content in contents(report).items():
        drawn = {figure.key for figure in content.figures}
        assert {figure.key for figure in PARTS[key].figures} <= drawn, key
        assert content.tables, key
        for numbers in content.tables:
            check_latex(to_latex(printed(numbers), str(numbers.caption)))


@pytest.mark.long
def test_every_part_has_its_files(study, tmp_path):
    report = build_report(study)
    write_report(report, tmp_path)
    keys = {
        "tables": [numbers.key for content in contents(report).values() for numbers in content.tables],
        "figures": [figure.key for content in contents(report).values() for figure in content.figures],
    }
    for kind, of_kind in keys.items():
        assert len(of_kind) == len(set(of_kind))
        for key in of_kind:
            forms = {path.suffix[1:] for path in (tmp_path / kind).glob(f"{key}.*")}
            assert forms == FORMS[kind] or (forms == {"csv"} and not tables_of(report)[key].most), key
    check_page(tmp_path / "index.html")


def test_the_files_of_a_report(quick):
    report, folder = quick
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "methods.txt").read_text().strip() == " ".join(report.methods)
    check_page(folder / "index.html")
    for key, numbers in tables_of(report).items():
        with (folder / "tables" / f"{key}.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert (rows[0], len(rows) - 1) == (numbers.table.columns, numbers.table.height)
        check_latex((folder / "tables" / f"{key}.tex").read_text())


def check_latex(text):
    """The table has booktabs rules, balanced environments, and as many cells in each row as columns."""
    columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)[1]
    assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    assert Counter(re.findall(r"\\begin\{(\w+)\}", text)) == Counter(re.findall(r"\\end\{(\w+)\}", text))
    rows = [line for line in text.splitlines() if line.endswith(r" \\")]
    assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(columns)}


class Page(HTMLParser):
    """What a page has: its headings, ids, addresses and pictures, and whether its tags are balanced."""

    ALONE = {"meta", "img", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.levels, self.ids, self.addresses, self.alts = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag not in self.ALONE:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        self.ids += [given["id"]] if "id" in given else []
        self.addresses += [given[name] for name in ("href", "src") if name in given]
        if tag == "img":
            self.alts.append(given.get("alt"))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_page(path):
    """The page stands alone: each address is in it, beside it, or a figure inside it."""
    page = Page()
    page.feed(path.read_text())
    assert page.open == []
    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(below - above <= 1 for above, below in zip(page.levels, page.levels[1:], strict=False))
    assert len(page.ids) == len(set(page.ids))
    assert page.alts
    assert all(page.alts)
    for address in page.addresses:
        if address.startswith("#"):
            assert address[1:] in page.ids
        elif not address.startswith("data:image/svg+xml;base64,"):
            assert (path.parent / address).is_file(), address


def test_the_same_study_gives_the_same_bytes(study, quick, tmp_path):
    again = replace(study)  # without what the first report has computed
    write_report(build_report(again, only=QUICK), tmp_path)
    assert checksums(tmp_path) == checksums(quick[1])


def test_an_earlier_report_leaves_no_table_behind(study, tmp_path):
    write_report(build_report(study, only=["alpha"]), tmp_path)
    assert (tmp_path / "tables" / "alpha.csv").exists()
    files = write_report(build_report(study, only=["topics"]), tmp_path)
    assert [path.name for path in files if path.parent.name == "tables"] == ["topics.csv", "topics.tex"]


def test_files_of_somebody_else_are_never_deleted(study, tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "mine.pdf").touch()
    with pytest.raises(InputError) as refused:
        write_report(build_report(study, only=["topics"]), tmp_path)
    assert refused.value.code == "folder-of-something-else"
    assert (tmp_path / "figures" / "mine.pdf").exists()


def test_a_figure_that_cannot_be_drawn_does_not_stop_the_report(study, tmp_path):
    """Two runs with the same ranking tie in every draw, so there is no τ to draw."""
    (run, *_) = study.runs
    twins = [Run.from_columns(tag, *(run.table[name] for name in COLUMNS)) for tag in ("a", "b")]
    report = build_report(replace(study, runs=twins), only=["tau", "systems", "means"])
    files = {path.name for path in write_report(report, tmp_path)}
    assert {"index.html", "report.pdf", "tau-summary.csv"} <= files
    assert "tau.svg" not in files
    assert any(title == str(PARTS["tau"].title) for title, _ in report.missing)


def test_the_methods_speak_of_what_the_report_has(study):
    few, many = (
        " ".join(build_report(study, only=only).methods) for only in (["topics"], ["tau", "top-sets"])
    )
    for words in ("draws", "Wilcoxon"):
        assert words not in few
        assert words in many
    assert study.inputs[0].sha256 not in few, "the paragraph is for a paper"


def test_the_numbers_are_those_of_the_analyses(study, quick):
    tables = tables_of(quick[0])
    agreement = tables["agreement"].table.filter(pl.col("comparison") == "magnitudes–grades")
    expected = analyses.overall_agreement(analyses.pairwise_agreement(study.gains, study.known["grades"]))
    columns = ["mean", "pairs", "agree"]
    assert agreement.select(columns).rows() == expected.select(columns).rows()
    systems = tables["systems-agreement"].table
    known = analyses.scores_by(study.known, study.runs, FEW.measures)
    expected = analyses.system_agreement({"magnitudes": study.judged_scores}, known)
    columns = ["known", "measure", "tau_b", "overlap"]
    assert systems.sort(columns).select(columns).equals(expected.sort(columns).select(columns))
    for table, value in ((agreement, "agree"), (systems, "tau_b")):
        assert (table["low"] <= table["high"]).all()
        assert table[value].is_between(-1, 1).all()


def test_the_parts_of_the_other_papers_use_their_forms(study):
    """Curves with the discount and the schemes of the paper, levels of the declared scale, and Table 3."""
    report = build_report(study, only=["gain-curves", "scheme-correlations", "preferences"])
    figures = {figure.key: figure for content in contents(report).values() for figure in content.figures}
    jk = ("CG", 'DCG(discount="jk", base=2)', "nCG", 'nDCG(discount="jk", base=2)')
    for key, schemes in {
        "gain-curves": {"linear"},
        "gain-curves-by-grades": {"0-1-1-1", "0-1-2-3", "0-1-5-10", "0-1-10-100", "0-0-0-1"},
        "gain-curves-by-grades-2": {"linear"},
    }.items():
        drawn = figures[key].figure.table
        assert set(drawn["scheme"]) == schemes
        assert {measure.replace("@100", "") for measure in drawn["measure"].unique()} == {*jk}
    tables = tables_of(report)
    precision = tables["scheme-correlations-1-precision"].table
    assert precision.columns == ["ranking", "P@10", "P@100", "P@1000"]
    agr = {key: [c for c in tables[key].table.columns if "AGR" in c] for key in tables}
    assert agr["preferences-0"] == ["AGR"]
    assert agr["preferences-1"] == ['AGR(gain="0-1-2-3")']
    assert agr["preferences-2"] == ['AGR(gain="0-1")']


def test_a_scheme_without_gain_has_no_curve(study):
    """Without highly relevant documents, 0-0-0-1 gives no document a gain."""
    grades = study.known["grades"]
    some = Gains(grades.table.filter(pl.col("gain") < 3))
    (part,) = build_report(replace(study, known={"grades": some}), only=["gain-curves"]).finished
    assert not part.missing
    drawn = {figure.key: figure for figure in part.content.figures}["gain-curves-by-grades"].figure.table
    assert set(drawn["scheme"]) == {"0-1-1-1", "0-1-2-3", "0-1-5-10", "0-1-10-100"}


def test_a_study_of_judgments_alone_says_what_is_missing(study):
    table = study.judgments.table.drop("gold")
    report = build_report(ReportData("Judgments", Judgments.from_checked(table), parameters=FEW))
    assert contents(report).keys() == {"topics", "distribution", "gains", "alpha"}
    missing = {title for title, _ in report.missing}
    assert missing == {str(PARTS[key].title) for key in PARTS.keys() - {"distribution", "gains", "alpha"}}
    assert all(re.fullmatch(r"[A-Z].+\.", reason) for _, reason in report.missing)


@pytest.mark.parametrize(
    ("without", "missing"),
    [
        ({"runs": ()}, {"means", "systems", "tau", "ranges", "battery", "preferences", "gain-curves"}),
        ({"known": {}}, {"magnitudes-by-grade", "exceptions", "systems", "scheme-means", "cross"}),
        ({"pay": None}, {"cost"}),
    ],
)
def test_a_part_without_data_is_not_computed(study, without, missing):
    report = build_report(replace(study, **without), only=missing)
    assert contents(report) == {}
    order = [part for chapter in CHAPTERS for part in chapter.parts]
    assert [title for title, _ in report.missing] == [
        str(part.title) for part in order if part.key in missing
    ]


def test_each_part_says_in_two_sentences_how_to_read_it():
    for part in PARTS.values():
        assert len(re.findall(r"[.](?= [A-Zτα1wr]|$)", str(part.reading))) == 2, part.key


def test_an_unknown_part_is_refused(study):
    with pytest.raises(InputError) as refused:
        build_report(study, only=["figures"])
    assert refused.value.code == "unknown-part-of-report"


def test_the_taus_of_rows_are_those_of_tau_b():
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 4, size=(2, 30, 6)) / 7.0
    x[0] = 1
    expected = [np.nan if (tau := tau_b(a, b)) is None else tau for a, b in zip(x, y, strict=True)]
    assert taus_of_rows(x, y) == pytest.approx(expected, nan_ok=True)


def test_topics_that_are_alike_leave_no_doubt_about_their_agreement(study):
    """All samples of such topics have the same share: the magnitudes 2, 5, 5, 1 agree in .50 of the pairs."""
    rows = [(topic, place) for topic in "abc" for place in range(4)]
    topics, documents = [topic for topic, _ in rows], [str(place) for _, place in rows]
    values = Gains.from_columns(topics, documents, [2.0, 5, 5, 1] * 3)
    grades = Gains.from_columns(topics, documents, [0.0, 0, 2, 2] * 3)
    bounds = agreement_bounds(analyses.pairwise_agreement(values, grades), study)
    assert bounds == {"cells": (0.5, 0.5), "pooled": (0.5, 0.5)}


def test_medians_of_samples_are_those_of_numpy():
    rng = np.random.default_rng(1)
    values, cluster = np.sort(rng.integers(0, 5, 30).astype(float)), rng.integers(0, 8, 30)
    counts = rng.multinomial(8, np.full(8, 1 / 8), size=20)
    expected = [
        np.median(np.repeat(values, counts_of[cluster])) if counts_of[cluster].any() else np.nan
        for counts_of in counts
    ]
    assert medians_of(counts.astype(float), values, cluster) == pytest.approx(expected, nan_ok=True)


def test_the_interval_of_alpha_contains_alpha(study):
    many = replace(study, parameters=Parameters(resamples=400))
    for row in analyses.worker_agreement(many.judgments, many.normalised).iter_rows(named=True):
        low, high = alpha_bounds(many, anchors=row["anchors"])[row["topic_id"]]
        assert low < row["alpha"] < high


def test_documents_on_which_all_workers_agree_leave_no_doubt():
    table = [
        ("1", unit, doc, value) for unit in "uv" for doc, value in zip("abc", (1.0, 4.0, 16.0), strict=True)
    ]
    data = ReportData("Agreed", Judgments.from_columns(*zip(*table, strict=True)), parameters=FEW)
    assert set(alpha_bounds(data, anchors=False).values()) == {(1.0, 1.0)}


def test_intervals_of_ratios_contain_their_medians(study):
    profile = analyses.gain_profile(study.judgments, study.known["grades"])
    bounds = profile_bounds(study.known["grades"], study)
    assert len(bounds) == profile.height
    for row in profile.iter_rows(named=True):
        low, high = bounds[row["anchors"], row["grade"]]
        assert low <= row["median"] <= high
    ratios = analyses.grade_ratios(study.gains, study.known["grades"])
    of_topics = ratio_bounds(study.gains, study.known["grades"], study)
    for topic, median_ratio in ratios.select("topic_id", "median").iter_rows():
        low, high = of_topics[topic]
        assert low is None or low <= median_ratio <= high
    assert of_topics["all"][0] is not None


def test_the_hodges_lehmann_interval_by_hand():
    """For 8 against 8 documents, k is 32 − 1.96·√(64·17/12) = 13.3, rounded down."""
    high, low = [2.0**n for n in range(8)], [3.0**n for n in range(8)]
    documents = [str(n) for n in range(16)]
    values = Gains.from_columns(["1"] * 16, documents, [*high, *low])
    grades = Gains.from_columns(["1"] * 16, documents, [3.0] * 8 + [1.0] * 8)
    ratios = np.sort(np.divide.outer(high, low).ravel())
    bounds = ratio_bounds(values, grades, ReportData("x", Judgments.from_columns("1", "u", "a", [1.0])))
    assert bounds["1"] == (ratios[12], ratios[64 - 13])


def test_the_interval_of_a_median_by_hand():
    """Of ten values, the 2nd and the 9th are the ends: 2·(1 + 10)/2¹⁰ is below .05."""
    assert median_bounds(np.arange(1.0, 11), 0.95) == (2.0, 9.0)
    assert median_bounds(np.arange(1.0, 6), 0.95) == (None, None)


def test_a_simulation_without_grades_does_not_compare_runs(study):
    report = build_report(replace(study, known={}, is_random=True), only=["means", "top-sets"])
    (by_crowd, _) = contents(report)["means"].tables
    assert not {"p", "difference", "in_top_set"} & {*by_crowd.table.columns}
    assert by_crowd.result.best is None
    assert by_crowd.table["run"].is_sorted()
    assert "top-sets" not in contents(report)


def test_the_method_of_the_study_normalises_the_report(study):
    additive = replace(study, method="additive")
    assert not np.allclose(additive.normalised, study.normalised)
    plain, other = (" ".join(build_report(data, only=["topics"]).methods) for data in (study, additive))
    assert plain != other


def test_the_intervals_of_an_adaptive_study_are_labelled(study):
    for is_adaptive in (False, True):
        report = build_report(replace(study, is_adaptive=is_adaptive), only=["gains", "means"])
        by_part = contents(report)
        (documents,), (by_crowd, *_, by_grades) = by_part["gains"].tables, by_part["means"].tables
        codes = [{warning.code for warning in numbers.result.warnings} for numbers in (by_crowd, by_grades)]
        assert (ADAPTIVE in documents.notes, "adaptive" in codes[0]) == (is_adaptive, is_adaptive)
        assert (str(ADAPTIVE) in report.methods) == is_adaptive
        assert "adaptive" not in codes[1]
        bounds = intervals(
            study.judgments,
            study.normalised,
            study.parameters.random,
            resamples=study.parameters.document_resamples,
            spread="topic" if is_adaptive else "document",
        )
        assert documents.table.select(bounds.columns).equals(bounds)


JUDGMENTS = (
    "topic_id,unit_id,document_id,relevance_score,comment\n"
    "1,u,a,2,Good.\n1,u,b,8,Better.\n1,v,a,1,\n1,v,b,2,\n"
)


def test_the_command_reads_files_and_names_their_checksums(file, tmp_path, capsys):
    judgments = file(JUDGMENTS, "judgments.csv")
    grades = file("1 0 a 0\n1 0 b 3\n", "expert.qrels.txt")
    words = ["--judgments", judgments, "--gains", grades, "--parts", "topics", "disagreements"]
    assert main(["report", *words, "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "index.html").read_text()
    for content in (JUDGMENTS, "1 0 a 0\n1 0 b 3\n"):
        assert hashlib.sha256(content.encode()).hexdigest() in page
    assert "expert" in page
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'out'}: 2 of 2 parts")


@pytest.mark.parametrize(
    ("words", "named", "at"),
    [
        (["-m", "nDGC@10"], ["nDGC"], ""),
        (["--resamples", "0"], ["--resamples", "0"], ""),
        (["--parts", "all"], ["all"], ""),
        (["--grades", "grades", "grades"], ["grades"], "grades"),
    ],
)
def test_what_the_command_refuses(file, shell, words, named, at):
    file(JUDGMENTS, "judgments.csv")
    file("1 0 a 0\n", "grades")
    done = shell("report", "--judgments", "judgments.csv", *words, "-o", "out")
    assert_fault(done, *named, at=at)
    assert not Path("out").exists()


def test_rankme_without_runs(collections, tmp_path):
    """Real magnitudes of one topic, with the medians of Likert scores as known grades."""

    def read(name):
        with (collections / "rankme" / f"stp2_{name}.csv").open(encoding="utf-8", newline="") as lines:
            return [
                (r["worker"], f"{r['mr']} {r['team']}", float(r["informativeness"]))
                for r in csv.DictReader(lines)
            ]

    workers, texts, numbers = zip(*read("plainME_inf"), strict=True)
    judgments = Judgments.from_columns(["all"] * len(texts), workers, texts, numbers, workers)
    scores: dict[str, list[float]] = {}
    for _, text, score in read("likert_inf"):
        scores.setdefault(text, []).append(score)
    likert = Gains.from_columns(["all"] * len(scores), list(scores), [median(of) for of in scores.values()])
    report = build_report(ReportData("RankME", judgments, {"likert": likert}, parameters=FEW))
    write_report(report, tmp_path)
    assert contents(report).keys() == {
        *(
            "topics",
            "distribution",
            "gains",
            "alpha",
            "magnitudes-by-grade",
            "magnitudes-by-topic",
            "adjacent",
            "exceptions",
        ),
        *("order-agreement", "disagreements"),
    }
    agreement = tables_of(report)["agreement"].table
    assert agreement["low"].null_count() == agreement.height  # no interval over topics from a single topic
    assert agreement["agree"].min() > 0.5


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--method", "foo"], "foo"),
        (["--pay", "-5"], "--pay"),
        (["--pay", "nan"], "--pay"),
        (["--fee", ".2"], "--fee"),
        (["--pay", "1", "--fee", "-2"], "--fee"),
    ],
)
def test_settings_that_the_command_refuses(file, shell, words, named):
    file(JUDGMENTS, "judgments.csv")
    assert_fault(shell("report", "--judgments", "judgments.csv", *words, "-o", "out"), named)
    assert not Path("out").exists()


def test_a_report_of_ratings_without_anchors_speaks_of_neither(study):
    """Every sentence, caption, note, cell and reading follows the scale and what the study has."""
    table = study.judgments.table.drop("gold")
    rated = Judgments(table.with_columns(pl.col("relevance_score").clip(0, 100).round()), scale="rating")
    data = replace(study, judgments=rated, comments=None, settings={})
    keys = (
        "topics",
        "distribution",
        "gains",
        "alpha",
        "cost",
        "adjacent",
        "order-agreement",
        "means",
        "systems",
    )
    report = build_report(data, only=[*keys, "top-sets", "tau", "preferences"])
    said = [*report.methods]
    for finished in filter(None, report.finished):
        content = finished.content
        said += [str(finished.reading), *map(str, content.sentences)]
        for numbers in content.tables:
            said += [str(numbers.caption), *map(str, numbers.notes), *map(str, numbers.sentences)]
            said += [cell for cell in numbers.table.select(pl.col(pl.String)).to_numpy().ravel() if cell]
        said += [str(figure.caption) for figure in content.figures]
        said += [str(text) for figure in content.figures for text in figure.alt]
    wrong = [text for text in said if re.search(r"magnitude|anchor|logarithm", text, re.IGNORECASE)]
    assert wrong == []


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (0.2, "0.20 USD"),
        (0.125, "0.125 USD"),
        (1 / 3, "0.3333 USD"),
        (12, "12.00 USD"),
        (1234.5, "1234.50 USD"),
    ],
)
def test_amounts_of_money_have_two_to_four_decimals(amount: float, shown: str) -> None:
    assert study_of_everything().money(amount) == shown
