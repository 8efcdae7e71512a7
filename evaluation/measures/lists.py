"""Ranked lists as columns: the input of every measure.

Most documents that a run retrieves were never judged or have no gain, so they add nothing to any measure.
Lists are therefore not stored as matrices of ranks. Only the documents that affect a measure are stored, each
with its rank (see `Hits`).
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..showing import short_repr
from .adjustment import adjusted_gains
from .hits import Hits, Spots, places_in
from .schemes import gains_of

Cutoff = int | str
"""The last rank that counts, or `AT_R`."""
AT_R: Final = "R"
"""The cut-off of measures that count as many ranks as the topic has relevant documents."""
FLOORED_DEPTH = 10_000
"""The minimum number of ranks of an ideal list with unjudged documents.

With fewer ranks, the ideal list would depend on the length of the runs.
"""


class ScoreTies(NamedTuple):
    """The numbers of documents with better and with equal scores, for entries whose rank does not give them.

    An entry is a judged document that was retrieved. `entry` has the entry's index in `RankedLists`. `above`
    is the number of documents in the same list with a better score. `tied` is the number of documents in the
    list with the same score, including the entry itself. An entry is left out if its rank gives both numbers:
    if `above` is the rank minus one, and `tied` is one.
    """

    entry: IntArray
    above: IntArray
    tied: IntArray

    @classmethod
    def of(cls, rank: IntArray, above: IntArray, tied: IntArray) -> "ScoreTies":
        """Return the entries for which `above` is not the rank minus one, or `tied` is not one.

        The arrays have one number for each entry of the ranked lists.
        """
        entry = np.flatnonzero((tied != 1) | (above != rank - 1))
        return cls(entry, above[entry], tied[entry])


class SubtopicJudgments(NamedTuple):
    """The judgments of documents by subtopic, sorted by document and then by subtopic.

    `document` is an index among the judged documents. `subtopic` is a number, and different topics use
    different numbers. `value` is the judged value.
    """

    document: IntArray
    subtopic: IntArray
    value: FloatArray


@short_repr
@dataclass(frozen=True, eq=False)
class RankedLists:
    """Every run's list for every topic, and each topic's recall base: all judged documents of the topic.

    Lists: `length` (runs, topics) is L, the number of documents in each list. `cell`, `rank` and `document`
    have an entry for every judged document that was retrieved, list by list and rank by rank, as in `Spots`.
    `document` is the document's index among the judged documents. `score_ties` has the numbers of documents
    with better and with equal scores, for entries whose rank does not give these numbers.

    Judged documents, sorted by topic: `topic` is an index in `topics`, `gain` is the judged value, and
    `level` is the judged value that decides relevance. `level` is the same array as `gain`, unless there are
    separate judgments of relevance. In that case, a document without a gain has NaN in `gain`, and a document
    without a judgment of relevance has NaN in `level`.

    The other fields are optional. `code` has the negative code of each document, such as −1, or 0 if it has
    none. `subtopics` has the judgments by subtopic. Both come from the judgments that decide relevance.
    `floor` (topics,) has the gain of unjudged documents, if they have one: see `unjudged.with_floors`.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    length: IntArray
    cell: IntArray
    rank: IntArray
    document: IntArray
    score_ties: ScoreTies
    topic: IntArray
    gain: FloatArray
    level: FloatArray
    code: FloatArray | None = None
    subtopics: SubtopicJudgments | None = None
    floor: FloatArray | None = None
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Results that were computed before, keyed by their parameters."""
    _entries: dict[str, Any] = field(default_factory=dict, repr=False)
    """The documents that `_spots_of` chose last, and their spots. Lists with other gains share this cache."""

    def with_gains(self, gain: FloatArray) -> "RankedLists":
        """Return the same lists with other judged values for the same documents, in the same order.

        This is much faster than ranking the runs again. The new values also decide relevance, unless there
        are separate judgments of relevance.
        """
        level = gain if self.level is self.gain else self.level
        return replace(self, gain=gain, level=level, _known={}, _entries=self._entries)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of runs and topics."""
        return len(self.runs), len(self.topics)

    def levels(self) -> tuple[IntArray, IntArray]:
        """Return, for each entry, how many documents have a better score, and how many have the same score.

        Only documents in the entry's list count. The second number includes the entry itself.
        """
        above, tied = self.rank - 1, np.ones_like(self.rank)
        above[self.score_ties.entry], tied[self.score_ties.entry] = (
            self.score_ties.above,
            self.score_ties.tied,
        )
        return above, tied

    def levels_of(self, entries: IntArray) -> tuple[IntArray, IntArray]:
        """Return the same as `levels`, but only for the given `entries`, which must be in ascending order."""
        above, tied = self.rank[entries] - 1, np.ones_like(entries)
        place = np.minimum(np.searchsorted(entries, self.score_ties.entry), len(entries) - 1)
        is_given = entries[place] == self.score_ties.entry if len(entries) else np.zeros(0, dtype=np.bool_)
        above[place[is_given]] = self.score_ties.above[is_given]
        tied[place[is_given]] = self.score_ties.tied[is_given]
        return above, tied

    def hits(self, gain: str = "linear", rel: float | None = None) -> Hits:
        """Return the retrieved documents that have a gain under the scheme `gain`, or are relevant."""
        key = ("hits", gain, rel)
        if key not in self._known:
            worth, relevant = self.gains(gain), is_relevant(self.level, rel)
            spots = self._spots_of((worth > 0) | relevant)
            self._known[key] = Hits(spots, worth[spots.document], relevant[spots.document])
        hits: Hits = self._known[key]
        return hits

    def gains(self, gain: str = "linear") -> FloatArray:
        """Return the gain of each judged document under the scheme `gain` (documents,)."""
        if gain not in self._known:
            self._known[gain] = gains_of(gain, self.gain)
        gains: FloatArray = self._known[gain]
        return gains

    def adjusted(self, gain: str = "linear", rel: float | None = None) -> "RankedLists":
        """Return the same lists with adjusted gains, as for AGR.

        The gains to adjust are those of the judged values under the scheme `gain`. The adjusted gains replace
        the judged values, so a measure of these lists must use the scheme `"linear"`. Relevance does not
        change.
        """
        key = ("adjusted", gain, rel)
        if key not in self._known:
            relevant = is_relevant(self.level, rel)
            values = adjusted_gains(gain, self.gain, self.gains(gain), self.topic, relevant)
            self._known[key] = replace(self, gain=values, _known={})
        adjusted: RankedLists = self._known[key]
        return adjusted

    def ideal(self, gain: str = "linear") -> FloatArray:
        """Return the gains of each topic's recall base, largest first (topics, ranks).

        The number of ranks is the largest number of documents with a gain in any topic, and at least one.
        Shorter lists end with zeros.
        """
        key = ("ideal", gain)
        if key not in self._known:
            gains = self.gains(gain)
            worth = np.flatnonzero(gains)
            topic = self.topic[worth]
            place = places_in(topic)
            ideal = np.zeros((len(self.topics), int(place.max(initial=0)) + 1))
            ideal[topic, place] = gains[worth]
            ideal = np.sort(ideal, axis=-1)[:, ::-1]
            self._known[key] = ideal if self.floor is None else self._floored(ideal, gain)
        cached: FloatArray = self._known[key]
        return cached

    def _floored(self, ideal: FloatArray, gain: str) -> FloatArray:
        """Return the ideal lists, with unjudged documents in place of documents with gains below the floor.

        The floor is the gain that unjudged documents have in the topic. `ideal` and the result have the shape
        (topics, ranks).
        """
        depth = max(FLOORED_DEPTH, ideal.shape[-1], int(self.length.max(initial=0)))
        floored = np.zeros((len(ideal), depth))
        floored[:, : ideal.shape[-1]] = ideal
        return np.maximum(floored, gains_of(gain, np.asarray(self.floor))[:, None])

    def recall(self, rel: float | None) -> IntArray:
        """Return R, the number of relevant documents in each topic's recall base (topics,)."""
        key = ("recall", rel)
        if key not in self._known:
            topics = self.topic[is_relevant(self.level, rel)]
            self._known[key] = np.bincount(topics, minlength=len(self.topics)).astype(np.int64)
        recall: IntArray = self._known[key]
        return recall

    def cutoffs(self, cutoff: Cutoff | None, rel: float | None) -> IntArray:
        """Return k for each list (runs, topics): the cut-off or, if there is none, max(1, L, R).

        For the cut-off `"R"`, k is max(1, R).
        """
        if isinstance(cutoff, int):
            return np.full(self.shape, cutoff)
        length = np.zeros_like(self.length) if cutoff == AT_R else self.length
        return np.maximum(1, np.maximum(length, self.recall(rel)))

    def first(self, depth: IntArray) -> "RankedLists":
        """Return the same lists without the documents below rank `depth` (topics,) of each topic.

        Judgments do not change. Of tied documents, those that are ranked first stay.
        """
        within = self.rank <= depth[self.cell % len(self.topics)]
        entry, above, tied = self.score_ties
        stays = within[entry]
        entry, above, tied = entry[stays], above[stays], tied[stays]
        room = depth[self.cell[entry] % len(self.topics)] - above
        return replace(
            self,
            length=np.minimum(self.length, depth),
            cell=self.cell[within],
            rank=self.rank[within],
            document=self.document[within],
            score_ties=ScoreTies((np.cumsum(within) - 1)[entry], above, np.minimum(tied, room)),
            _known={},
            _entries={},
        )

    def _spots_of(self, chosen: BoolArray) -> Spots:
        """Return the spots of the judged documents for which `chosen` is true."""
        if "spots" not in self._entries or not np.array_equal(self._entries["chosen"], chosen):
            places = np.flatnonzero(chosen[self.document])
            self._entries["spots"] = Spots(
                self.shape, self.cell[places], self.rank[places], self.document[places]
            )
            self._entries["chosen"] = chosen
        spots: Spots = self._entries["spots"]
        return spots


def is_relevant(level: FloatArray, rel: float | None) -> BoolArray:
    """Return whether judged values are relevant: above 0 or, if `rel` is set, at least `rel`.

    Unjudged documents (NaN) are never relevant.
    """
    return level > 0 if rel is None else level >= rel


def at_rank(curve: FloatArray, cutoffs: IntArray) -> FloatArray:
    """Return the value of each curve (…, ranks) at its own cut-off (…). Curves stay flat after their end."""
    places = np.minimum(cutoffs, curve.shape[-1])[..., None] - 1
    return np.take_along_axis(curve, places, axis=-1)[..., 0]
