"""Simulated workers: they follow the rules for people, to try out a study before anybody is paid.

They judge only in rehearsals. Nobody could tell their numbers from those of people by looking at them, so
they never judge beside people.
"""

from typing import Final

from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.words import gettext_noop as _

KIND: Final = JudgeKind(
    name="simulated",
    singular=_("simulated worker"),
    plural=_("simulated workers"),
    note=_("simulated crowd"),
    source=_("a simulated crowd"),
    in_studies=False,
    in_rehearsals=True,
    counts=True,
    is_paid=False,
    has_browser=False,
    has_behaviour=True,
)
