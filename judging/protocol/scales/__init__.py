"""The scales of judgments, each declared in its own file.

To add a scale, add a module to this package, or announce a `Scale` of a package of your own by an entry point
in the group `plumbline.scales`. The setting `scale`, the workers' pages, the checks, the readers of files,
and the console's charts and tables use these declarations. `evaluation.scales` declares what the library must
know.
"""

from typing import Final, Protocol

from judging.protocol.declared import by_name, declared, installed
from judging.protocol.scales.scale import Judging, Scale
from judging.protocol.scales.scale import Settings as SettingsOfAnswers

SCALES: Final[dict[str, Scale]] = by_name(
    [*declared(__name__, __path__, Scale), *installed("scales", Scale)],
    lambda scale: scale.name,
)
"""Maps the name of each scale to the scale, sorted by name."""
DEFAULT: Final = "magnitude"
"""The name of the scale of studies that do not set one."""


class Settings(Protocol):
    """The setting that names the scale of a study."""

    @property
    def scale(self) -> str:
        """The name of the scale."""


class AnswerSettings(Settings, SettingsOfAnswers, Protocol):
    """The scale of a study, and the settings that say which answers are valid."""


def scale_of(study: Settings) -> Scale:
    """Return the scale of a study."""
    return SCALES[study.scale]


def judging_on(name: str) -> Judging:
    """Return how workers judge on a scale. Raise ValueError if its judgments can come only from a file."""
    if (judging := SCALES[name].judging) is None:
        raise ValueError(f"workers cannot judge on the scale {name}")
    return judging


def judging_of(study: Settings) -> Judging:
    """Return how workers judge in a study. Raise ValueError as `judging_on` does."""
    return judging_on(study.scale)


def is_used(key: str, name: str) -> bool:
    """Return whether a setting has an effect in studies on a scale.

    If scales name the setting among theirs, it has an effect only on these scales.
    """
    naming = [
        scale.name
        for scale in SCALES.values()
        if scale.judging and key in (*scale.judging.instructions, *scale.judging.settings)
    ]
    return not naming or name in naming


def compares_pairs(study: Settings) -> bool:
    """Return whether each judgment of a study compares two documents."""
    judging = scale_of(study).judging
    return judging is not None and judging.compares_pairs


def with_pairs() -> list[str]:
    """Return the names of the scales whose judgments compare two documents."""
    return [scale.name for scale in SCALES.values() if scale.judging and scale.judging.compares_pairs]


def with_ratios() -> list[str]:
    """Return the names of the scales whose ratios have a meaning."""
    return [scale.name for scale in SCALES.values() if scale.has_ratios]


def with_practice() -> list[str]:
    """Return the names of the scales that a practice task teaches."""
    return [scale.name for scale in SCALES.values() if scale.judging and scale.judging.practice]


def only_from_files() -> list[str]:
    """Return the names of the scales on which workers cannot judge."""
    return [scale.name for scale in SCALES.values() if scale.judging is None]
