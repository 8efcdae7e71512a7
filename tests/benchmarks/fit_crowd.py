"""Fit the typical crowd to published figures, and print the figures of each crowd beside them.

    python -m tests.benchmarks.fit_crowd [--fit] [--studies 20] [--rankme FOLDER] [--picture FILE]

A study has 18 topics, as the original study has. Each topic has 24 N, 8 M, 6 R and 4 H documents and 42
documents without a grade, and each document gets 10 judgments. The numbers of graded documents are chosen,
because the sources at hand do not print them.

`--fit` searches for the parameters in `FITTED`, all others fixed. The loss is the sum of squared distances to
the targets, each divided by its tolerance. `--rankme` adds the round numbers in the data of RankME.
`--picture` draws the magnitudes, ratios and seconds of the three crowds.
"""

import argparse
import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from scipy.optimize import minimize

from evaluation.analyses import exceptions
from evaluation.arrays import FloatArray
from evaluation.crowds import CROWDS, TYPICAL, Crowd, SimulatedStudy, draw_truth, simulate_study
from evaluation.frames import Gains
from evaluation.magnitudes import gains, normalise, overall_agreement, pairwise_agreement, unit_ratios
from evaluation.magnitudes.document_gains import KEYS

TOPIC: Final = {"N": 24, "M": 8, "R": 6, "H": 4, "": 42}
TOPICS: Final = 18
SEED: Final = 2015


@dataclass(frozen=True)
class Figure:
    """A figure of a study: its name, the published text, and how to compute it.

    `target` and `tolerance` are those of the fit, if the figure takes part in it.
    """

    name: str
    published: str
    of: Callable[["Measured"], float]
    target: float | None = None
    tolerance: float = 1.0


class Measured:
    """A simulated study with what several figures need."""

    def __init__(self, study: SimulatedStudy) -> None:
        self.study = study
        self.judgments = study.judgments
        self.magnitudes = study.judgments.magnitudes
        self.ratios = unit_ratios(study.judgments)["ratio"].to_numpy()
        self.normalised = normalise(study.judgments)
        self.medians = gains(study.judgments, self.normalised)
        self.grades = study.truth.grades()
        unit = study.judgments.table["unit_id"].cast(pl.Int64).to_numpy()
        starts = np.flatnonzero(np.diff(unit, prepend=-1))
        ends = np.append(starts[1:], len(unit)) - 1
        self.seconds = [study.seconds[places].mean() for places in (starts, ends)]

    def agreement(self) -> float:
        """The share of pairs of documents in the order of the experts, ties as agreements as in [T15]."""
        cells = pairwise_agreement(self.medians, self.grades)
        return float(overall_agreement(cells).filter(mean="cells")["agree"].item())

    def exceptions(self) -> float:
        """The share of adjacent cells in which the lower grade has the higher median."""
        binary = Gains(self.grades.table.with_columns((pl.col("gain") > 0).cast(pl.Float64)))
        table = exceptions(self.medians, {"grades": self.grades, "binary": binary})
        return float(table.filter("adjacent")["exception"].to_numpy().mean())

    def residual(self) -> float:
        """The standard deviation of ln normalised magnitudes around the mean of their document."""
        table = self.judgments.table.select(KEYS).with_columns(log=np.log(self.normalised))
        table = table.filter(self.judgments.table["gold"] == "")
        variances = table.group_by(KEYS).agg(pl.col("log").var())["log"].drop_nulls()
        return float(np.sqrt(variances.to_numpy().mean()))

    def middle(self) -> float:
        return float(np.exp(np.log(self.magnitudes).mean()))

    def within(self, low: float, high: float) -> float:
        return float(((self.magnitudes >= low) & (self.magnitudes <= high)).mean())


FIGURES: Final = (
    Figure("order agreement with experts", ".77", Measured.agreement, 0.77, 0.005),
    Figure(
        "exceptions, share of adjacent cells",
        "12 of 72 = .167 in the data; the paper prints 6",
        Measured.exceptions,
        0.167,
        0.04,
    ),
    Figure("residual SD of ln magnitude", "about 1.0", Measured.residual, 1.0, 0.03),
    Figure("H/N of units, median", "about 5", lambda m: float(np.median(m.ratios)), 5.0, 0.25),
    Figure("units that fail a check", "below .10", lambda m: m.study.failed_units, 0.085, 0.005),
    Figure("magnitudes from 2 to 15", "mostly", lambda m: m.within(2, 15), 0.55, 0.02),
    Figure("geometric mean of magnitudes", "√(2·15) = 5.5", Measured.middle, 5.5, 0.2),
    Figure("magnitudes of 100 or more", "some", lambda m: m.within(100, np.inf)),
    Figure("magnitudes of 1,000 or more", "some", lambda m: m.within(1000, np.inf)),
    Figure("mean seconds, first document", "81", lambda m: float(m.seconds[0])),
    Figure("mean seconds, last document", "47", lambda m: float(m.seconds[-1])),
    Figure("units by spammers", "", lambda m: m.study.spam_units),
)
FITTED: Final = ("level", "document_sigma", "noise", "anchor_noise", "location", "location_sigma")


def measured(crowd: Crowd, seed: int) -> Measured:
    """Simulate one study."""
    rng = np.random.default_rng([SEED, seed])
    return Measured(simulate_study(draw_truth([TOPIC] * TOPICS, crowd, rng), crowd, rng))


def figures_of(crowd: Crowd, studies: int) -> FloatArray:
    """Return the figures of several studies (studies, figures)."""
    rows = (measured(crowd, seed) for seed in range(studies))
    return np.array([[figure.of(study) for figure in FIGURES] for study in rows])


def with_fitted(values: FloatArray) -> Crowd:
    """Return the typical crowd with these values of the parameters in `FITTED`."""
    level, document, noise, anchor, location, spread = np.abs(values).tolist()
    return replace(
        TYPICAL,
        levels=(0.0, level, 2 * level, 3 * level),
        document_sigma=document,
        noise=noise,
        anchor_noise=anchor,
        location=location,
        location_sigma=spread,
    )


def fit(studies: int) -> Crowd:
    """Return the crowd that comes closest to the targets, with the same random numbers in each step."""
    wanted = [(place, figure) for place, figure in enumerate(FIGURES) if figure.target is not None]

    def loss(values: FloatArray) -> float:
        means = figures_of(with_fitted(values), studies).mean(axis=0)
        return sum(((means[p] - (f.target or 0.0)) / f.tolerance) ** 2 for p, f in wanted)

    first = np.array([TYPICAL.levels[1], *(getattr(TYPICAL, name) for name in FITTED[1:])])
    found = minimize(loss, first, method="Nelder-Mead", options={"maxfev": 90, "xatol": 2e-3, "fatol": 0.05})
    print(f"loss {found.fun:.2f} after {found.nfev} steps")
    for name, value in zip(FITTED, np.abs(found.x), strict=True):
        print(f"  {name} {value:.3f}")
    return with_fitted(found.x)


def round_numbers(numbers: FloatArray) -> tuple[float, float]:
    """Return the shares of multiples of 10 and of 5 among the numbers from 20 to 130."""
    chosen = numbers[(numbers >= 20) & (numbers <= 130)]
    return float((chosen % 10 == 0).mean()), float((chosen % 5 == 0).mean())


def rankme(folder: Path, quality: str) -> FloatArray:
    """Return RankME's plain magnitude estimates of a quality."""
    with (folder / f"stp2_plainME_{quality[:3]}.csv").open(encoding="utf-8", newline="") as file:
        return np.array([float(row[quality]) for row in csv.DictReader(file)])


def print_rounding(folder: Path) -> None:
    samples = {f"RankME {name}": rankme(folder, name) for name in ("informativeness", "naturalness")}
    samples |= {name: measured(crowd, 0).magnitudes for name, crowd in CROWDS.items()}
    print("\nround numbers from 20 to 130      of 10    of 5")
    for name, numbers in samples.items():
        tens, fives = round_numbers(numbers)
        print(f"{name:<32} {tens:6.3f}  {fives:6.3f}")


def draw(path: Path) -> None:
    """Draw magnitudes, ratios and seconds of one study of each crowd, with the published figures in grey."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Drawing

    mpl.rcParams["svg.hashsalt"] = "crowds"
    drawing = Drawing(figsize=(9, 3), layout="constrained")
    magnitudes, ratios, seconds = drawing.subplots(1, 3)
    for name, crowd in CROWDS.items():
        study = measured(crowd, 0)
        magnitudes.hist(
            study.magnitudes, np.geomspace(0.1, 2000, 30), histtype="step", density=False, label=name
        )
        ratios.hist(np.clip(study.ratios, 0, 40), np.arange(0, 42, 2), histtype="step", label=name)
        seconds.plot([1, 8], study.seconds, marker="o", label=name)
    magnitudes.axvspan(2, 15, color="0.9")
    magnitudes.set(xscale="log", xlabel="magnitude", ylabel="judgments", title="grey: 2–15")
    ratios.axvline(5, color="0.6")
    ratios.set(xlabel="H/N of a unit (40: 40 or more)", ylabel="units", title="grey: the published median")
    seconds.plot([1, 8], [81, 47], color="0.6", linewidth=6, alpha=0.5, zorder=0)
    seconds.set(xlabel="place in the unit", ylabel="mean seconds", ylim=(0, 95), title="grey: measured")
    magnitudes.legend(frameon=False, fontsize="small")
    drawing.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--studies", type=int, default=20)
    parser.add_argument("--rankme", type=Path)
    parser.add_argument("--picture", type=Path)
    arguments = parser.parse_args()
    crowds = {"fitted": fit(arguments.studies)} if arguments.fit else CROWDS
    tables = {name: figures_of(crowd, arguments.studies) for name, crowd in crowds.items()}
    print(f"{'mean (SD over studies)':<38}{'published':<18}" + "".join(f"{name:>18}" for name in tables))
    for place, figure in enumerate(FIGURES):
        cells = (f"{table[:, place].mean():.3f} ({table[:, place].std():.3f})" for table in tables.values())
        print(f"{figure.name:<38}{figure.published:<18}" + "".join(f"{cell:>18}" for cell in cells))
    if arguments.picture:
        draw(arguments.picture)
    if arguments.rankme:
        print_rounding(arguments.rankme)


if __name__ == "__main__":
    main()
