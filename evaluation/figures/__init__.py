"""Figures for the analyses, ready for print. Each function draws a table as a `Figure`.

The figures need matplotlib: `pip install '.[figures]'`. The rest of the library imports this package only
when it draws a figure.
"""

try:
    from evaluation.figures.boxes import NMRH, box_plots, gain_profiles
    from evaluation.figures.figure import Figure
    from evaluation.figures.gain_curves import gain_curves
    from evaluation.figures.histogram import ratio_histogram
    from evaluation.figures.means import mean_intervals
    from evaluation.figures.ranks import rank_changes
    from evaluation.figures.ratios import grade_ratios
    from evaluation.figures.reliability import stability_curves, swap_rate_curves
    from evaluation.figures.scatter import system_scatter
    from evaluation.figures.style import WIDTHS, Width
    from evaluation.figures.taus import tau_distributions
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "matplotlib":
        raise
    message = "figures need matplotlib: in a checkout, run pip install '.[figures]'"
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
    "rank_changes",
    "ratio_histogram",
    "stability_curves",
    "swap_rate_curves",
    "system_scatter",
    "tau_distributions",
]
