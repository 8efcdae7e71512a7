"""The scales of judgments, each declared in its own file.

To add a scale, add a module to this package and define `SCALE` in the module, or announce the `Scale` of a
package of your own by an entry point in the group `plumbline.scales.library`. `Judgments`, the command line,
`normalise`, `gains`, Krippendorff's α and the report use these declarations. The modules import no large
package, because `--help` shows the scales.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Annotated, Final, Protocol

from ..options import Options
from .scale import Scale


def _declared_scales() -> list[Scale]:
    """Return the scales that are declared in this package."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    scales = [module.SCALE for module in modules if hasattr(module, "SCALE")]
    return sorted(scales, key=lambda scale: scale.name)


SCALES: Final[dict[str, Scale]] = {scale.name: scale for scale in _declared_scales()}
"""Maps the name of each scale to the scale: those of this package, and all after `load_installed`."""
DEFAULT: Final = "magnitude"
"""The name of the scale of judgments that do not say theirs."""


@cache
def load_installed() -> None:
    """Add the scales that installed packages announce in the entry point group `plumbline.scales.library`.

    Looking for them takes some milliseconds, so nothing does it before a name is unknown or all are shown.
    """
    for point in sorted(entry_points(group="plumbline.scales.library"), key=lambda point: point.value):
        scale: Scale = point.load()
        if scale.name in SCALES:
            raise ValueError(f"the scale {scale.name!r} is declared twice; rename it in your package")
        SCALES[scale.name] = scale


ScaleName = Annotated[str, Options(SCALES, load_installed)]
"""The name of a scale, as a parameter whose values `checked` checks."""


class Scaled(Protocol):
    """Anything that names its scale, such as `Judgments`."""

    @property
    def scale(self) -> str:
        """The name of the scale."""


def scale_named(name: str) -> Scale:
    """Return the scale of this name. Raise KeyError if there is none."""
    if name not in SCALES:
        load_installed()
    return SCALES[name]


def scale_of(judgments: Scaled) -> Scale:
    """Return the scale of judgments."""
    return scale_named(judgments.scale)


def scale_names() -> tuple[str, ...]:
    """Return the names of all scales, as a help text shows them."""
    load_installed()
    return tuple(SCALES)


def default_statistics() -> str:
    """Return the default statistic of `gains` for each scale, as a help text says it."""
    load_installed()
    return ", ".join(f"{scale.statistics[0]} for {scale.numbers}" for scale in SCALES.values())


def default_methods() -> str:
    """Return the default method of `normalise` for each scale, as a help text says it."""
    load_installed()
    return ", ".join(f"{scale.normalisations[0]} for {scale.numbers}" for scale in SCALES.values())
