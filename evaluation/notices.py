"""Notices about scores: what the scores leave out, and what can mislead."""

from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from .showing import short_repr

Notice = TypeVar("Notice")


def _own(notices: dict[str, Notice], measure: str) -> dict[str, Notice]:
    """Return the notice about a measure alone."""
    return {measure: notices[measure]} if measure in notices else {}


@short_repr
@dataclass(frozen=True)
class Notices:
    """For each run or measure, the topics that the scores leave out or that need attention."""

    ignored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run, its topics without judgments."""
    unanswered: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run, the judged topics for which the run has no list."""
    empty: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure, the topics without a relevant document or without gain."""
    all_relevant: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure that counts relevant documents, the topics in which no judged value is 0."""
    several_subtopics: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure that ignores subtopics, the topics with documents judged for several subtopics."""
    close: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run ranked by score, the topics in which different scores are equal in 32 bits."""
    unmatched: tuple[str, ...] = ()
    """The runs that retrieve no judged document, although they retrieve documents for judged topics."""

    few_judged: dict[str, float] = field(default_factory=dict)
    """For each measure, the share of judged documents down to its cut-off, if this share is low."""
    sized: dict[str, str] = field(default_factory=dict)
    """For each form of ERR that is made for grades but used for other gains, the form to use instead."""

    def of(self, measure: str | None) -> "Notices":
        """Return the notices about a measure or, for None, those that are not about a measure."""
        if measure is None:
            return replace(self, empty={}, all_relevant={}, several_subtopics={}, few_judged={}, sized={})
        return Notices(
            empty=_own(self.empty, measure),
            all_relevant=_own(self.all_relevant, measure),
            several_subtopics=_own(self.several_subtopics, measure),
            few_judged=_own(self.few_judged, measure),
            sized=_own(self.sized, measure),
        )

    def cautions(self) -> list[str]:
        """Return the notices without which the scores can mislead, one sentence for each.

        They belong right beside the scores.
        """
        return [
            *(
                f"{measure}: only {share:.0%} of the documents down to the cut-off are judged, and all "
                "others count as not relevant; compare runs with care"
                for measure, share in self.few_judged.items()
            ),
            *(
                f"{measure}: this form of ERR is made for grades, so that gains a few units below the "
                f"largest hardly count; for magnitudes, use {better}"
                for measure, better in self.sized.items()
            ),
        ]

    def sentences(self) -> list[str]:
        """Return one sentence for each notice, the cautions first."""
        return [
            *self.cautions(),
            *(
                f"run {run}: topics ignored because they have no judgments: {_some(names)}"
                for run, names in self.ignored.items()
            ),
            *(f"run {run}: topics without a list: {_some(names)}" for run, names in self.unanswered.items()),
            *(
                f"run {run}: no retrieved document has a judgment; check that the run and the qrels spell "
                "document ids in the same way"
                for run in self.unmatched
            ),
            *(
                f"run {run}: topics with different scores that are equal in 32 bits, so that trec_eval 9 "
                f"can rank documents differently: {_some(names)}"
                for run, names in self.close.items()
            ),
            *(
                f"{measure}: no value for topics with too few relevant documents or no gain: {_some(names)}"
                for measure, names in self.empty.items()
            ),
            *(
                f"{measure}: topics without a judged value of 0, so that all judged documents are relevant: "
                f"{_some(names)}; to count fewer as relevant, set rel="
                for measure, names in self.all_relevant.items()
            ),
            *(
                f"{measure}: topics with documents judged for several subtopics, whose largest gain counts: "
                f"{_some(names)}"
                for measure, names in self.several_subtopics.items()
            ),
        ]


def _some(topics: tuple[str, ...], limit: int = 5) -> str:
    named = ", ".join(topics[:limit]) + (", …" if len(topics) > limit else "")
    return f"{len(topics)} ({named})"


NO_NOTICES: Final = Notices()
