"""Assessors of an institute: they judge in a browser beside the crowd, and count only where somebody asks."""

from judging.protocol.judges.judge_kind import JudgeKind

ASSESSOR = JudgeKind(
    name="assessor",
    singular="assessor",
    plural="assessors",
    note="assessors",
    source="assessors",
    in_studies=True,
    in_rehearsals=False,
    counts=False,
    is_paid=False,
    has_browser=True,
)
