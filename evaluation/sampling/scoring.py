"""Score runs from the gains of a sample, with the same arguments as other scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, get_args

from ..conventions import Average, Design, Empty, Missing, Ties, Unjudged
from ..errors import InputError
from ..measures import Measures
from ..notices import Notice, Notices
from ..options import checked
from ..score_table import Scores
from ..sources import Source
from ..text import Text
from .estimation import estimate
from .result import scores_of

_DEFAULTS: Final = {
    "unjudged": get_args(Unjudged)[0],
    "ties": get_args(Ties)[0],
    "missing": get_args(Missing)[0],
    "empty": get_args(Empty)[0],
    "average": get_args(Average)[0],
}
"""The defaults of the conventions that are not None by default."""


@checked
def score_sample(
    gains: Source,
    runs: Source,
    measures: Measures,
    inclusion: Source,
    predictions: Sequence[Source],
    design: Design,
    conventions: Mapping[str, object],
) -> Scores:
    """Return the estimated scores in each topic. A notice says of how many documents the sample is.

    `conventions` are parameters of `score`. Raise `InputError` if one of them is not the default, and in the
    same cases as `estimate`.
    """
    refuse_conventions(conventions)
    samples = estimate(gains, runs, measures, inclusion, predictions=predictions, design=design)
    first, *_ = samples.values()
    text = Text(
        "the scores are estimated from a sample of {sampled} of {documents} documents",
        sampled=f"{first.sampled:,}",
        documents=f"{first.documents:,}",
    )
    notice = Notice("sampled", text, count=first.sampled, is_warning=False)
    return replace(scores_of(samples), notices=Notices((notice,)))


def refuse_conventions(conventions: Mapping[str, object]) -> None:
    """Raise `InputError` for a convention that estimates from a sample cannot follow."""
    for name, value in conventions.items():
        if value != _DEFAULTS.get(name):
            raise InputError(
                "convention-with-sample",
                "{name}={value} does not work for scores that are estimated from a sample; leave it out",
                name=name,
                value=str(value) if isinstance(value, str | int) else "…",
            )
