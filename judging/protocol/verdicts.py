"""The verdicts that researchers can give on disagreements of the crowd with a known grade, as in [T15]."""

from judging.protocol.words import WordedEnum
from judging.protocol.words import gettext_noop as _


class Verdict(WordedEnum):
    """Who is wrong. The library declares the same verdicts, in `evaluation.verdicts`."""

    CROWD_WRONG = "crowd_wrong", _("crowd wrong")
    EXPERT_WRONG = "expert_wrong", _("expert wrong")
    TOPIC_UNCLEAR = "topic_unclear", _("topic unclear")
