"""The settings that say what kind of numbers the judgments are."""

from typing import Final

from judging.protocol.scales import DEFAULT, SCALES, only_from_files
from judging.protocol.settings import groups
from judging.protocol.settings.setting import Kind, Setting
from judging.protocol.words import gettext_noop as _

SCALE: Final = (
    Setting(
        "scale",
        _("Scale"),
        "",
        Kind.CHOICE,
        default=DEFAULT,
        options=tuple(SCALES),
        offered=tuple(name for name in SCALES if name not in only_from_files()),
        extensible=True,
        option_help=tuple(scale.words.description for scale in SCALES.values()),
        later=True,
        by_arm=True,
        group=groups.PROTOCOL,
        more=" ".join(f'`"{name}"` needs `purpose = "analysis"`.' for name in only_from_files()),
    ),
    Setting(
        "labels",
        _("Labels of the grades"),
        _("The grades that workers choose from, from the lowest to the highest."),
        Kind.TEXTS,
        default=("not relevant", "marginally relevant", "relevant", "highly relevant"),
        least=2,
        most=7,
        longest=60,
        later=True,
        by_arm=True,
        group=groups.PROTOCOL,
        more="Only studies on the scale `grades` use them. Judgments have the number of the label, from 0.",
    ),
)
