"""What the comparison of arms says in sentences. No arm is called better where intervals overlap."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from ..text import Text

Row = dict[str, Any]


def answer(
    agreement: pl.DataFrame, power: pl.DataFrame, rankings: pl.DataFrame, *, in_money: bool
) -> list[Text]:
    """Return the sentences that stand above the tables, the most important first."""
    return [*_power(power, in_money=in_money), *_rankings(rankings), *_agreement(agreement)]


def leader(rows: Sequence[Row], value: str) -> Row | None:
    """Return the row with the largest value, if its interval lies above all others, or else None.

    Example: [.5, .7] lies above [.2, .4]. It does not lie above [.4, .6], which has .5 in common with it.
    """
    known = [row for row in rows if None not in (row[value], row["low"], row["high"])]
    if len(known) < 2:
        return None
    first, *others = sorted(known, key=lambda row: -row[value])
    return first if all(row["high"] < first["low"] for row in others) else None


def _power(power: pl.DataFrame, *, in_money: bool) -> Iterator[Text]:
    rows = power.filter(pl.col("power_at_budget").is_not_null()).to_dicts()
    if not rows:
        return
    same = Text("At the same cost") if in_money else Text("With equally many judgments")
    values = _values(rows, "power_at_budget")
    best = leader(rows, "power_at_budget")
    if best:
        yield Text(
            "{same}, {arm} tells the largest share of the pairs of runs apart: {values}.",
            same=same,
            arm=best["arm"],
            values=values,
        )
    else:
        yield Text(
            "{same}, no arm can be said to tell more pairs of runs apart than the others: {values}.",
            same=same,
            values=values,
        )


def _rankings(rankings: pl.DataFrame) -> Iterator[Text]:
    taus = rankings["tau_b"].drop_nulls().to_list()
    if len(taus) == 1:
        text = "The rankings of the runs by the two arms have a Kendall’s τ_b of {tau}."
        yield Text(text, tau=f"{taus[0]:.2f}")
    elif taus:
        yield Text(
            "The rankings of the runs by two arms have a Kendall’s τ_b from {least} to {most}.",
            least=f"{min(taus):.2f}",
            most=f"{max(taus):.2f}",
        )


def _agreement(agreement: pl.DataFrame) -> Iterator[Text]:
    rows = agreement.filter(pl.col("alpha").is_not_null()).to_dicts()
    if not rows:
        return
    values = _values(rows, "alpha")
    best = leader(rows, "alpha")
    if best:
        text = "Judges agree most in {arm}, by Krippendorff’s α: {values}."
        yield Text(text, arm=best["arm"], values=values)
    else:
        yield Text(
            "No arm can be said to have judges who agree more, by Krippendorff’s α: {values}.", values=values
        )


def _values(rows: Sequence[Row], value: str) -> Text:
    """Return the values of all arms with their intervals, as in `a .52 [.40, .61], b .49 [.38, .60]`."""
    facts = {f"fact{place}": _value(row, value) for place, row in enumerate(rows)}
    return Text(", ".join(f"{{{name}}}" for name in facts), **facts)


def _value(row: Row, value: str) -> str:
    interval = "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"
    return f"{row['arm']} {row[value]:.2f}{interval}"
