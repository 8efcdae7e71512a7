"""Preferences between two documents: worths by the model of Bradley, Terry and Davidson."""

from .davidson import PRIOR, Comparisons, Fit, fit
from .worths import TopicFit, places, topic_fits, worths

__all__ = ["PRIOR", "Comparisons", "Fit", "TopicFit", "fit", "places", "topic_fits", "worths"]
