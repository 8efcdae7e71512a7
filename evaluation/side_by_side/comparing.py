"""Compare arms: judgments of the same documents on several scales, or by several rules."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from ..arguments import refuse_level, refuse_resamples
from ..comparison.report import compare
from ..conventions import RESAMPLES
from ..errors import InputError, shown
from ..frames import Judgments
from ..measures import parse
from ..runs import Runs
from ..sources import Source
from .agreement import agreement_table
from .arm import Arm
from .between import between_table
from .power import POWER, power_table
from .ranking import ranking_table, rankings_table
from .result import SideBySide
from .spending import cost_table, failures_table, has_prices, time_table

DRAWS: Final = 100


def compare_arms(
    arms: Mapping[str, Judgments] | Sequence[Arm],
    runs: Source | None = None,
    measure: str = "nDCG@10",
    *,
    alpha: float = 0.05,
    level: float = 0.95,
    draws: int = DRAWS,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> SideBySide:
    """Compare arms on equal terms. The same seed gives the same result.

    `arms` maps the name of each arm to its judgments or, if more is known of the arms, is a list of `Arm`.
    Use judgments of the same documents in the same topics. `runs` can be anything that `Runs` accepts.
    Without runs, the tables `power`, `ranking` and `rankings` have no rows. `measure` scores the runs. A pair
    of runs is told apart if p is below `alpha`. `level` is the confidence level of all intervals. `draws` is
    the number of times that units are drawn at the same cost, and `resamples` is the number of bootstrap
    samples of the topics.

    Raise `InputError` for fewer than two arms, two arms with the same name, arms without a document in
    common, and an unknown measure.

    Example: `compare_arms({"S4": grades, "magnitude": magnitudes}, runs).sentences`.
    """
    parse(measure)
    refuse_level(level)
    refuse_resamples(resamples)
    refuse_resamples(draws)
    listed = [Arm(name, each) for name, each in arms.items()] if isinstance(arms, Mapping) else list(arms)
    _refuse(listed)
    read = None if runs is None else Runs(runs)
    results = {
        arm.name: compare(
            arm.judgments,
            read,
            [measure],
            alpha=alpha,
            level=level,
            seed=seed,
            method=arm.method,
            gain=arm.statistic,
        ).result()
        for arm in listed
        if read is not None
    }
    power = pl.DataFrame(schema=POWER)
    if read is not None:
        power = power_table(listed, read, measure, alpha=alpha, level=level, draws=draws, seed=seed)
    return SideBySide(
        measure=measure,
        cost=cost_table(listed),
        time=time_table(listed),
        failures=failures_table(listed),
        agreement=agreement_table(listed, level=level, seed=seed),
        between=between_table(listed, level=level, resamples=resamples, seed=seed),
        power=power,
        ranking=ranking_table(results),
        rankings=rankings_table(results),
        results=results,
        in_money=has_prices(listed),
        currency=listed[0].work.currency if has_prices(listed) else "",
        level=level,
        alpha=alpha,
        draws=draws,
        resamples=resamples,
        seed=seed,
    )


def _refuse(arms: Sequence[Arm]) -> None:
    if len(arms) < 2:
        raise InputError(
            "too-few-arms", "there are too few arms to compare ({number}); give two or more", number=len(arms)
        )
    names = [arm.name for arm in arms]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                "arm-named-twice",
                "two arms have the name {name}; give each arm its own name",
                name=shown(name),
            )
    judged = [set(arm.judgments.table.select("topic_id", "document_id").iter_rows()) for arm in arms]
    for arm, documents in zip(arms[1:], judged[1:], strict=True):
        if not documents & judged[0]:
            raise InputError(
                "arms-without-common-documents",
                "the arms {first} and {second} have no document of a topic in common; compare judgments of"
                " the same documents",
                first=shown(arms[0].name),
                second=shown(arm.name),
            )
