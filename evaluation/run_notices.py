"""Notices about a run beside judgments: topics and documents that are in one alone, and a doubtful order."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
import polars as pl

from .arrays import BoolArray, IntArray
from .errors import shown
from .notices import Notice, about_topics
from .text import Text

SPELLINGS: Final[dict[str, Callable[[str], str]]] = {
    "upper and lower case differ": str.casefold,
    "one of them has white space at its ends": str.strip,
    "one of them has zeros at its beginning": lambda name: name.lstrip("0"),
    "one of them has a prefix": lambda name: re.split(r"[:/_#\s-]", name)[-1],
    "one of them has a suffix": lambda name: re.split(r"[.#]", name)[0],
    "one of them has an ending of letters or punctuation": lambda name: re.sub(r"\W+", "", name),
}
"""How ids of the same thing can be spelt in two ways, each with what makes them alike."""


def notices_of_topics(
    run: str, topics: Sequence[str], answered: BoolArray, without_judgments: pl.Series
) -> Iterator[Notice]:
    """Yield notices about topics that are only in the judgments, or only in the run.

    `topics` are the judged topics, and `answered` says which of them the run answers. `without_judgments` are
    the topics of the run's rows that have no judgments, in the order of the run.
    """
    if len(without_judgments) and not answered.any():
        cause = cause_of_mismatch(without_judgments, pl.Series(topics))
        text = Text("no topic of the run is judged: {cause}", cause=cause)
        names = tuple(without_judgments.unique().sort())
        yield Notice("no-topic-judged", text, run, names=names, count=len(names))
        return
    yield from about_topics(
        "topics-not-judged",
        "topics without judgments, which scores leave out: {topics}",
        tuple(without_judgments.unique().sort()),
        run=run,
    )
    yield from about_topics(
        "topics-not-answered",
        "judged topics without a list: {topics}",
        tuple(np.array(topics, dtype=object)[~answered]),
        run=run,
    )


def notice_of_no_document(run: str, retrieved: pl.Series, judged: pl.Series) -> Notice:
    """Return the notice for a run that retrieves documents for judged topics, but no judged document."""
    cause = cause_of_mismatch(retrieved, judged)
    text = Text("no retrieved document is judged: {cause}", cause=cause)
    return Notice("no-document-judged", text, run, count=len(retrieved))


def notice_of_close_scores(run: str, topics: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice about the topics in which different scores of a run are equal in 32 bits."""
    yield from about_topics(
        "close-scores",
        "topics with different scores that are equal in 32 bits, so that trec_eval 9 can rank documents "
        "differently: {topics}",
        topics,
        run=run,
    )


def notices_of_order(
    run: str, topics: Sequence[str], topic: IntArray, above: IntArray, tied: IntArray, given: IntArray | None
) -> Iterator[Notice]:
    """Yield notices about topics in which the order of judged documents is doubtful.

    The arrays describe the judged documents, sorted by topic and rank (documents,): the index of the topic,
    how many documents of the list have a larger score, how many have the same score, and the rank that the
    run gives.
    """
    yield from about_topics(
        "tied-scores",
        "topics with judged documents whose score another document has too, so that ids decide their order: "
        "{topics}",
        [topics[place] for place in np.unique(topic[tied > 1])],
        run=run,
    )
    if given is not None:
        is_against = (topic[1:] == topic[:-1]) & (above[1:] > above[:-1]) & (given[1:] < given[:-1])
        yield from about_topics(
            "ranks-against-scores",
            "topics in which a judged document with a later rank has a higher score, which decides: {topics}",
            [topics[place] for place in np.unique(topic[1:][is_against])],
            run=run,
        )


def cause_of_mismatch(run_ids: pl.Series, qrels_ids: pl.Series) -> str:
    """Return the likeliest reason why no id of a run is an id of the qrels, with an example of each."""
    ours, theirs = (list(dict.fromkeys(ids.to_list())) for ids in (run_ids, qrels_ids))
    for reason, alike in SPELLINGS.items():
        known = {alike(name): name for name in reversed(theirs) if alike(name)}
        if found := next((name for name in ours if alike(name) in known), None):
            return f"{reason} ({shown(found)} in the run, {shown(known[alike(found)])} in the qrels)"
    if not ours or not theirs:
        return "one of them is empty"
    return (
        f"the ids look like those of another collection ({shown(ours[0])} in the run, "
        f"{shown(theirs[0])} in the qrels)"
    )
