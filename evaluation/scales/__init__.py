"""The scales of judgments, each declared in its own file.

To add a scale, add a module to this package and define `SCALE` in the module. `Judgments`, the command line,
`normalise`, `gains`, Krippendorff's α and the report use these declarations. The modules import no large
package, because `--help` shows the scales.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Final, Protocol

from evaluation.options import Options
from evaluation.scales.base import Scale


def _declared_scales() -> list[Scale]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    scales = [module.SCALE for module in modules if hasattr(module, "SCALE")]
    return sorted(scales, key=lambda scale: scale.name)


SCALES: Final[dict[str, Scale]] = {scale.name: scale for scale in _declared_scales()}
"""Maps the name of each scale to the scale, sorted by name."""
DEFAULT: Final = "magnitude"
"""The name of the scale of judgments that do not say theirs."""
ScaleName = Annotated[str, Options(tuple(SCALES))]
"""The name of a scale, as a parameter whose values `checked` checks."""


class Scaled(Protocol):
    """Anything that names its scale, such as `Judgments`."""

    @property
    def scale(self) -> str:
        """The name of the scale."""


def scale_of(judgments: Scaled) -> Scale:
    """Return the scale of judgments."""
    return SCALES[judgments.scale]


def default_methods() -> str:
    """Return the default method of `normalise` for each scale, as a help text says it."""
    return ", ".join(f"{scale.normalisations[0]} for {scale.numbers}" for scale in SCALES.values())
