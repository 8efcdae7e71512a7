"""The adaptive rule: decide whether to stop, and otherwise plan the next units."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import polars as pl

from ..arguments import refuse_few_runs
from ..arrays import BoolArray, FloatArray, IntArray
from ..comparison.topset import top_set
from ..conventions import Statistic
from ..errors import InputError
from ..frames import Judgments
from ..magnitudes.anchors import refuse_without_gold
from ..magnitudes.document_gains import KEYS, gains
from ..magnitudes.groups import Groups
from ..magnitudes.normalisation import Method, normalise
from ..measures import Measure, RankedLists, parse
from ..options import checked
from ..ranking import rank
from ..runs import Runs
from ..scores import score
from ..showing import short_repr
from ..sources import Source
from .batches import Weigh, draw_units
from .evidence import Evidence, agreement, draw_truths
from .influence import Pairs, effects, mean_over_topics, needs
from .uncertainty import Uncertainty, estimate, variance_factor

RULE: Final = 1
"""The version of the rule. It increases if a change to the code can change a decision."""
Reason = Literal["settled", "no-room", "unsettled"]


@checked
@dataclass(frozen=True)
class Settings:
    """The settings of the rule.

    The study stops when the expected τ reaches `level` and the expected overlap of top sets reaches
    `top_level`. The order of two systems counts as settled if its probability is at least `level`. By
    default, `top_level` is lower than `level`, because one topic can move a system into a top set or out of
    it. Even the top sets of two complete studies overlap by much less than 1.

    `units` is the number of units in a batch. `unit_size` is the number of documents in a unit, including its
    `anchors`. `units_per_topic` limits the units of a topic, including the earlier ones. Set it to the
    number of workers, because no worker gets a topic twice. `most_units` limits the units of the study,
    including the earlier ones. `closed_topics` get no further units, but their judgments count.

    `explore` is the part of the total weight that is divided equally among all documents that can be drawn.
    `draws` is the number of random draws for the expected τ, and `top_draws` is the number for the expected
    overlap.
    """

    measure: str = "nDCG@10"
    level: float = 0.9
    top_level: float = 0.7
    units: int = 60
    unit_size: int = 8
    units_per_topic: int | None = None
    most_units: int | None = None
    closed_topics: tuple[str, ...] = ()
    explore: float = 0.1
    normalisation: Method = "additive"
    statistic: Statistic = "median"
    draws: int = 200
    top_draws: int = 40
    anchors: int = 2

    def refuse_invalid(self) -> None:
        """Raise `InputError` for a value out of bounds."""
        for level in (self.level, self.top_level):
            if not 0 <= level <= 1:
                raise InputError(
                    "stopping-level-out-of-bounds",
                    "level {level} is out of bounds; give a number from 0 to 1",
                    level=str(level),
                )
        if self.units < 1 or self.anchors < 0 or self.unit_size <= self.anchors:
            raise InputError(
                "no-unit-to-plan",
                "{units} units of {size} documents cannot be planned; give 1 or more units of {least} or "
                "more documents",
                units=self.units,
                size=self.unit_size,
                least=max(0, self.anchors) + 1,
            )
        if not 0 <= self.explore <= 1:
            raise InputError(
                "explore-out-of-bounds",
                "explore={share} is out of bounds; give a number from 0 to 1",
                share=str(self.explore),
            )


@short_repr
@checked
@dataclass(frozen=True, eq=False)
class Decision:
    """A decision, with the numbers that led to it.

    `reason` is `"unsettled"` if the study goes on. It is `"settled"` if the study stops because the ranking
    is settled. It is `"no-room"` if the study stops because no topic can get another unit within the limits.

    `units` has the next units as `(topic, (document, …))`, without the anchors. It is empty if the study
    stops.

    `documents` has a row for each judged document, with the columns `topic_id, document_id, judgments, gain,
    error, need, planned`. `error` is the standard error of ln gain. `need` says how much this error matters
    for the ranking. `planned` is the number of further judgments.
    """

    rule: int
    seed: int
    batch: int
    settings: Settings
    evidence: Evidence
    reason: Reason
    units: tuple[tuple[str, tuple[str, ...]], ...]
    documents: pl.DataFrame

    @property
    def stops(self) -> bool:
        """Whether the study stops, so that no further units are planned."""
        return self.reason != "unsettled"


def decide(
    judgments: Source, runs: Source, settings: Settings | None = None, *, seed: int = 0, batch: int = 1
) -> Decision:
    """Decide whether the ranking is settled, and plan the next units if it is not.

    `judgments` are those of all units so far, with the anchors marked in the column `gold`. The decision does
    not plan judgments of the anchors, because they are in every unit. Nor does it plan judgments of documents
    that have none yet. `batch` is the number of the decision, counted from 1, and changes the random draws.
    The same arguments give the same decision, whatever the order of the rows.

    The rule normalises the judgments and estimates how uncertain each gain is. Then it computes how uncertain
    each difference between two systems is. The need of a document is its share of the uncertainty of the
    differences that are not settled. The documents of the next units are drawn at random, with weights. The
    weight of a document is the part of its need that one more judgment removes.

    Raise `InputError` for settings out of bounds, for fewer than two runs, for ratings, and for judgments
    without the column `gold`.
    """
    settings = settings or Settings()
    settings.refuse_invalid()
    judgments = Judgments(judgments, gold=True)
    judgments.refuse_without_ratios()
    runs = Runs(runs)
    refuse_few_runs(len(runs))
    normalized = normalise(judgments, settings.normalisation)
    uncertain = estimate(judgments, normalized, settings.statistic)
    present = gains(judgments, normalized, settings.statistic)
    measure = parse(settings.measure)
    lists = rank(present, runs).lists
    rng = np.random.default_rng([seed % 2**64, batch])
    values = score(present, runs, settings.measure).values[..., 0]
    top = tuple(system.run for system in top_set(lists.runs, values))
    effect = effects(measure, lists, uncertain.error())
    pairs = Pairs.of(mean_over_topics(values), effect)
    evidence = _evidence(judgments, measure, lists, values, top, uncertain, pairs, settings, rng)
    need = needs(effect, pairs, settings.level)
    drawn = np.zeros((0, settings.unit_size - settings.anchors), dtype=np.int64)
    reason: Reason = "settled"
    if not evidence.is_settled(settings.level, settings.top_level):
        drawn = draw_units(
            lists.topic,
            _is_candidate(judgments, present.table),
            _weights(need, uncertain),
            _room(judgments, lists.topics, settings),
            units=min(settings.units, _left(evidence.units, settings)),
            others=settings.unit_size - settings.anchors,
            explore=settings.explore,
            rng=rng,
        )
        reason = "unsettled" if len(drawn) else "no-room"
    names = present.table["document_id"].to_list()
    return Decision(
        RULE,
        seed,
        batch,
        settings,
        evidence,
        reason,
        tuple(
            (lists.topics[lists.topic[unit[0]]], tuple(names[document] for document in unit))
            for unit in drawn
        ),
        present.table.with_columns(
            judgments=uncertain.judgments,
            error=uncertain.error(),
            need=need,
            planned=np.bincount(drawn.ravel(), minlength=len(names)),
        ).select(*KEYS, "judgments", "gain", "error", "need", "planned"),
    )


def _evidence(
    judgments: Judgments,
    measure: Measure,
    lists: RankedLists,
    values: FloatArray,
    top: tuple[str, ...],
    uncertain: Uncertainty,
    pairs: Pairs,
    settings: Settings,
    rng: np.random.Generator,
) -> Evidence:
    draws = draw_truths(measure, lists, uncertain, rng, settings.draws)
    taus, overlaps = agreement(lists.runs, values, top, draws, settings.top_draws)
    above = np.triu_indices(len(lists.runs), 1)
    return Evidence(
        tau=float(taus.mean()),
        tau_low=float(np.quantile(taus, 0.05)),
        overlap=float(overlaps.mean()),
        pairs=len(above[0]),
        unsettled=int(pairs.unsettled(settings.level)[above].sum()),
        top_set=top,
        judgments=len(judgments.table),
        units=len(Groups.by(judgments.table, judgments.unit_keys).sizes),
    )


def _is_candidate(judgments: Judgments, documents: pl.DataFrame) -> BoolArray:
    """Return, for each document, whether it is not an anchor.

    Raise `InputError` if the column `gold` is missing.
    """
    refuse_without_gold(judgments)
    anchors = judgments.table.filter(pl.col("gold") != "").select(KEYS).unique().with_columns(anchor=True)
    joined = documents.select(KEYS).join(anchors, on=KEYS, how="left", maintain_order="left")
    return joined["anchor"].is_null().to_numpy()


def _weights(need: FloatArray, uncertain: Uncertainty) -> Weigh:
    """Return a function that gives the part of each need that one more judgment removes."""
    present = variance_factor(uncertain.judgments, uncertain.statistic)

    def weigh(further: IntArray) -> FloatArray:
        now, then = (
            variance_factor(uncertain.judgments + further + more, uncertain.statistic) for more in (0, 1)
        )
        removed: FloatArray = need * (now - then) / present
        return removed

    return weigh


def _left(units: int, settings: Settings) -> int:
    return settings.units if settings.most_units is None else max(0, settings.most_units - units)


def _room(judgments: Judgments, topics: tuple[str, ...], settings: Settings) -> IntArray:
    """Return, for each topic, the number of further units that it can get."""
    room = np.full(len(topics), settings.units, dtype=np.int64)
    if settings.units_per_topic is not None:
        units = judgments.table.select(judgments.unit_keys).unique()
        used = dict(units.group_by("topic_id").len().iter_rows())
        room[:] = [max(0, settings.units_per_topic - used[topic]) for topic in topics]
    room[[topic in set(settings.closed_topics) for topic in topics]] = 0
    return room
