"""The example data of [ZY10], the values that it prints for them, and the values that its formulas give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import polars as pl

from ...analyses.preferences import GAIN_MEASURES
from ...arrays import FloatArray, IntArray
from ...distances import WeakOrder, adm, ndpm
from ...measures import parse
from ...measures.lists import RankedLists, ScoreTies

USER: Final = (0.6, 0.5, 0.4, 0.3, 0.1)
"""Table 2: the user's judgments of the documents d1 … d5, all of them relevant."""
SYSTEMS: Final = {
    "IRS1": (0.6, 0.5, 0.3, 0.2, 0.1),
    "IRS2": (0.5, 0.3, 0.4, 0.2, 0.1),
    "IRS3": (0.4, 0.6, 0.2, 0.3, 0.1),
    "IRS4": (0.1, 0.2, 0.2, 0.4, 0.5),
}
"""Table 2: the scores that four systems give to the same documents."""
PRINTED: Final = {
    "msr": (".95", ".79", ".80", ".43"),
    "dcg": (".93", ".77", ".85", ".54"),
    "ndcg": (".96", ".78", ".82", ".34"),
    "wap": (".94", ".79", ".81", ".40"),
    "Q": (".98", ".93", ".94", ".80"),
    "agr": (".94", ".78", ".80", ".36"),
    "ndpm": ("1.00", ".90", ".80", ".05"),
    "adm": (".96", ".92", ".90", ".70"),
}
"""Table 2: the printed values of the four systems, column by column."""
_STEP: Final = 0.1
"""The distance between neighbouring levels of the scale 0, .1, … .6."""
_BY_GAINS: Final = dict(zip(("msr", "dcg", "ndcg", "wap", "Q", "agr"), GAIN_MEASURES, strict=True))


@dataclass(frozen=True, eq=False)
class OwnScores(RankedLists):
    """Lists whose gains are the systems' own scores, compared with the user's ideal list, as in [ZY10]."""

    user: FloatArray = field(kw_only=True)

    @classmethod
    def of(cls, systems: Mapping[str, Sequence[float]], user: Sequence[float]) -> "OwnScores":
        """Return one list for each system, in one topic. `user` has the judgments, largest first."""
        gains = np.array(list(systems.values()))
        number, size = gains.shape
        ranks = np.tile(np.arange(1, size + 1), number)
        return cls(
            runs=tuple(systems),
            topics=("example",),
            length=np.full((number, 1), size),
            cell=np.repeat(np.arange(number), size),
            rank=ranks,
            document=np.arange(gains.size),
            score_ties=ScoreTies.of(ranks, ranks - 1, np.ones_like(ranks)),
            topic=np.zeros_like(ranks),
            gain=gains.ravel(),
            level=gains.ravel(),
            user=np.array([user]),
        )

    def ideal(self, gain: str = "linear") -> FloatArray:
        """Return the user's judgments, whatever the scheme (1, ranks)."""
        return self.user

    def recall(self, rel: float | None) -> IntArray:
        """Return the number of the user's judgments, because all documents are relevant (1,)."""
        return np.array([self.user.size])


def table_2() -> pl.DataFrame:
    """Return the values that the formulas give for Table 2: `system` and the columns of `PRINTED`.

    `agr` counts the documents of a level in each ranking itself, as the printed column does.
    """
    lists = OwnScores.of(SYSTEMS, USER)
    values = {
        name: parse(measure).values(lists)[:, 0].tolist()
        for name, measure in _BY_GAINS.items()
        if name not in ("ndcg", "agr")
    }
    averaged, _, _ = _BY_GAINS["ndcg"].partition("@")
    values["ndcg"] = parse(f"{averaged}@{len(USER)}").values(lists)[:, 0].tolist()
    values["agr"] = agr(in_ranking=True)
    judged, systems = _scored(USER), list(map(_scored, SYSTEMS.values()))
    user = WeakOrder.from_scores(judged)
    distances = [ndpm(user, WeakOrder.from_scores(scores)) for scores in systems]
    values["ndpm"] = [1 - distance for distance in distances if distance is not None]
    values["adm"] = [adm(judged, scores) for scores in systems]
    return pl.DataFrame({"system": list(SYSTEMS), **{name: values[name] for name in PRINTED}})


def agr(*, in_ranking: bool) -> list[float]:
    """Return AGR of each system of Table 2, on the scale 0, .1, … .6.

    The share of documents with a level is counted in the ranking itself with `in_ranking`, and otherwise in
    the user's judgments, as [S04] does.
    """
    lowered = {tag: _lowered(scores, scores if in_ranking else USER) for tag, scores in SYSTEMS.items()}
    wap: list[float] = parse("WAP").values(OwnScores.of(lowered, _lowered(USER, USER)))[:, 0].tolist()
    return wap


def _lowered(scores: Sequence[float], base: Sequence[float]) -> list[float]:
    return [score - base.count(score) / len(base) * _STEP for score in scores]


def _scored(scores: Sequence[float]) -> dict[str, float]:
    return {f"d{number}": score for number, score in enumerate(scores, start=1)}
