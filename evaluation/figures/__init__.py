"""Figures for the analyses, ready for print. Each function draws a table as a `Figure`.

The figures need matplotlib: `pip install 'plumbline-ir[figures]'`. The rest of the library imports this
package only when it draws a figure.
"""

try:
    from .agreement import pair_agreement
    from .boxes import NMRH, box_plots, gain_profiles
    from .figure import Figure
    from .gain_curves import gain_curves
    from .histogram import ratio_histogram
    from .means import mean_intervals
    from .ranks import rank_changes
    from .ratios import grade_ratios, ratio_boxes
    from .reliability import stability_curves, swap_rate_curves
    from .scatter import system_scatter
    from .style import WIDTHS, Width
    from .taus import tau_distributions
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "matplotlib":
        raise
    message = "figures need matplotlib: run pip install 'plumbline-ir[figures]'"
    raise ModuleNotFoundError(message, name=missing.name) from missing

__all__ = [
    "NMRH",
    "WIDTHS",
    "Figure",
    "Width",
    "box_plots",
    "gain_curves",
    "gain_profiles",
    "grade_ratios",
    "mean_intervals",
    "pair_agreement",
    "rank_changes",
    "ratio_boxes",
    "ratio_histogram",
    "stability_curves",
    "swap_rate_curves",
    "system_scatter",
    "tau_distributions",
]
