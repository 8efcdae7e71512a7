"""Expected values by exact fractions, from lists of gains that are written out by hand.

Nothing here reads a file, ranks a document or imports the library: a case says which gains stand at which
ranks, and this module only computes. Logarithms have sixty digits.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

DIGITS = 60


class Topic(NamedTuple):
    """The gains along the ranks of a list, and those of all judged documents, best first."""

    ranked: str
    ideal: str


def value(measure: str, topic: Topic) -> float:
    """Return the value of a measure, rounded once, at the end."""
    ranked, ideal = ([Fraction(gain) for gain in gains.split()] for gains in topic)
    assert ideal == sorted(ideal, reverse=True), "write the ideal list best first"
    name, _, cutoff = measure.partition("@")
    return float(MEASURES[name](ranked, ideal, int(cutoff) if cutoff else max(len(ranked), len(ideal))))


def precision(ranked: list[Fraction], _ideal: list[Fraction], cutoff: int) -> Fraction:
    return Fraction(sum(gain > 0 for gain in ranked[:cutoff]), cutoff)


def average_precision(ranked: list[Fraction], ideal: list[Fraction], cutoff: int) -> Fraction:
    relevant = [rank for rank, gain in enumerate(ranked[:cutoff], start=1) if gain > 0]
    total = sum((Fraction(count, rank) for count, rank in enumerate(relevant, start=1)), Fraction())
    return total / sum(gain > 0 for gain in ideal)


def reciprocal_rank(ranked: list[Fraction], _ideal: list[Fraction], cutoff: int) -> Fraction:
    ranks = (rank for rank, gain in enumerate(ranked[:cutoff], start=1) if gain > 0)
    return next((Fraction(1, rank) for rank in ranks), Fraction())


def ndcg(ranked: list[Fraction], ideal: list[Fraction], cutoff: int) -> Decimal:
    with localcontext(prec=DIGITS):
        return dcg(ranked[:cutoff]) / dcg(ideal[:cutoff])


def dcg(gains: list[Fraction]) -> Decimal:
    return sum((decimal(gain) / log2(rank + 1) for rank, gain in enumerate(gains, start=1)), Decimal())


def log2(number: int) -> Decimal:
    return Decimal(number).ln() / Decimal(2).ln()


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


MEASURES = {"P": precision, "AP": average_precision, "RR": reciprocal_rank, "nDCG": ndcg}
