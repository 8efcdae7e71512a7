"""The peers' side of the benchmark of `evaluation`; nothing of ours is imported here, nor paid for.

`python -m tests.benchmarks.evaluation_peers PEER FOLDER` is a peer's whole way from files to printed means.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

PYTREC_EVAL = {"nDCG@10": "ndcg_cut_10", "nDCG@1000": "ndcg_cut_1000", "AP": "map", "P@10": "P_10"}
RANX = {"nDCG@10": "ndcg@10", "nDCG@1000": "ndcg@1000", "AP": "map", "P@10": "precision@10"}
"""Our names and theirs; neither peer has ERR."""

Means = dict[tuple[str, str], float]
"""By run and measure."""


def runs_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("trec*"))


class PytrecEval:
    """pytrec_eval's `evaluate` on its own dicts, read once."""

    def __init__(self, folder: Path) -> None:
        self.evaluator = _evaluator(folder)
        self.runs = {path.name: read_run(path) for path in runs_in(folder)}

    def work(self) -> Means:
        results: Means = {}
        for run, answers in self.runs.items():
            results |= _means(run, self.evaluator.evaluate(answers).values())
        return results


def read_with_pytrec_eval(folder: Path) -> None:
    """One run after the other, so that memory holds one at a time."""
    evaluator = _evaluator(folder)
    for path in runs_in(folder):
        _print(_means(path.name, evaluator.evaluate(read_run(path)).values()))


def read_with_ranx(folder: Path) -> None:
    """One run after the other here too."""
    import ranx

    qrels = ranx.Qrels.from_file(str(folder / "qrels"), kind="trec")
    for path in runs_in(folder):
        run = ranx.Run.from_file(str(path), kind="trec")
        means = ranx.evaluate(qrels, run, list(RANX.values()))
        _print({(path.name, ours): means[name] for ours, name in RANX.items()})


def _evaluator(folder: Path):
    import pytrec_eval

    with (folder / "qrels").open() as lines:
        return pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), set(PYTREC_EVAL.values()))


def read_run(path: Path) -> dict[str, dict[str, float]]:
    import pytrec_eval

    with path.open() as lines:
        return pytrec_eval.parse_run(lines)


def _means(run: str, by_topic: Iterable[dict[str, float]]) -> Means:
    rows = list(by_topic)
    return {(run, ours): sum(row[name] for row in rows) / len(rows) for ours, name in PYTREC_EVAL.items()}


def _print(means: Means) -> None:
    for (run, measure), value in means.items():
        print(f"{run}\tall\t{measure}\t{value:.4f}")


READERS: dict[str, Callable[[Path], None]] = {
    "pytrec_eval": read_with_pytrec_eval,
    "ranx": read_with_ranx,
}

if __name__ == "__main__":
    READERS[sys.argv[1]](Path(sys.argv[2]))
