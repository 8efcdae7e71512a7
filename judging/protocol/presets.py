"""The presets of a study: named sets of values for the settings that a study does not set itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from judging.protocol.words import gettext_noop as _


@dataclass(frozen=True)
class Preset:
    """A preset. `values` maps the keys of settings to their values; all others keep their usual defaults.

    `rules` is a noun phrase that reports use, in English. `description` is a text for the form.
    """

    name: str
    rules: str
    description: str
    values: Mapping[str, Any] = field(default_factory=dict)


DEFAULT: Final = "plumbline"
_ALL: Final = (
    Preset(DEFAULT, "Plumbline’s defaults", _("plumbline: the default values of Plumbline.")),
    Preset(
        "turpin2015",
        "the rules of Turpin et al. (SIGIR 2015)",
        _(
            "turpin2015: the rules of Turpin et al. (SIGIR 2015), without Plumbline’s additions. Workers can"
            " try as often as they want, equal numbers for H and N pass, and no page names the time check."
        ),
        {
            "scale": "magnitude",
            "unit_size": 8,
            "anchor_pairs": 1,
            "judgments_per_document": 10,
            "max_units_per_worker": None,
            "show_previous": "none",
            "numbers": "any",
            "topic_choice": "uniform",
            "allocation": "fixed",
            "seconds_per_document": 20.0,
            "seconds_announced": "no",
            "early_next": "silent",
            "failure_message": "paper",
            "evidence": "none",
            "anchor_ties": "pass",
            "check_attempts": None,
            "record_check": "off",
            "practice_attempts": None,
            "comprehension_attempts": None,
        },
    ),
)
PRESETS: Final = {preset.name: preset for preset in _ALL}
"""Maps the name of each preset to the preset. The first is the default."""
