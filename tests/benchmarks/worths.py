"""How close worths come to the truth, and how often their intervals hold, for several priors.

Run `python -m tests.benchmarks.worths --studies 12 --crowd careful`. The truth is the fit of very many
judgments by the same crowd. The two documents of a pair differ in θ; the interval is that of this difference.
"""

import argparse
from collections import defaultdict

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.crowds import CROWDS, Crowd, Truth, draw_truth, simulate_study
from evaluation.pairwise import TopicFit, topic_fits

PRIORS = (0.1, 0.25, 0.5, 1.0, 2.0)
JUDGMENTS = (3, 5, 10)
MANY = 200
TOPIC = {"N": 8, "M": 5, "R": 4, "H": 3, "": 10}
Z = 1.959964


def fits(
    truth: Truth, crowd: Crowd, judgments: int, rng: np.random.Generator, *priors: float
) -> list[list[TopicFit]]:
    """Return the fits of the topics of a simulated study, for each prior."""
    study = simulate_study(truth, crowd, rng, judgments_per_document=judgments, scale="preference")
    return [list(topic_fits(study.judgments, prior=prior)) for prior in priors]


def of_pairs(of_topic: TopicFit, known: TopicFit) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the error, the standard error and the true value of each difference between two θ."""
    one, other = np.triu_indices(len(of_topic.documents), 1)
    theta, true, covariance = of_topic.fit.theta, known.fit.theta, of_topic.covariance
    variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    apart = true[one] - true[other]
    return theta[one] - theta[other] - apart, np.sqrt(variance), apart


def main() -> None:
    """Print a row of a Markdown table for each number of judgments and prior."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=30)
    parser.add_argument("--crowd", choices=CROWDS, default="typical")
    args = parser.parse_args()
    crowd = CROWDS[args.crowd]
    found: dict[tuple[int, float], list[tuple[float, float, float]]] = defaultdict(list)
    for seed in range(args.studies):
        rng = np.random.default_rng(seed)
        truth = draw_truth([TOPIC] * 2, crowd, rng)
        (known,) = fits(truth, crowd, MANY, rng, PRIORS[0])
        for judgments in JUDGMENTS:
            for prior, tested in zip(PRIORS, fits(truth, crowd, judgments, rng, *PRIORS), strict=True):
                parts = [of_pairs(*pair) for pair in zip(tested, known, strict=True)]
                error, se, apart = (np.concatenate(column) for column in zip(*parts, strict=True))
                slope = float((error + apart) @ apart / (apart @ apart))
                covered = float((np.abs(error) < Z * se).mean())
                found[judgments, prior].append((float((error**2).mean()), slope, covered))
    print("| judgments | prior | error (RMSE) | slope | covered |\n|---:|---:|---:|---:|---:|")
    for (judgments, prior), rows in sorted(found.items()):
        square, slope, covered = np.mean(rows, axis=0)
        print(f"| {judgments} | {prior:g} | {square**0.5:.2f} | {slope:.2f} | {covered * 100:.1f} % |")


if __name__ == "__main__":
    main()
