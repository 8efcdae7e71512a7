"""Measure the bias, width and coverage of intervals of mean scores, in simulated studies with a known truth.

    nice python -m tests.benchmarks.coverage --seeds 200

The topics of each study are drawn, with replacement, from a bank of simulated topics. So the mean over the
bank is the truth about new topics. The gains without noise come from 1,000 judgments of each document. The
command prints the rows of a Markdown table on stdout. On stderr, it prints their time, and the rows so far
after every 500 studies, so you can stop it at any time.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import FloatArray, IntArray
from evaluation.comparison.system_intervals import TARGETS, Target, system_intervals
from evaluation.crowds import CROWDS, Crowd, Truth, draw_truth, simulate_study
from evaluation.frames import Gains
from evaluation.magnitudes import gains
from evaluation.runs import Run
from evaluation.scores import score

MEASURES = {"nDCG@10": "nDCG@10", "ERR@10": 'ERR(stop="share")@10'}
JUDGMENTS, TOPICS = (10, 5, 3), (6, 18, 50)
GRADES = {"H": 4, "R": 6, "M": 8, "N": 12, "": 20}
SIZE = sum(GRADES.values())
RUN_NOISE = {"best": 0.3, "good": 0.7, "fair": 1.2, "poor": 2.0, "worst": 6.0}
"""A run ranks documents by their true level plus noise. This is the standard deviation of its noise."""
DEPTH, PART, EVERY = 20, 20, 500
HEADING = (
    "| judgments | topics | studies | measure | target | observed bias | bias | half width | 2 SD "
    "| uncorrected | coverage | lowest | difference |\n|" + "---:|" * 3 + "---|" * 2 + "---:|" * 8
)


@dataclass(frozen=True, eq=False)
class Bank:
    """Topics with `SIZE` documents each, and the scores of the runs without noise.

    `level` and `grade` have the shape (topics, documents). `order` (runs, topics, `DEPTH`) has the documents
    that each run retrieves. `limit` has the scores by the gains of very many judgments, and `true` the scores
    by the true gains. Both have the shape (measures, runs, topics). `measures` maps their names in the table
    to the measures.
    """

    measures: Mapping[str, str]
    level: FloatArray
    grade: IntArray
    order: IntArray
    limit: FloatArray
    true: FloatArray

    @classmethod
    def draw(
        cls,
        crowd: Crowd,
        topics: int,
        rng: np.random.Generator,
        *,
        judgments: int = 1000,
        measures: Mapping[str, str] = MEASURES,
    ) -> "Bank":
        level, grade, order, limit, true = [], [], [], [], []
        for start in range(0, topics, PART):
            size = min(PART, topics - start), SIZE
            truth = draw_truth([GRADES] * size[0], crowd, rng)
            level.append(truth.level.reshape(size))
            grade.append(truth.grade.reshape(size))
            noise = np.array([*RUN_NOISE.values()])[:, None, None] * rng.normal(size=(len(RUN_NOISE), *size))
            order.append(np.argsort(-(level[-1] + noise), axis=-1)[..., :DEPTH])
            runs = runs_of(truth, order[-1])
            study = simulate_study(truth, crowd, rng, judgments_per_document=judgments)
            limit.append(_values(gains(study.judgments), runs, truth.topics, measures))
            true.append(_values(truth.gains(), runs, truth.topics, measures))
        return cls(
            measures,
            np.concatenate(level),
            np.concatenate(grade),
            np.concatenate(order, axis=1),
            np.concatenate(limit, axis=2),
            np.concatenate(true, axis=2),
        )

    def study(self, chosen: IntArray) -> tuple[Truth, list[Run]]:
        """Return the truth and the runs of a study with the chosen topics. A topic can occur twice."""
        count = len(chosen)
        high, low = (np.argmax(self.grade[chosen] == value, axis=1) for value in (3, 0))
        starts = np.arange(count) * SIZE
        truth = Truth(
            tuple(f"{place:03}" for place in range(count)),
            tuple(f"{place:03}-{document:02}" for place in range(count) for document in range(SIZE)),
            np.repeat(np.arange(count), SIZE),
            self.grade[chosen].ravel(),
            self.level[chosen].ravel(),
            starts + high,
            starts + low,
        )
        return truth, runs_of(truth, self.order[:, chosen])


def runs_of(truth: Truth, order: IntArray) -> list[Run]:
    """Return the runs that retrieve the documents `order` (runs, topics, `DEPTH`), best first."""
    count = len(truth.topics)
    scores = np.tile(np.arange(DEPTH, 0, -1.0), count)
    rows = [(np.arange(count)[:, None] * SIZE + of_run).ravel() for of_run in order]
    return [
        Run.from_columns(tag, *truth.table[places], scores)
        for tag, places in zip(RUN_NOISE, rows, strict=True)
    ]


def _values(of: Gains, runs: list[Run], topics: tuple[str, ...], measures: Mapping[str, str]) -> FloatArray:
    """Return the scores (measures, runs, topics), with the topics in the given order."""
    scores = score(of, runs, [*measures.values()])
    places = [scores.topics.index(topic) for topic in topics]
    return np.moveaxis(scores.values[:, places], -1, 0)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The intervals of a measure and a target in all studies.

    `observed`, `mean`, `low`, `high` and `truth` have the shape (studies, runs). `held` (studies, runs − 1)
    is about the differences between each run and the next worse one. It says whether the interval contains
    the true difference.
    """

    judgments: int
    topics: int
    measure: str
    target: Target
    observed: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    truth: FloatArray
    held: FloatArray

    def coverage(self) -> FloatArray:
        """Return the share of studies whose interval contains the truth, for each run."""
        return ((self.low <= self.truth) & (self.truth <= self.high)).mean(axis=0)

    def joined(self, other: "Outcome") -> "Outcome":
        """Return the outcome of these studies and of those of `other`."""
        names = ("observed", "mean", "low", "high", "truth", "held")
        arrays = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in names)
        return Outcome(self.judgments, self.topics, self.measure, self.target, *arrays)

    def row(self) -> str:
        shift = self.observed - self.mean
        uncorrected = ((self.low + shift <= self.truth) & (self.truth <= self.high + shift)).mean()
        error = self.mean - self.truth
        covered = self.coverage()
        numbers = [
            f"{(self.observed - self.truth).mean():+.3f}",
            f"{error.mean():+.3f}",
            f"{(self.high - self.low).mean() / 2:.3f}",
            f"{2 * error.std(axis=0).mean():.3f}",
            *(
                f"{100 * share:.1f}"
                for share in (uncorrected, covered.mean(), covered.min(), self.held.mean())
            ),
        ]
        target = self.target.replace("_", " ")
        cells = (self.judgments, self.topics, len(self.truth), self.measure, target, *numbers)
        return f"| {' | '.join(map(str, cells))} |".replace("-0", "−0")


def outcomes(
    bank: Bank,
    crowd: Crowd,
    judgments: int,
    topics: int,
    *,
    seeds: Iterable[int],
    resamples: int,
    truth: str = "limit",
) -> Iterator[Outcome]:
    """Simulate studies with new topics, and yield the outcome of each measure and target."""
    collected: dict[tuple[str, Target], list[tuple[FloatArray, ...]]] = {}
    without_noise = bank.limit if truth == "limit" else bank.true
    for seed in seeds:
        rng = np.random.default_rng([seed, judgments, topics])
        chosen = rng.integers(bank.level.shape[0], size=topics)
        of_study, runs = bank.study(chosen)
        study = simulate_study(of_study, crowd, rng, judgments_per_document=judgments)
        results = system_intervals(
            study.judgments, runs, [*bank.measures.values()], rng=rng, resamples=resamples
        )
        for scores, (measure, name) in zip(without_noise, bank.measures.items(), strict=True):
            for target in TARGETS:
                true = scores[:, chosen if target == "these_topics" else slice(None)].mean(axis=1)
                means = results[name].means(target)
                pairs = [
                    results[name].difference(*tags, target).row(0, named=True)
                    for tags in zip(results[name].runs, results[name].runs[1:], strict=False)
                ]
                held = [
                    pair["low"] <= apart <= pair["high"]
                    for pair, apart in zip(pairs, true[:-1] - true[1:], strict=True)
                ]
                columns = [means[column].to_numpy() for column in ("observed", "mean", "low", "high")]
                collected.setdefault((measure, target), []).append((*columns, true, np.array(held)))
    for (measure, target), parts in collected.items():
        arrays = (np.array(part) for part in zip(*parts, strict=True))
        yield Outcome(judgments, topics, measure, target, *arrays)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200, help="studies in each row (default: 200)")
    parser.add_argument("--crowd", choices=CROWDS, default="typical")
    parser.add_argument("--bank", type=int, default=200, help="topics to draw from (default: 200)")
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--topics", type=int, nargs="+", default=TOPICS)
    parser.add_argument("--judgments", type=int, nargs="+", default=JUDGMENTS)
    parser.add_argument(
        "--truth",
        choices=["limit", "true"],
        default="limit",
        help="what counts as the truth: the gains of many judgments (limit) or the true gains (true)",
    )
    parser.add_argument("--measures", nargs="+", help="other measures than nDCG@10 and ERR@10")
    options = parser.parse_args(arguments)
    measures = {name: name for name in options.measures} if options.measures else MEASURES
    crowd = CROWDS[options.crowd]
    bank = Bank.draw(crowd, options.bank, np.random.default_rng(9), measures=measures)
    for name, scores in (("many judgments", bank.limit), ("true gains", bank.true)):
        print(f"{name}: {scores.mean(axis=-1).round(3).tolist()}", file=sys.stderr)
    print(HEADING)
    for judgments in options.judgments:
        for topics in options.topics:
            start, collected = time.process_time(), list[Outcome]()
            for first in range(0, options.seeds, EVERY):
                part = list(
                    outcomes(
                        bank,
                        crowd,
                        judgments,
                        topics,
                        seeds=range(first, min(first + EVERY, options.seeds)),
                        resamples=options.resamples,
                        truth=options.truth,
                    )
                )
                pairs = zip(collected, part, strict=True)
                collected = [one.joined(other) for one, other in pairs] if collected else part
                last = first + EVERY >= options.seeds
                for outcome in collected:
                    print(outcome.row(), file=sys.stdout if last else sys.stderr, flush=True)
            print(f"{judgments} × {topics}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
