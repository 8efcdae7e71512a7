"""What a kind of judge decides: which studies it judges in, whether it is paid, whether its numbers count."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class JudgeKind:
    """A kind of judge. A participation has exactly one kind, and so has a unit.

    - `name` is the value that the site stores.
    - `singular` and `plural` are the words for pages. `note` marks headings, and `source` completes “The
      judgments come from …”. Both are empty for people, because a study is judged by people unless a page
      says otherwise.
    - `in_studies` and `in_rehearsals` say where the kind can judge: in real studies, in rehearsals (studies
      that are marked as simulated), or in both.
    - `counts` says whether a study's numbers include this kind unasked, where the kind can judge.
    - `is_paid` says whether somebody gets the money. Units of other kinds cost nothing, except in a
      rehearsal, whose sums show what people would get.
    - `has_browser` says whether the judge opens pages: only then do the platform's ids, personal links,
      cookies and the limits for a network address apply.
    - `is_timed` says whether the judge reads with eyes, so that the time on a page shows whether the page was
      read. Checks and warnings about this time apply only to such judges.
    - `has_behaviour` says whether each judge behaves in a stated way, such as `careful` or `spammer`.
    """

    name: str
    singular: str
    plural: str
    note: str = ""
    source: str = ""
    in_studies: bool
    in_rehearsals: bool
    counts: bool
    is_paid: bool
    has_browser: bool
    is_timed: bool = True
    has_behaviour: bool = False

    def can_judge(self, *, rehearsal: bool) -> bool:
        """Return whether the kind can judge in a rehearsal, or else in a real study."""
        return self.in_rehearsals if rehearsal else self.in_studies
