"""The sentence that answers which run is best, and the warnings that stand beside it."""

import math
from collections.abc import Sequence
from typing import Any, Final

from ..conventions import Correction
from ..options import checked
from ..sampling.result import SampledScores
from ..text import Text
from .basis import Basis, Warning

_MOST_NAMED: Final = 5


def sentence(
    measure: str, rows: Sequence[dict[str, Any]], basis: Basis, sample: SampledScores | None = None
) -> Text:
    """Return the sentence that names the best run, the runs that a test cannot tell from it, and the basis.

    `rows` are the rows of the result's table that have a mean, the best first. `sample` has the size of the
    sample, if only a sample of the documents was judged.
    """
    best = rows[0]
    tied = [row["run"] for row in rows[1:] if row["in_top_set"]]
    facts = _basis(best["topics"], basis, sample)
    if basis.is_random:
        return Text(
            "The relevance of the documents is random, so the runs are not compared; {basis}.", basis=facts
        )
    first = _mean("{run} is best by {measure}, {mean}{interval}", measure, best)
    if len(rows) == 1:
        only = _mean("{run} is the only run, with {measure} {mean}{interval}", measure, best)
        return Text("{best}; {basis}.", best=only, basis=facts)
    return Text("{best}; {beside}; {basis}.", best=first, beside=_beside(tied), basis=facts)


def _mean(text: str, measure: str, best: dict[str, Any]) -> Text:
    interval: Text | str = ""
    if best["low"] is not None:
        interval = f" [{best['low']:.3f}, {best['high']:.3f}]"
    return Text(text, run=best["run"], measure=measure, mean=f"{best['mean']:.3f}", interval=interval)


def _beside(tied: Sequence[str]) -> Text:
    if not tied:
        return Text("all other runs can be told from it")
    others = len(tied) - _MOST_NAMED
    if others > 0:
        return Text.plural(
            "{named} and {number} more run cannot be told from it",
            "{named} and {number} more runs cannot be told from it",
            number=others,
            named=", ".join(tied[:_MOST_NAMED]),
        )
    if len(tied) == 1:
        return Text("{named} cannot be told from it", named=tied[0])
    return Text("{named} and {last} cannot be told from it", named=", ".join(tied[:-1]), last=tied[-1])


def _basis(topics: int, basis: Basis, sample: SampledScores | None) -> Text:
    facts = [Text.plural("{number} topic", "{number} topics", number=topics)]
    if basis.judgments is not None:
        count = f"{basis.judgments:,}"
        facts.append(
            Text.plural("{count} judgment", "{count} judgments", number=basis.judgments, count=count)
        )
    facts += basis.judges
    if sample is not None:
        facts.append(_sample(sample))
    text = ", ".join(f"{{fact{place}}}" for place in range(len(facts)))
    return Text(text, **{f"fact{place}": fact for place, fact in enumerate(facts)})


def _sample(sample: SampledScores) -> Text:
    numbers = {"sampled": f"{sample.sampled:,}", "documents": f"{sample.documents:,}"}
    if sample.evidence == "predictions":
        return Text(
            "estimated from a sample of {sampled} of {documents} documents and from predictions of all gains",
            **numbers,
        )
    return Text("estimated from a sample of {sampled} of {documents} documents", **numbers)


@checked
def few_topics(runs: int, topics: int, alpha: float, correction: Correction) -> list[Warning]:
    """Return a warning if so few topics have scores that no p-value of two runs can be below `alpha`.

    With n topics, the p-value of Wilcoxon's exact two-sided test is at least 2 / 2ⁿ. Holm's method multiplies
    the smallest p by the number of pairs.
    """
    least = min(1.0, (math.comb(runs, 2) if correction == "holm" else 1) * 2 / 2**topics)
    if runs < 2 or least < alpha:
        return []
    text = Text.plural(
        "With {number} topic, p cannot be below {least}, so Wilcoxon’s test cannot separate any two runs.",
        "With {number} topics, p cannot be below {least}, so Wilcoxon’s test cannot separate any two runs.",
        number=topics,
        least=f"{least:.3g}",
    )
    return [Warning("few-topics", text)]
