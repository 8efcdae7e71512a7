"""Draw the sample of a study: give each pooled document a known chance to be judged."""

from collections.abc import Iterable
from math import fsum
from typing import Final

import numpy as np
import polars as pl

from evaluation.errors import InputError
from evaluation.pairs import PAIR
from evaluation.sampling import Sample, draw, influence, pool_of
from evaluation.sampling.inclusion import least_budget
from evaluation.sampling.linear import LinearMeasure
from judging.core.faults import Faults
from judging.protocol.settings import SETTINGS
from judging.protocol.words import Sentence
from judging.setup.intake.content import Chance, DrawContent, FrozenPools, StudyContent

_SEEDS: Final = 2**63
_PAIR: Final = dict.fromkeys(PAIR, pl.String)


def measure_fault(measure: str) -> Sentence | None:
    """Return why scores by a measure cannot be estimated from a sample, or None if they can."""
    try:
        LinearMeasure.of(measure)
    except InputError as error:
        return Sentence(error.text, error.values)
    return None


def add_sample(content: StudyContent, depth: int, frozen: FrozenPools, faults: Faults) -> None:
    """Draw the documents to judge, and set `chances` and `draw` of the content.

    The anchors are always drawn. If `frozen` has pools with chances, these stay, and only the documents that
    are new to the pools are drawn. If there are none, there is no new draw. The same files, settings and
    stored pools always give the same sample. If the sample cannot be drawn, add a fault.
    """
    content.chances = _stored(content, frozen)
    try:
        _draw(content, depth, frozen)
    except InputError as error:
        place, name = content.where["sample_budget"], SETTINGS["sample_budget"].name
        faults.add(place, name, Sentence(error.text, error.values))


def _draw(content: StudyContent, depth: int, frozen: FrozenPools) -> None:
    """Draw the documents without a chance. Raise `InputError` if this is impossible."""
    pool = pool_of([run.frame for run in content.runs], depth, documents=_pooled(content))
    sizes = influence(pool, content.fields["ranked_by"])
    anchors = {(topic.number, document) for topic in content.topics for document in topic.anchors.values()}
    new = {pair for pair in pool.table.select(PAIR).iter_rows() if pair not in content.chances}
    if not new:
        return
    budget = _budget(content, frozen, new=len(new), anchors=len(new & anchors))
    drawn = [chance.draw or 0 for topic in frozen.values() for chance in topic.chances.values()]
    content.draw = DrawContent(
        number=1 + max(drawn, default=0),
        design=content.fields["sample_design"],
        budget=min(budget, len(new)),
        seed=_seed(content),
        measure=content.fields["ranked_by"],
        depth=depth,
    )
    sample = draw(
        pool,
        sizes,
        content.draw.budget,
        rng=_rng(content.draw),
        design=content.draw.design,
        always=_table(anchors),
        earlier=_earlier(content),
    )
    for topic, document, inclusion, sampled in sample.table.iter_rows():
        content.chances.setdefault((topic, document), Chance(inclusion, sampled, content.draw.number))


def _stored(content: StudyContent, frozen: FrozenPools) -> dict[tuple[str, str], Chance]:
    """Return the chances that the documents of the study's topics have already."""
    return {
        (topic.number, document): chance
        for topic in content.topics
        if topic.number in frozen
        for document, chance in frozen[topic.number].chances.items()
    }


def _earlier(content: StudyContent) -> Sample | None:
    """Return the documents that have a chance already as a sample, or None if there are none."""
    if not content.chances:
        return None
    rows = [(*pair, chance.inclusion, chance.sampled) for pair, chance in sorted(content.chances.items())]
    schema = {**_PAIR, "inclusion": pl.Float64, "sampled": pl.Boolean}
    return Sample(content.fields["sample_design"], pl.DataFrame(rows, schema=schema, orient="row"))


def _budget(content: StudyContent, frozen: FrozenPools, *, new: int, anchors: int) -> int:
    """Return how many of the `new` documents, `anchors` of which are anchors, are drawn.

    By default, a further draw has the same share of the documents as the first draw.
    """
    if not content.chances:
        return int(content.fields["sample_budget"])
    if content.fields["sample_added"] is not None:
        return int(content.fields["sample_added"])
    first = [
        chance.inclusion for topic in frozen.values() for chance in topic.chances.values() if chance.draw == 1
    ]
    return max(round(new * fsum(first) / len(first)), least_budget(new, anchors))


def _seed(content: StudyContent) -> int:
    """Return the seed of the sample. A study's seed can be negative, but numpy needs 0 or more."""
    seed = content.fields["sample_seed"]
    return int(content.fields["seed"] if seed is None else seed) % _SEEDS


def _rng(settings: DrawContent) -> np.random.Generator:
    """Return the generator of a draw. The first draw is the one that `plumbline sample` makes of the seed."""
    return np.random.default_rng(settings.seed if settings.number == 1 else [settings.seed, settings.number])


def _pooled(content: StudyContent) -> pl.DataFrame:
    return _table((topic.number, document) for topic in content.topics for document in topic.pool)


def _table(pairs: Iterable[tuple[str, str]]) -> pl.DataFrame:
    return pl.DataFrame(sorted(pairs), schema=_PAIR, orient="row")
