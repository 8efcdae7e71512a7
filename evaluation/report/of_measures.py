"""The parts that compare measures, gain schemes and preferences [JK02, K05, S04, ZY10]."""

import polars as pl

from evaluation import analyses, figures
from evaluation.analyses.schemes import JK, SCHEMES, W
from evaluation.comparison import battery, confidence_orders, discrimination, stability
from evaluation.comparison.subsets import caution
from evaluation.rendering import counted
from evaluation.report.data import ReportData
from evaluation.report.parts import Content, Drawn, Numbers, Part, Section, graded, runs, topics
from evaluation.score_table import Scores
from evaluation.scores import score

CURVES = ("DCG", "nDCG")
RANKS = (1, 5, 10, 20, 50, 100)
MOST_MARKED = 8
"""With more runs than this, the table of gain schemes counts the runs that differ instead of naming them."""


def _curves(data: ReportData) -> Content:
    content = Content()
    table = analyses.gain_curves(
        data.medians, data.runs, measures=CURVES, schemes=("linear",), depth=data.parameters.curve_depth
    )
    _add_curves(content, data, table, "gain-curves", "Gain by rank, by magnitudes")
    for place, (name, known) in enumerate(data.graded.items(), start=1):
        schemes = (W["w3"], W["w10"])
        table = analyses.gain_curves(
            known, data.runs, measures=CURVES, schemes=schemes, depth=data.parameters.curve_depth
        )
        key = "gain-curves-by-grades" + (f"-{place}" if place > 1 else "")
        _add_curves(content, data, table, key, f"Gain by rank, by {name}")
    return content


def _add_curves(content: Content, data: ReportData, table: pl.DataFrame, key: str, caption: str) -> None:
    shown = counted(len(data.runs), "run")
    alt = f"Curves of {shown} down to rank {data.parameters.curve_depth}, and the ideal."
    content.figures.append(Drawn(key, caption, alt, figures.gain_curves(table, width="page")))
    measures = table["measure"].unique(maintain_order=True).to_list()
    at_ranks = table.filter(pl.col("rank").is_in(RANKS), pl.col("measure") == measures[-1])
    wide = at_ranks.pivot("rank", index=["scheme", "run"], values="value", maintain_order=True)
    content.tables.append(
        Numbers(
            f"{key}-at-ranks", f"{caption}: nDCG at ranks", wide, heads=2, notes=(f"Measure: {measures[-1]}",)
        )
    )


def _scheme_means(data: ReportData) -> Content:
    content = Content()
    cutoff = data.parameters.scheme_cutoff
    measures = (f"AnCG@{cutoff}", f"AnDCG({JK})@{cutoff}")
    for place, (name, known) in enumerate(data.graded.items(), start=1):
        table = analyses.scheme_means(known, data.runs, measures=measures, alpha=data.parameters.alpha)
        few = len(data.runs) <= MOST_MARKED
        differs = pl.col("marks").str.split(" ").list.eval(pl.element().filter(pl.element() != "")).list.len()
        mark = pl.col("marks") if few else differs.cast(pl.String)
        shown = pl.col("mean").map_elements("{:.3f}".format, return_dtype=pl.String)
        column = pl.concat_str(pl.col("measure").str.slice(0, 5).str.strip_chars("(@"), pl.lit(" "), "scheme")
        cells = table.with_columns(
            column=column,
            cell=pl.when(mark == "")
            .then(shown)
            .otherwise(pl.concat_str(shown, pl.lit(" ("), mark, pl.lit(")"))),
        )
        wide = cells.pivot("column", index=["letter", "run"], values="cell", maintain_order=True)
        note = (
            "In parentheses: the letters of the runs that differ"
            if few
            else "In parentheses: how many runs differ"
        )
        notes = (f"{note} (p < {data.parameters.alpha:g}, Conover’s comparison after Friedman’s test).",)
        tests = table.group_by("measure", "scheme", maintain_order=True).agg(
            runs=pl.len().cast(pl.Int64), friedman_p=pl.col("friedman_p").first()
        )
        key = f"scheme-means-{place}"
        content.tables += [
            Numbers(key, f"Means under several gain schemes, by {name}", wide, heads=2, notes=notes),
            Numbers(
                f"{key}-tests", f"Friedman’s tests under several gain schemes, by {name}", tests, heads=2
            ),
            Numbers(f"{key}-rows", f"Means and marks in full, by {name}", table, heads=4, most=0),
        ]
    return content


def _scheme_correlations(data: ReportData) -> Content:
    content = Content()
    for place, (name, known) in enumerate(data.graded.items(), start=1):
        table = analyses.scheme_correlations(known, data.runs)
        key = f"scheme-correlations-{place}"
        for number, measure in enumerate(("P", "CG", "DCG", "nDCG")):
            mine = pl.col("first").str.starts_with(f"{measure}@" if measure == "P" else f"{measure} ")
            precise = pl.col("second").str.starts_with("P@")
            same = pl.col("second").str.starts_with(f"{measure} ") if measure != "P" else precise
            part = table.filter(mine, precise | same)
            wide = part.pivot("second", index="first", values="value", maintain_order=True)
            caption = f"τ_b between rankings by {measure}" + (" and precision" if measure != "P" else "")
            content.tables.append(
                Numbers(
                    f"{key}-{number}", f"{caption}, by {name}", wide, notes=(f"n = {len(data.runs)} runs.",)
                )
            )
        content.tables.append(Numbers(key, f"All τ_b between measures, by {name}", table, heads=2, most=0))
        others = table.filter(pl.col("first") != pl.col("second")).drop_nulls("value")
        if others.height:
            row = others.sort("value", maintain_order=True).row(0)
            content.sentences.append(
                f"By {name}, the two rankings that agree least are {row[0]} and {row[1]}, with τ = "
                f"{row[2]:.2f} (n = {len(data.runs)} runs)."
            )
    return content


def _reliability(data: ReportData) -> Content:
    return _reliable(data, data.judged_scores, "", "magnitudes")


def _battery(data: ReportData) -> Content:
    content = Content()
    for place, (name, known) in enumerate(data.graded.items(), start=1):
        scores = score(known, data.runs, battery())
        of_set = _reliable(data, scores, f"-battery-{place}", name)
        changes = analyses.rank_changes(scores, by="AP(rel=1)")
        rises = analyses.inconsistencies(changes)
        alt = f"Means of {counted(len(data.runs), 'run')} by 24 measures, in the order of AP(rel=1)."
        figure = figures.rank_changes(changes, by="AP(rel=1)", width="page")
        content.sentences += of_set.sentences
        content.tables += [
            *of_set.tables,
            Numbers(f"inconsistencies-{place}", f"Rises down the ranking by AP(rel=1), by {name}", rises),
        ]
        content.figures += [
            *of_set.figures,
            Drawn(f"rank-changes-battery-{place}", f"Runs ordered by AP(rel=1), by {name}", alt, figure),
        ]
    return content


def _reliable(data: ReportData, scores: Scores, suffix: str, name: str) -> Content:
    choices = data.parameters
    stable = stability(scores, rng=choices.random, trials=choices.trials)
    discriminating = discrimination(scores, rng=choices.random, trials=choices.trials)
    orders = confidence_orders(scores, stable, discriminating)
    table = analyses.reliability_table(stable, discriminating)
    confidence = analyses.confidence_table(scores.measures, orders)
    curves, swaps = analyses.stability_curves(stable), analyses.discrimination_curves(discriminating)
    warning = caution(stable.topics, stable.size)
    drawn_from = (
        f"By {name}, {choices.trials} draws of {stable.size} of {counted(stable.topics, 'topic')}, over "
        f"{counted(len(scores.runs), 'run')} and {counted(len(scores.measures), 'measure')}."
    )
    sentences = [drawn_from, *([f"{warning}."] if warning else [])]
    notes = (
        "ties: the proportion of ties at a minority rate of 5 %. absolute, relative: the difference needed "
        "for a swap rate of 5 %. power: the share of comparisons with such a difference.",
    )
    return Content(
        sentences,
        [
            Numbers(f"reliability{suffix}", f"Stability and discrimination, by {name}", table, notes=notes),
            Numbers(f"confidence{suffix}", f"τ_b between confidence orders, by {name}", confidence),
        ],
        [
            Drawn(
                f"stability{suffix}",
                f"Minority rate and proportion of ties, by {name}",
                f"Curves of stability. {drawn_from}",
                figures.stability_curves(curves, width="page"),
            ),
            Drawn(
                f"swap-rates{suffix}",
                f"Swap rate by difference, by {name}",
                f"Curves of swap rates. {drawn_from}",
                figures.swap_rate_curves(swaps, width="page"),
            ),
        ],
    )


def _rank_changes(data: ReportData) -> Content:
    scores = score(data.medians, data.runs, list(dict.fromkeys([*data.parameters.measures, "DCG@10"])))
    first = scores.measures[0]
    table = analyses.rank_changes(scores, by=first)
    rises = analyses.inconsistencies(table)
    sentences = [
        f"{measure} rises at {number} of {steps} steps down the ranking by {first}."
        for measure, number, steps in rises.iter_rows()
        if measure != first
    ]
    figure = figures.rank_changes(table, by=first, width="page")
    return Content(
        sentences,
        [Numbers("inconsistencies", f"Rises down the ranking by {first}, by magnitudes", rises)],
        [Drawn("rank-changes", f"Runs ordered by {first}, by magnitudes", " ".join(sentences), figure)],
    )


def _preferences(data: ReportData) -> Content:
    scores = analyses.preference_scores(data.medians, data.runs)
    ranking = analyses.preference_ranking(scores)
    table = ranking.pivot("measure", index="run", values=["value"], maintain_order=True)
    ranks = ranking.filter(pl.col("measure") == scores.measures[0]).select("run", "rank")
    table = ranks.join(table, on="run", maintain_order="left").select("run", "rank", *scores.measures)
    matrix = analyses.preference_correlations(scores)
    wide = matrix.pivot("second", index="first", values="value", maintain_order=True)
    of_preferences = matrix.filter(
        pl.col("first") == scores.measures[0], pl.col("second") != scores.measures[0]
    ).drop_nulls("value")
    taus = ", ".join(f"{second} {value:.2f}" for _, second, value in of_preferences.iter_rows())
    sentence = (
        f"τ_b of {scores.measures[0]} with the other measures, over {counted(len(data.runs), 'run')}: "
        f"{taus or 'none'}."
    )
    notes = (f"Means over {counted(len(scores.topics), 'topic')}. rank: by {scores.measures[0]}.",)
    return Content(
        [sentence],
        [
            Numbers("preferences", "Runs by preferences and by gains", table, notes=notes),
            Numbers("preference-correlations", "τ_b between the rankings", wide),
            Numbers("preference-ranking", "Rank of each run by each measure", ranking, heads=1, most=0),
        ],
    )


SCHEMES_SECTION = Section(
    "schemes",
    "Cumulated gain and gain schemes",
    (
        Part(
            "gain-curves",
            "Gain by rank",
            "[JK02]",
            "Each curve is the mean gain of a run down to a rank, and the thick line is the ideal list. The "
            "nearer a run stays to the ideal, the better it ranks what it finds.",
            _curves,
            (runs,),
            figures=(
                "gain-curves",
                "gain-curves-by-grades",
            ),
        ),
        Part(
            "scheme-means",
            "Means under several gain schemes",
            "[JK02], Table II",
            f"Each scheme lists the gains of the grades 0 to 3, as in {SCHEMES[0]}. A run that is good only "
            "under some schemes finds documents of some grades better than others.",
            _scheme_means,
            (runs, graded),
        ),
        Part(
            "scheme-correlations",
            "Rankings by measure, scheme and cut-off",
            "[K05], Tables 3–6",
            "w1 to w100 are the schemes 0-1-1-1, 0-1-2-3, 0-1-5-10 and 0-1-10-100. A value near 1 means "
            "that two measures rank the runs alike.",
            _scheme_correlations,
            (runs, graded),
        ),
    ),
)
RELIABILITY = Section(
    "reliability",
    "Reliability of the measures",
    (
        Part(
            "reliability",
            "Stability and discrimination by magnitudes",
            "[S04]",
            "A good measure rarely reverses the order of two runs if the topics change, and rarely ties "
            "them. Curves nearer to the lower left corner are better.",
            _reliability,
            (runs, topics),
            figures=(
                "stability",
                "swap-rates",
            ),
        ),
        Part(
            "battery",
            "The 24 measures",
            "[S04]",
            "rel=1 counts every relevant document, and rel=2 only those with a grade of at least 2. Read "
            "the table as above: fewer ties, a smaller relative difference and more power are better.",
            _battery,
            (runs, topics, graded),
            figures=(
                "stability-battery-1",
                "swap-rates-battery-1",
                "rank-changes-battery-1",
            ),
        ),
        Part(
            "rank-changes",
            "Where measures disagree",
            "[S04]",
            "The runs are ordered from best to worst by the first measure. Each rise of another measure is "
            "a pair of neighbours that it ranks the other way round.",
            _rank_changes,
            (runs,),
            figures=("rank-changes",),
        ),
    ),
)
PREFERENCES = Section(
    "preferences",
    "Preferences",
    (
        Part(
            "preferences",
            "Runs by the crowd’s preferences",
            "[ZY10], Table 2",
            "1 − NDPM is the share of the crowd’s preferences between two documents that a run keeps, with "
            "ties as halves. The other measures use the gains themselves.",
            _preferences,
            (runs,),
        ),
    ),
)
