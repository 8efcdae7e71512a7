"""The scales of judgments, each declared in its own file.

To add a scale, add a module to this package and define `SCALE` in the module. The setting `scale`, the
constraints of the model `Study`, the workers' pages, the checks, the readers of files, and the console's
charts and tables use these declarations. `evaluation.scales` declares what the library must know.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final, Protocol

from judging.protocol.scales.base import Judging, Scale


def _declared_scales() -> list[Scale]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    scales = [module.SCALE for module in modules if hasattr(module, "SCALE")]
    return sorted(scales, key=lambda scale: scale.name)


SCALES: Final[dict[str, Scale]] = {scale.name: scale for scale in _declared_scales()}
"""Maps the name of each scale to the scale, sorted by name."""
DEFAULT: Final = "magnitude"
"""The name of the scale of studies that do not set one."""


class Settings(Protocol):
    """The setting that names the scale of a study."""

    @property
    def scale(self) -> str:
        """The name of the scale."""


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


def with_ratios() -> list[str]:
    """Return the names of the scales whose ratios have a meaning."""
    return [scale.name for scale in SCALES.values() if scale.has_ratios]


def with_practice() -> list[str]:
    """Return the names of the scales that a practice task teaches."""
    return [scale.name for scale in SCALES.values() if scale.judging and scale.judging.practice]


def only_from_files() -> list[str]:
    """Return the names of the scales on which workers cannot judge."""
    return [scale.name for scale in SCALES.values() if scale.judging is None]
