"""Which systems an analysis ranks: the runs, or simulated systems if few top documents have a grade.

[T15] ranks simulated systems wherever it compares rankings with grades that few documents have. A ranking of
the runs would mostly show how many of their documents have a grade.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import polars as pl

from ..comparison.simulated import SimulatedSystems, simulate_systems
from ..conventions import Ties
from ..coverage import FEW_JUDGED, judged_share
from ..errors import InputError
from ..frames import Gains
from ..measures import Measures, parse, several
from ..options import checked
from ..ranking import rank
from ..runs import Run
from ..score_table import Scores
from ..text import Text

DEPTH: Final = 10
"""The number of documents at the top of a list that decides which systems are ranked."""
Kind = Literal["auto", "runs", "simulated"]
Ranked = Kind | SimulatedSystems
"""The systems that an analysis ranks.

`"auto"` means simulated systems if the share of graded documents among the runs' top 10 is below `FEW_JUDGED`
and such systems can be made, and otherwise the runs.
"""


class FewGraded(UserWarning):
    """A warning that few of the runs' top documents have a grade. It says which systems are ranked."""


@dataclass(frozen=True, eq=False)
class Systems:
    """The systems that an analysis ranks: simulated systems, or the runs if `simulated` is None.

    `share` is the share of graded documents among the first `depth` documents of the runs' lists. `is_few`
    says that few have a grade. `reason` says why the runs are ranked all the same, or is None.
    """

    name: str
    simulated: SimulatedSystems | None
    share: float | None
    depth: int
    reason: InputError | None = None

    @property
    def kind(self) -> str:
        """The word that the column `ranked` of a table has: `runs` or `simulated`."""
        return "runs" if self.simulated is None else "simulated"

    @property
    def ranked(self) -> Ranked:
        """The argument with which an analysis ranks the same systems again."""
        return self.simulated or "runs"

    @property
    def is_few(self) -> bool:
        """Whether few of the runs' top documents have a grade."""
        return self.share is not None and self.share < FEW_JUDGED

    @property
    def sub_runs(self) -> int:
        """The number of complete lists from which the simulated systems are drawn."""
        return 0 if self.simulated is None else sum(self.simulated.complete)

    def of(self, scores: Scores) -> Scores:
        """Return the scores of these systems, taken from the scores of the runs."""
        return scores if self.simulated is None else self.simulated.scores(scores)

    def warning(self) -> Text | None:
        """Return a sentence that says which systems are ranked and why, or None if enough have a grade."""
        if self.share is None or not self.is_few:
            return None
        values = {
            "name": self.name,
            "share": f"{self.share * 100:.0f}",
            "depth": self.depth,
            "limit": f"{FEW_JUDGED * 100:g}",
        }
        if self.simulated is not None:
            return Text(
                "For {name}, {systems} simulated systems are ranked instead of the runs, because only "
                "{share} % of the runs’ first {depth} documents have a grade (less than {limit} %).",
                systems=len(self.simulated.names),
                **values,
            )
        if self.reason is None:
            return Text(
                "For {name}, the runs are ranked although only {share} % of their first {depth} documents "
                "have a grade (less than {limit} %). The result mostly shows how many documents have a "
                "grade.",
                **values,
            )
        return Text(
            "For {name}, the runs are ranked although only {share} % of their first {depth} documents have a "
            "grade (less than {limit} %). The result mostly shows how many documents have a grade. Simulated "
            "systems cannot be used: {reason}.",
            reason=self.reason,
            **values,
        )


@checked
def choose_systems(
    known: Mapping[str, Gains],
    runs: Sequence[Run],
    measures: Measures,
    *,
    rng: np.random.Generator | None = None,
    ranked: Ranked | Mapping[str, Ranked] = "auto",
    topics: Iterable[str] | None = None,
    number: int = 100,
    depth: int = DEPTH,
    ties: Ties = "trec_eval",
) -> dict[str, Systems]:
    """Return the systems to rank by each of the sets of `known` gains. Each set has systems of its own.

    `ranked` says which systems to use, for all sets or for each of them. `number` is the number of simulated
    systems, and their lists are graded down to rank `depth`. With `topics`, other topics are left out. `rng`
    draws the simulated systems; by default, its seed is 0. Raise `InputError` for an unknown word in
    `ranked`, and if `"simulated"` is wanted but impossible.
    """
    generator = np.random.default_rng(0) if rng is None else rng
    chosen = {}
    for name, gains in known.items():
        wanted = ranked[name] if isinstance(ranked, Mapping) else ranked
        within = gains
        if topics is not None:
            within = Gains(gains.table.filter(pl.col("topic_id").is_in(list(topics))))
        share = judged_share(rank(within, runs, ties=ties).lists, depth)
        simulated = wanted if isinstance(wanted, SimulatedSystems) else None
        reason = None
        if wanted == "simulated" or (wanted == "auto" and share is not None and share < FEW_JUDGED):
            try:
                simulated = simulate_systems(
                    within, runs, rng=generator, systems=number, depth=depth, ties=ties
                )
                for measure in several(measures):
                    simulated.refuse_below_depth(parse(str(measure)))
            except InputError as error:
                if wanted == "simulated":
                    raise
                simulated, reason = None, error
        chosen[name] = Systems(name, simulated, share, depth, reason)
    return chosen


@checked
def warn_of(chosen: Mapping[str, Systems], ranked: Ranked | Mapping[str, Ranked]) -> None:
    """Warn about each set of grades that few top documents have, if `ranked` is `"auto"` for this set."""
    for name, systems in chosen.items():
        wanted = ranked[name] if isinstance(ranked, Mapping) else ranked
        if wanted == "auto" and (sentence := systems.warning()) is not None:
            warnings.warn(str(sentence), FewGraded, stacklevel=3)
