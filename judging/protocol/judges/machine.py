"""Machine judges, such as language models: they judge beside people, in units of their own.

Their numbers are compared with those of people, so they count only where somebody asks for them.
"""

from typing import Final

from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.words import gettext_noop as _

KIND: Final = JudgeKind(
    name="machine",
    singular=_("machine judge"),
    plural=_("machine judges"),
    note=_("machine judges"),
    source=_("machine judges"),
    in_studies=True,
    in_rehearsals=True,
    counts=False,
    is_paid=False,
    has_browser=False,
    is_timed=False,
)
