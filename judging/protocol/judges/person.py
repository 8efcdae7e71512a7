"""People: they give consent, judge in a browser, and are paid."""

from typing import Final

from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.words import gettext_noop as _

KIND: Final = JudgeKind(
    name="person",
    singular=_("person"),
    plural=_("people"),
    in_studies=True,
    in_rehearsals=False,
    counts=True,
    is_paid=True,
    has_browser=True,
)
