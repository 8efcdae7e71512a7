"""Distances between a user's and a system's ratings, topic by topic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import InputError, shown
from ..means import refuse_topic_all
from ..options import checked
from ..origin import first
from ..score_table import Scores
from .adm import Scale, adm, misfit, misfits
from .correlations import rho, tau_a, tau_b, tau_c
from .ndpm import ndpm
from .preferences import Missing, WeakOrder
from .ratings import Ratings


@checked
@dataclass(frozen=True)
class Sides:
    """The user's and the system's scores of the documents in one topic, and the settings of the measures."""

    user: Mapping[str, float]
    system: Mapping[str, float]
    missing: Missing
    scale: Scale
    N: int | None = None

    @cached_property
    def orders(self) -> tuple[WeakOrder, WeakOrder]:
        """The preferences of the user and of the system."""
        return WeakOrder.from_scores(self.user), WeakOrder.from_scores(self.system)


DISTANCES: dict[str, Callable[[Sides], float | None]] = {
    "ndpm": lambda sides: ndpm(*sides.orders, sides.missing),
    "adm": lambda sides: adm(sides.user, sides.system, scale=sides.scale, N=sides.N),
    "tau_a": lambda sides: tau_a(*sides.orders),
    "tau_b": lambda sides: tau_b(*sides.orders),
    "tau_c": lambda sides: tau_c(*sides.orders),
    "rho": lambda sides: rho(*sides.orders),
}
"""The measures by name."""


@checked
def distances(
    user: Ratings,
    system: Ratings,
    measures: str | Sequence[str],
    *,
    missing: Missing = "last",
    scale: Scale = "none",
    N: int | None = None,  # noqa: N803 (the usual symbol)
) -> Scores:
    """Return the value of each measure in each topic that has ratings by both the user and the system.

    The result has one run, `system`; topics are sorted by id. `missing` applies to ndpm, and `scale` and `N`
    to adm. Raise `InputError` for an unknown measure, for ratings that share no topic, and for a topic named
    `all`. If adm is among the measures, also raise `InputError` for the first score in a shared topic that
    does not fit the scale.
    """
    measures = [measures] if isinstance(measures, str) else measures
    refuse_unknown(measures)
    refuse_topic_all(user, system)
    shared = sorted(user.topics & system.topics)
    if not shared:
        raise InputError(
            "no-topic-rated-by-both",
            "the user and the system have no rated topic in common; give ratings of the same topics",
            system.origin.at(0),
        )
    if "adm" in measures:
        for side in (user, system):
            _refuse_misfits(side, shared, scale)
    users, systems = user.by_topic(), system.by_topic()
    sides_by_topic = [Sides(users[topic], systems[topic], missing, scale, N) for topic in shared]
    values = np.array(
        [[[DISTANCES[name](sides) for name in measures] for sides in sides_by_topic]], dtype=np.float64
    )
    return Scores(("system",), tuple(shared), tuple(measures), values)


def refuse_unknown(names: Sequence[str]) -> None:
    """Raise `InputError` for the first name that is not a distance."""
    for name in names:
        if name not in DISTANCES:
            raise InputError(
                "unknown-distance",
                "there is no distance named {distance}; choose from {known}",
                distance=shown(name),
                known=", ".join(DISTANCES),
            )


def _refuse_misfits(ratings: Ratings, topics: list[str], scale: Scale) -> None:
    """Raise `InputError` with the line of the first score in these topics that does not fit the scale."""
    scores = ratings.table["score"].to_numpy()
    is_shared = ratings.table["topic_id"].is_in(topics).to_numpy()
    if (row := first(misfits(scores, scale) & is_shared)) is not None:
        document = ratings.table["document_id"][row]
        raise misfit(scores[row], document, scale).at(ratings.origin.at(row))
