"""Fit worths to comparisons of two documents: the model of Bradley and Terry, with ties as by Davidson."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy

from ..arrays import FloatArray, IntArray
from ..errors import InputError
from ..showing import short_repr

PRIOR: Final = 0.5
"""The comparisons with a document of worth 1 that each document gets besides its own.

Of 0.1, 0.25, 0.5, 1 and 2, it is the largest whose intervals hold for every simulated crowd, and a larger
one makes errors smaller: see docs/understanding/measurements/worths.md.
"""
_ROUNDS: Final = 100
_CONVERGED: Final = 1e-10


@short_repr
@dataclass(frozen=True, eq=False)
class Comparisons:
    """The comparisons of `number` documents of one topic, numbered from 0.

    `first` and `second` have the two documents of each comparison. `points` are those of the first: 1 if it
    is preferred, 0.5 for a tie, and 0 if the second is preferred. `weight` says how often each comparison
    counts.
    """

    number: int
    first: IntArray
    second: IntArray
    points: FloatArray
    weight: FloatArray

    @classmethod
    def of(cls, number: int, first: IntArray, second: IntArray, points: FloatArray) -> "Comparisons":
        """Return comparisons that count once each."""
        return cls(number, first, second, points, np.ones(len(points)))

    def only(self, rows: IntArray) -> "Comparisons":
        """Return some of the comparisons, of the same documents."""
        return Comparisons(
            self.number, self.first[rows], self.second[rows], self.points[rows], self.weight[rows]
        )

    @cached_property
    def is_tie(self) -> FloatArray:
        """1 for a tie, and 0 for all other comparisons."""
        is_tie: FloatArray = (self.points == 0.5).astype(np.float64)
        return is_tie


@short_repr
@dataclass(frozen=True, eq=False)
class Fit:
    """What `fit` found.

    `theta` (documents,) are the logarithms of the worths, with a mean of 0. `log_nu` is ln ν: the larger ν
    is, the more comparisons are ties. It is −∞ if ν is 0. `information` (documents + 1, documents + 1) is the
    negative second derivative of the log-likelihood by θ and ln ν, and includes the prior.
    """

    comparisons: Comparisons
    theta: FloatArray
    log_nu: float
    information: FloatArray

    @property
    def nu(self) -> float:
        """The parameter ν of ties."""
        return float(np.exp(self.log_nu))

    @property
    def expected(self) -> tuple[FloatArray, FloatArray]:
        """The expected points of the first document, and the chance of a tie, for each comparison."""
        apart = self.theta[self.comparisons.first] - self.theta[self.comparisons.second]
        return expected_points(apart, self.log_nu)

    @cached_property
    def scores(self) -> FloatArray:
        """The derivative of each comparison's log-likelihood by θ and ln ν (comparisons, documents + 1)."""
        data = self.comparisons
        points, tie = self.expected
        rows = np.arange(len(data.points))
        scores = np.zeros((len(rows), data.number + 1))
        scores[rows, data.first] = data.points - points
        scores[rows, data.second] = points - data.points
        scores[:, -1] = data.is_tie - tie if np.isfinite(self.log_nu) else 0.0
        return scores * data.weight[:, None]

    def influence(self, cluster: IntArray) -> FloatArray:
        """Return how far each group of comparisons moves θ and ln ν (groups, documents + 1).

        `cluster` numbers the groups. A row is, to first order, the estimate with all comparisons minus the
        estimate without those of the group.
        """
        groups = int(cluster.max()) + 1
        influence = np.empty((groups, len(self.information)))
        order = np.argsort(cluster, kind="stable")
        ends = np.cumsum(np.bincount(cluster, minlength=groups))[:-1]
        for group, rows in enumerate(np.split(order, ends)):
            own = self.comparisons.only(rows)
            _, information = _derivatives(own, self.theta, self.log_nu, 0.0)
            rest = _with_gauge(self.information) - information
            moved = scipy.linalg.lstsq(rest, self.scores[rows].sum(axis=0), lapack_driver="gelsy")
            influence[group] = moved[0]
        influence[:, :-1] -= influence[:, :-1].mean(axis=1, keepdims=True)
        return influence

    def covariance(self, cluster: IntArray | None = None) -> FloatArray:
        """Return the covariance of θ and ln ν (documents + 1, documents + 1), for θ with a mean of 0.

        Without `cluster`, it is the inverse of the information: comparisons must then be independent.
        `cluster` numbers the groups of comparisons that depend on each other, such as those of a unit: a
        worker who likes a document prefers it to both its neighbours. The inverse is then multiplied by the
        mean variance of θ that the jackknife over the groups gives, divided by the mean variance without
        groups, but never by less than 1 [the dispersion of quasi-likelihood: McCullagh & Nelder, Generalized
        Linear Models, 1989, section 9.2]. The jackknife alone varies too much with few judgments.
        """
        inverse = self._inverse
        if cluster is None or int(cluster.max()) == 0:
            return inverse
        of_groups = self.influence(cluster)[:, :-1]
        groups = len(of_groups)
        variance = (of_groups**2).sum() * (groups - 1) / groups
        expected = float(np.trace(inverse[:-1, :-1]))
        return inverse * max(1.0, float(variance) / expected) if expected > 0 else inverse

    @cached_property
    def _inverse(self) -> FloatArray:
        inverse: FloatArray = np.linalg.inv(_with_gauge(self.information)).astype(np.float64)
        inverse[:, :-1] -= inverse[:, :-1].mean(axis=1, keepdims=True)
        inverse[:-1] -= inverse[:-1].mean(axis=0)
        return inverse


def expected_points(apart: FloatArray, log_nu: float) -> tuple[FloatArray, FloatArray]:
    """Return the expected points of a document and the chance of a tie. `apart` is its θ minus the other's.

    >>> points, tie = expected_points(np.array([np.log(4)]), 0.0)
    >>> float(points[0].round(3)), float(tie[0].round(3))  # worths 4 and 1, ν = 1: 4/7 + (2/7)/2, 2/7
    (0.714, 0.286)
    """
    parts = np.stack([apart / 2, -apart / 2, np.full_like(apart, log_nu)])
    parts = np.exp(parts - parts.max(axis=0))
    won, _, tie = parts / parts.sum(axis=0)
    return won + tie / 2, tie


def fit(data: Comparisons, prior: float = PRIOR) -> Fit:
    """Return the worths that fit the comparisons best.

    The model [Davidson, JASA 1970]: if documents i and j have the worths π_i and π_j, then i is preferred
    with the chance π_i / (π_i + π_j + ν√(π_iπ_j)), and both are equally relevant with the chance
    ν√(π_iπ_j) / (π_i + π_j + ν√(π_iπ_j)). Without ties, ν is 0, and this is the model of Bradley & Terry
    [Biometrika 1952]. Newton's method finds the maximum of the log-likelihood, which is concave in θ = ln π
    and ln ν.

    `prior` keeps worths finite: each document also wins `prior`/2 and loses `prior`/2 comparisons against a
    document of worth 1. ν gets the same: `prior`/2 ties and `prior`/2 other comparisons of equal documents.

    Raise `InputError` for a negative or infinite prior. If the prior is 0, also raise it if chains of
    preferences and ties do not lead from each document to each other one in both directions, or if all
    comparisons are ties. Then no finite worths are best [Ford, American Mathematical Monthly 1957].

    Example: a is preferred to b three times, and b to a once. With `prior=0`, the worths are √3 and 1/√3,
    because 3/4 = √3/(√3 + 1/√3).
    """
    _refuse_prior(prior)
    ties = float(data.weight @ data.is_tie)
    if prior == 0:
        _refuse_infinite(data, ties)
    has_ties = prior > 0 or ties > 0
    theta, log_nu = np.zeros(data.number), 0.0 if has_ties else -np.inf
    value = _log_likelihood(data, theta, log_nu, prior)
    for _ in range(_ROUNDS):
        gradient, information = _derivatives(data, theta, log_nu, prior)
        step = scipy.linalg.solve(_with_gauge(information), gradient, assume_a="pos")
        size = 1.0
        while True:
            moved = theta + size * step[:-1], log_nu + size * step[-1]
            further = _log_likelihood(data, *moved, prior)
            if further >= value - 1e-12 * abs(value) or size < 1e-6:
                break
            size /= 2
        (theta, log_nu), value = moved, further
        if np.abs(size * step).max() < _CONVERGED:
            break
    _, information = _derivatives(data, theta, log_nu, prior)
    return Fit(data, theta - theta.mean(), float(log_nu), information)


def _log_likelihood(data: Comparisons, theta: FloatArray, log_nu: float, prior: float) -> float:
    apart = (theta[data.first] - theta[data.second]) / 2
    parts = np.stack([apart, -apart, np.full_like(apart, log_nu)])
    own = np.where(data.points == 1, apart, np.where(data.points == 0, -apart, log_nu))
    value = float(data.weight @ (own - np.logaddexp.reduce(parts, axis=0)))
    if prior:
        value += prior / 2 * float(np.sum(-np.logaddexp(0, theta) - np.logaddexp(0, -theta)))
        value += prior / 2 * (log_nu + np.log(2) - 2 * np.logaddexp(log_nu, np.log(2)))
    return value


def _derivatives(
    data: Comparisons, theta: FloatArray, log_nu: float, prior: float
) -> tuple[FloatArray, FloatArray]:
    """Return the gradient of the log-likelihood and its negative second derivative, by θ and ln ν."""
    points, tie = expected_points(theta[data.first] - theta[data.second], log_nu)
    number, weight = data.number, data.weight
    away = weight * (data.points - points)
    gradient = np.zeros(number + 1)
    gradient[:-1] = np.bincount(data.first, away, number) - np.bincount(data.second, away, number)
    # The points are 1, ½ or 0, so their mean square is the chance of a win plus a quarter of that of a tie.
    variance = weight * (points - tie / 4 - points**2)
    with_tie = weight * (tie / 2 - points * tie)
    cells = data.first * number + data.second
    between = np.bincount(cells, variance, number**2).reshape(number, number)
    between += between.T
    information = np.zeros((number + 1, number + 1))
    information[:-1, :-1] = np.diag(between.sum(axis=1)) - between
    of_ties = np.bincount(data.first, with_tie, number) - np.bincount(data.second, with_tie, number)
    information[:-1, -1] = of_ties
    information[-1, :] = information[:, -1]
    if np.isfinite(log_nu):
        gradient[-1] = weight @ (data.is_tie - tie)
        information[-1, -1] = weight @ (tie * (1 - tie))
    if prior:
        wins = scipy.special.expit(theta)
        gradient[:-1] += prior * (0.5 - wins)
        information[np.arange(number), np.arange(number)] += prior * wins * (1 - wins)
        share = scipy.special.expit(log_nu - np.log(2))
        gradient[-1] += prior * (0.5 - share)
        information[-1, -1] += prior * share * (1 - share)
    return gradient, information


def _with_gauge(information: FloatArray) -> FloatArray:
    """Return the information with terms for what stays open: the mean of θ, and ν without ties."""
    number = len(information) - 1
    fixed = information.copy()
    fixed[:-1, :-1] += max(float(np.trace(information[:-1, :-1])), 1.0) / number**2
    if information[-1, -1] == 0:  # ν is 0, and stays so
        fixed[-1, -1] = 1.0
    return fixed


def _refuse_prior(prior: float) -> None:
    if not 0 <= prior < np.inf:
        raise InputError(
            "prior-out-of-bounds",
            "prior {prior} is out of bounds; give a finite number that is at least 0",
            prior=f"{prior:g}",
        )


def _refuse_infinite(data: Comparisons, ties: float) -> None:
    """Raise `InputError` unless finite worths fit the comparisons best, without a prior."""
    counts = data.weight > 0
    wins, loses = counts & (data.points > 0), counts & (data.points < 1)
    rows = np.concatenate([data.first[wins], data.second[loses]])
    columns = np.concatenate([data.second[wins], data.first[loses]])
    graph = scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(data.number, data.number))
    parts, _ = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    if parts > 1 or ties == float(data.weight.sum()):
        raise InputError(
            "worths-without-end",
            "without a prior, the worths of the {documents} documents of a topic have no finite estimate, "
            "because some documents are never preferred to the others, or all comparisons are ties; give a "
            "prior above 0",
            documents=data.number,
        )
