"""What the comparison of judges with people says in sentences."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from ..text import Text
from .labels import ALL
from .systems import BOTH, LABELS

Row = dict[str, Any]


def answer(
    worth: pl.DataFrame,
    systems: pl.DataFrame,
    favour: pl.DataFrame,
    annotators: pl.DataFrame,
    followers: pl.DataFrame,
) -> list[Text]:
    """Return the sentences that stand above the tables, the most important first."""
    return [
        *_worth(worth),
        *_systems(systems),
        *_favour(favour),
        *_annotators(annotators),
        *_followers(followers),
    ]


def _worth(worth: pl.DataFrame) -> Iterator[Text]:
    for row in worth.filter(pl.col("value").is_not_null()).to_dicts():
        of = (
            Text("All labels together explain")
            if row["judge"] == ALL
            else Text("The labels of {judge} explain", judge=row["judge"])
        )
        if row["value"] <= 0 or (row["low"] is not None and row["low"] <= 0):
            yield Text("{of} nothing of the gains for sure, so they save no judgments.", of=of)
            continue
        yield Text(
            "{of} {share} of the variance of people’s gains within a topic: a sample with them needs {saved} "
            "fewer judged documents for the same intervals.",
            of=of,
            share=_with_interval(row),
            saved=f"{row['value']:.0%}",
        )


def _systems(systems: pl.DataFrame) -> Iterator[Text]:
    for row in systems.filter(pl.col("value").is_not_null()).to_dicts():
        if row["evidence"] == LABELS:
            yield Text(
                "The labels of {judge} in the place of people rank the runs with a Kendall’s τ_b of {tau}.",
                judge=row["judge"],
                tau=_with_interval(row),
            )
        elif row["evidence"] == BOTH and row["used"] is False:
            yield Text(
                "As predictions, the labels of {judge} would make the differences between the runs less "
                "certain, so they are left out.",
                judge=row["judge"],
            )
        elif row["width"] is not None:
            yield Text(
                "As predictions, the labels of {judge} make the intervals of differences between the runs "
                "{width} times as wide.",
                judge=row["judge"],
                width=f"{row['width']:.2f}",
            )


def _favour(favour: pl.DataFrame) -> Iterator[Text]:
    for row in favour.filter(pl.col("low") > 0).to_dicts():
        yield Text(
            "{judge} favours the runs of its own family, by {value}.",
            judge=row["judge"],
            value=_with_interval(row, 3),
        )


def _annotators(annotators: pl.DataFrame) -> Iterator[Text]:
    for row in annotators.to_dicts():
        facts = {"judge": row["judge"], "share": f"{row['winning']:.0%}", "workers": row["workers"]}
        if row["passes"]:
            yield Text(
                "{judge} passes the alternative annotator test: it is as good as {share} of {workers} "
                "workers.",
                **facts,
            )
        else:
            yield Text(
                "{judge} fails the alternative annotator test: it is as good as {share} of {workers} "
                "workers, and half of them are needed.",
                **facts,
            )


def _followers(followers: pl.DataFrame) -> Iterator[Text]:
    for (judge,), workers in followers.group_by("judge", maintain_order=True):
        yield Text.plural(
            "The numbers of {number} worker follow the labels of {judge} more than those of others do.",
            "The numbers of {number} workers follow the labels of {judge} more than those of others do.",
            number=workers.height,
            judge=judge,
        )


def _with_interval(row: Row, digits: int = 2) -> str:
    interval = "" if row["low"] is None else f" [{row['low']:.{digits}f}, {row['high']:.{digits}f}]"
    return f"{row['value']:.{digits}f}{interval}"
