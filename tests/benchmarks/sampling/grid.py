"""Measure how often the intervals of estimates from a sample hold, in simulated studies with a known truth.

    python -m tests.benchmarks.sampling grid --seeds 200 -o grid/

A study draws its topics, with replacement, from a bank of simulated topics. So the mean over the bank is the
truth about new topics, and the mean over the drawn topics is the truth about these topics. The gains without
noise come from 200 judgments of each document. In the study itself, only the sampled documents and the
anchors are judged.

The folder gets a CSV file for each crowd, size, share and block of seeds. Files that are there already are
not computed again, so a stopped run continues where it was.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.comparison.freedom import student_quantile
from evaluation.comparison.system_intervals import TARGETS, Target
from evaluation.crowds import CROWDS
from evaluation.frames import Judgments
from evaluation.magnitudes.gains_anew import GainsAnew, judge_anew
from evaluation.magnitudes.normalisation import Method
from evaluation.sampling import SampledScores, estimate, estimation
from evaluation.sampling.linear import LinearMeasure
from evaluation.sampling.result import FILLED
from tests.benchmarks.sampling.bank import MEASURE, PAIRS, RUN_NOISE, Bank, Study

JUDGMENTS: Final = 5
TOPICS: Final = (18, 50)
SHARES: Final = (0.1, 0.2, 0.3, 0.5)
KINDS: Final = ("none", "weak", "good", "adversarial")
LAWS: Final = ("constant", "copy", "inverse")
"""Predictions at the limits. They are measured with the typical crowd only."""
BANK: Final = 200
BLOCK: Final = 10
RESAMPLES: Final = 100
LEVEL: Final = 0.95
CONTRASTS: Final = [
    *(f"r{run}" for run in range(len(RUN_NOISE))),
    *(f"r{one}-r{other}" for one, other in PAIRS),
]
_ERRORS: Final = {"weak": 2.0, "good": 0.5}
"""The standard deviation of a prediction's error, as a multiple of that of ln gain."""


class Part(NamedTuple):
    """The studies with one crowd, one number of topics, one share of the pool and some seeds."""

    crowd: str
    topics: int
    share: float
    seeds: range

    @property
    def name(self) -> str:
        return f"{self.crowd}-{self.topics}-{self.share}-{self.seeds.start:04}.csv"

    def state(self, seed: int) -> list[int]:
        """Return what the random numbers of the study with this seed start from."""
        return [seed, self.topics, round(100 * self.share)]


def parts(seeds: int) -> list[Part]:
    """Return all parts of the grid. Their order makes an unfinished grid useful."""
    blocks = [range(start, min(start + BLOCK, seeds)) for start in range(0, seeds, BLOCK)]
    return [Part(*cell, block) for block, *cell in product(blocks, CROWDS, TOPICS, SHARES)]


def unfinished(folder: Path, seeds: int) -> list[Part]:
    """Return the parts of the grid whose files the folder does not have."""
    return [part for part in parts(seeds) if not (folder / part.name).exists()]


def predictions(study: Study, kind: str, rng: np.random.Generator) -> list[pl.DataFrame]:
    """Return predictions of this kind for each document of the pool, or nothing for the kind "none".

    `"weak"` and `"good"` are ln gain plus noise, `"adversarial"` is about the difference between two runs,
    and the other three are the laws: a constant, the gains without noise, and their inverse.
    """
    worth = study.worth()
    logs, noise = np.log(worth), rng.normal(size=len(worth))
    weights = study.pool.weights(LinearMeasure.of(MEASURE))
    columns = {
        **{name: logs + error * logs.std() * noise for name, error in _ERRORS.items()},
        "adversarial": (weights[0] - weights[-1]) * np.abs(noise),
        "constant": np.ones(len(worth)),
        "copy": worth,
        "inverse": 1 / worth,
    }
    return [study.pool.table.with_columns(score=columns[kind])] if kind in columns else []


Predicting = Callable[[Study, np.random.Generator], list[pl.DataFrame]]
"""Returns the predictions of a study's gains: a table for each model, or nothing."""


def kinds_of(crowd: str) -> dict[str, Predicting]:
    """Return the kinds of predictions that are measured with a crowd."""
    names = (*KINDS, *(LAWS if crowd == "typical" else ()))
    return {name: lambda study, rng, name=name: predictions(study, name, rng) for name in names}


def measured(
    bank: Bank,
    part: Part,
    seed: int,
    method: Method | None = None,
    kinds: Mapping[str, Predicting] | None = None,
) -> Iterator[pl.DataFrame]:
    """Yield the estimates of one study for each kind of predictions and target, with the truth beside them.

    The columns are `kind, target, evidence, contrast, mean, low, high, truth`. A contrast is a run, or two
    runs joined by "-". The evidence "shown" repeats the rows of the evidence that the library shows. The
    kinds are those of `kinds_of`, unless others are given.
    """
    crowd = CROWDS[part.crowd]
    rng = np.random.default_rng(part.state(seed))
    study = bank.study(part.topics, rng)
    sample = study.sample(part.share, rng)
    judgments = study.judge(sample.sampled, crowd, JUDGMENTS, rng)
    state = int(rng.integers(2**32))
    weights = study.pool.weights(LinearMeasure.of(MEASURE))
    truths = {"new_topics": bank.means(), "these_topics": weights @ study.worth()}
    for kind, predict in (kinds_of(part.crowd) if kinds is None else kinds).items():
        given = predict(study, np.random.default_rng(state))
        settings = {"method": method, "resamples": RESAMPLES, "seed": state}
        with noise_of(judgments):
            scores = estimate(judgments, study.runs, MEASURE, sample, predictions=given, **settings)[MEASURE]
        for target in TARGETS:
            rows = estimates(scores, target)
            shown = rows.filter(evidence=scores.evidence).with_columns(evidence=pl.lit("shown"))
            rows = pl.concat([rows, shown] if given else [rows]).with_columns(
                kind=pl.lit(kind), target=pl.lit(target)
            )
            truth = pl.DataFrame({"contrast": CONTRASTS, "truth": contrasts(truths[target])})
            yield rows.filter((pl.col("evidence") != "people") | (not given)).join(truth, on="contrast")


@contextmanager
def noise_of(judgments: Judgments) -> Iterator[None]:
    """Compute the noise of these judgments once, although several estimates use it.

    The noise takes most of the time, and does not depend on the predictions. Estimates with the same seed
    resample the workers in the same way, so the results are the same.
    """
    if _noise.get("judgments") is not judgments:
        _noise.clear()
        _noise["judgments"] = judgments

    def remembered(*arguments: Any, **settings: Any) -> GainsAnew:
        if "anew" not in _noise:
            _noise["anew"] = judge_anew(*arguments, **settings)
        anew: GainsAnew = _noise["anew"]
        return anew

    estimation.judge_anew = remembered
    try:
        yield
    finally:
        estimation.judge_anew = judge_anew


_noise: dict[str, Any] = {}


def contrasts(means: FloatArray) -> FloatArray:
    """Return the means of the runs (runs,), followed by the differences of `PAIRS` (contrasts,)."""
    first, second = np.transpose(PAIRS)
    return np.concatenate([means, means[first] - means[second]])


def estimates(scores: SampledScores, target: Target) -> pl.DataFrame:
    """Return the estimates of all contrasts: `evidence, contrast, mean, low, high`.

    The library gives the naive filling no interval. For new topics, this gives it Student's interval of the
    filled scores, which somebody who takes them for complete would compute.
    """
    columns = ["evidence", "contrast", "mean", "low", "high"]
    means = scores.means(target).rename({"run": "contrast"}).select(columns)
    apart = [
        scores.difference(*names, target).with_columns(contrast=pl.lit("-".join(names))).select(columns)
        for names in ((f"r{one}", f"r{other}") for one, other in PAIRS)
    ]
    rows = pl.concat([means, *apart])
    if target == "these_topics":
        return rows
    topics = len(scores.topics)
    filled = np.apply_along_axis(contrasts, 0, scores.filled)
    half = filled.std(axis=1, ddof=1) / np.sqrt(topics) * student_quantile(LEVEL, topics - 1)
    center = filled.mean(axis=1)
    naive = pl.DataFrame({"contrast": CONTRASTS, "mean": center, "low": center - half, "high": center + half})
    rows = rows.filter(pl.col("evidence") != FILLED)
    return pl.concat([rows, naive.with_columns(evidence=pl.lit(FILLED)).select(columns)])


def tally(bank: Bank, part: Part, method: Method | None = None) -> pl.DataFrame:
    """Return a row for each kind of predictions, target, evidence and contrast, with sums over the seeds.

    `studies` and `offered` are the numbers of studies, and of those with an interval. `covered`, `width`,
    `error` and `square` are sums: of the intervals that contain the truth, their widths, the errors of the
    estimates and the squares of these errors.
    """
    rows = pl.concat([table for seed in part.seeds for table in measured(bank, part, seed, method)])
    error = pl.col("mean") - pl.col("truth")
    return (
        rows.group_by("kind", "target", "evidence", "contrast", maintain_order=True)
        .agg(
            pl.col("truth").first(),
            studies=pl.len(),
            offered=pl.col("low").count(),
            covered=pl.col("truth").is_between("low", "high").sum(),
            width=(pl.col("high") - pl.col("low")).sum(),
            error=error.sum(),
            square=(error**2).sum(),
        )
        .with_columns(crowd=pl.lit(part.crowd), topics=part.topics, share=part.share, block=part.seeds.start)
    )


def run(
    folder: Path, seeds: int, *, method: Method | None = None, processes: int = 2, topics: int = BANK
) -> None:
    """Write the file of each part that the folder does not have yet."""
    folder.mkdir(parents=True, exist_ok=True)
    left = unfinished(folder, seeds)
    # The processes are started anew, because a fork of a process that has used polars can hang.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        banks = dict(zip(CROWDS, pool.map(partial(_bank, topics=topics, method=method), CROWDS), strict=True))
    with ProcessPoolExecutor(processes, get_context("spawn"), _keep, (banks, folder, method)) as pool:
        for number, name in enumerate(pool.map(_write, left), start=1):
            print(f"{number}/{len(left)} {name}", file=sys.stderr, flush=True)


_shared: dict[str, Any] = {}
"""What each process keeps: the banks, the folder and the normalisation."""


def _bank(crowd: str, topics: int, method: Method | None) -> Bank:
    return Bank.draw(CROWDS[crowd], topics, np.random.default_rng(9), method=method)


def _keep(banks: dict[str, Bank], folder: Path, method: Method | None) -> None:
    _shared.update(banks=banks, folder=folder, method=method)


def _write(part: Part) -> str:
    path = _shared["folder"] / part.name
    unfinished = path.with_suffix(".part")
    tally(_shared["banks"][part.crowd], part, _shared["method"]).write_csv(unfinished)
    unfinished.rename(path)
    return part.name
