"""Whether runs fit judgments: topics and documents that are in one alone, the likeliest cause, and the order.

Scores of a run that does not fit the judgments look like scores: a run with the ids of another collection has
the nDCG of a run that retrieves nothing relevant. `check` says beforehand what is in both.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from .conventions import Negative
from .coverage import FEW_JUDGED, judged_shares
from .frames import Gains
from .measures import RankedLists
from .notices import Notice, Notices, about_topics
from .options import checked
from .ranking import rank
from .sources import Source
from .text import Text

TOP: Final = 10
"""The depth, besides that of the run, to which the share of judged documents is given."""


@checked
def check(qrels: Source, runs: Source, *, negative: Negative = "error") -> Notices:
    """Return what there is in the judgments and the runs, and what can make scores of them misleading.

    `qrels` can be anything that `Gains` accepts, and `runs` anything that `Runs` accepts. The attribute
    `warnings` of the result has the notices without which scores can mislead. Raise `InputError` for
    arguments that cannot be read, such as a run that retrieves a document twice for a topic.

    Example: `check("qrels.txt", ["bm25.run"]).warnings`.
    """
    gains = Gains(qrels, negative=negative)
    ranking = rank(gains, runs)
    lists = ranking.lists
    return Notices(
        (
            _size_of_qrels(lists),
            *all_relevant(lists),
            *_sizes_of_runs(lists),
            *ranking.notices,
            *_shares(lists),
        )
    )


def all_relevant(lists: RankedLists) -> Iterator[Notice]:
    """Yield a notice about the topics in which all judged documents are relevant, if there are any."""
    judged = lists.topic[~np.isnan(lists.level)]
    number = np.bincount(judged, minlength=len(lists.topics))
    is_all_relevant = (number > 0) & (lists.recall(None) == number)
    yield from about_topics(
        "positives-only",
        "topics without a judged value of 0, so that all judged documents are relevant: {topics}; to count "
        "fewer as relevant, set rel=",
        [topic for topic, is_complete in zip(lists.topics, is_all_relevant, strict=True) if is_complete],
    )


def _size_of_qrels(lists: RankedLists) -> Notice:
    judged = len(lists.topic)
    text = Text(
        "{topics}, {documents}, {relevant} of them with a gain",
        topics=_topics(len(lists.topics)),
        documents=Text.plural("{number} judged document", "{number} judged documents", number=judged),
        relevant=np.count_nonzero(lists.gain > 0),
    )
    return Notice("qrels", text, count=judged, is_warning=False)


def _sizes_of_runs(lists: RankedLists) -> Iterator[Notice]:
    for run, length in zip(lists.runs, lists.length, strict=True):
        depths = length[length > 0].tolist() or [0]
        text = Text(
            "{topics}, {documents} a topic",
            topics=_topics(int(np.count_nonzero(length))),
            documents=_depth(depths),
        )
        yield Notice("run", text, run, count=int(length.sum()), is_warning=False)


def _depth(depths: list[int]) -> Text:
    least, most = min(depths), max(depths)
    if least < most:
        return Text("{least} to {most} documents", least=least, most=most)
    return Text.plural("{number} document", "{number} documents", number=most)


def _topics(number: int) -> Text:
    return Text.plural("{number} judged topic", "{number} judged topics", number=number)


def _shares(lists: RankedLists) -> Iterator[Notice]:
    tops, wholes = judged_shares(lists, TOP), judged_shares(lists, None)
    retrieved = np.bincount(lists.cell // max(1, len(lists.topics)), minlength=len(lists.runs)).tolist()
    for run, top, whole, found in zip(lists.runs, tops, wholes, retrieved, strict=True):
        if found:
            text = Text(
                "{top} % of the first {depth} documents are judged, and {whole} % of all; {found} of "
                "{judged} judged documents are retrieved",
                top=f"{top * 100:.0f}",
                whole=f"{whole * 100:.0f}",
                depth=TOP,
                found=found,
                judged=len(lists.topic),
            )
            yield Notice("judged-share", text, run, count=found, is_warning=bool(top < FEW_JUDGED))
