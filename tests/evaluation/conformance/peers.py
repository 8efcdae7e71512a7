"""Other evaluators as functions that the conformance suite can call.

Each uses its tool as the tool's documentation does, and its reader of files where it has one. The real
trec_eval is not among them: no package registry has its source. pytrec_eval contains its C code.
"""

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

Values = dict[str, dict[str, float]]
TREC_EVAL = {"nDCG": "ndcg", "AP": "map", "RR": "recip_rank"}
RANX = {"nDCG": "ndcg", "AP": "map", "RR": "mrr", "P": "precision"}


def split(measure: str) -> tuple[str, int | None]:
    """Return the name and the cut-off of a measure."""
    name, _, cutoff = measure.partition("@")
    return name, int(cutoff) if cutoff else None


def pytrec_eval(qrels: str, run: str, measures: list[str]) -> Values:
    import pytrec_eval as tool

    def named(measure: str) -> str:
        name, cutoff = split(measure)
        return {"nDCG": f"ndcg_cut_{cutoff}", "P": f"P_{cutoff}"}[name] if cutoff else TREC_EVAL[name]

    with Path(qrels).open() as judged, Path(run).open() as ranked:
        evaluator = tool.RelevanceEvaluator(tool.parse_qrel(judged), {named(measure) for measure in measures})
        values = evaluator.evaluate(tool.parse_run(ranked))
    return {topic: {m: by_measure[named(m)] for m in measures} for topic, by_measure in values.items()}


def ir_measures(qrels: str, run: str, measures: list[str]) -> Values:
    import ir_measures as tool

    values: Values = defaultdict(dict)
    parsed = [tool.parse_measure(measure) for measure in measures]
    for metric in tool.iter_calc(parsed, tool.read_trec_qrels(qrels), tool.read_trec_run(run)):
        values[metric.query_id][str(metric.measure)] = metric.value
    return values


def ranx(qrels: str, run: str, measures: list[str]) -> Values:
    import ranx as tool

    def named(measure: str) -> str:
        name, cutoff = split(measure)
        return f"{RANX[name]}@{cutoff}" if cutoff else RANX[name]

    ranked = tool.Run.from_file(run, kind="trec")
    judged = tool.Qrels.from_file(qrels, kind="trec")
    tool.evaluate(judged, ranked, [named(measure) for measure in measures], make_comparable=True)
    values: Values = defaultdict(dict)
    for measure in measures:
        for topic, value in ranked.scores[named(measure)].items():
            values[topic][measure] = float(value)
    return values


def scikit_learn(qrels: str, run: str, measures: list[str]) -> Values:
    """Read the files with pandas, as scikit-learn reads none.

    It takes one score per document. Judged documents that are not retrieved get the lowest.
    """
    import pandas

    def read(path: str, names: list[str]) -> pandas.DataFrame:
        types = {"topic": str, "document": str}
        return pandas.read_csv(
            path,
            sep=r"\s+",
            header=None,
            names=names,
            dtype=types,
            quoting=csv.QUOTE_NONE,
            keep_default_na=False,
        )

    judged = read(qrels, ["topic", "_", "document", "gain"])
    ranked = read(run, ["topic", "_", "document", "rank", "score", "tag"])
    values: Values = {}
    for topic, found in ranked.groupby("topic"):
        lists = judged[judged["topic"] == topic].merge(found, on="document", how="outer")
        if lists["gain"].notna().any():
            gains, scores = lists["gain"].fillna(0), lists["score"].fillna(found["score"].min() - 1)
            values[topic] = {measure: scikit_learn_value(measure, gains, scores) for measure in measures}
    return values


def scikit_learn_value(measure: str, gains: Any, scores: Any) -> float:
    from sklearn import metrics as tool

    name, cutoff = split(measure)
    if name == "nDCG":
        return float(tool.ndcg_score([gains], [scores], k=cutoff))
    if measure == "AP":
        return float(tool.average_precision_score(gains > 0, scores))
    raise NotImplementedError(measure)


NAMES = tuple(function.__name__ for function in (pytrec_eval, ir_measures, ranx, scikit_learn))
