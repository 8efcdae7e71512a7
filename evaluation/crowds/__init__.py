"""Simulate all judgments of a study as arrays, together with the true gain of each document.

Use these crowds to find out how well a method recovers the true gains. They need no website and no database.
`python manage.py simulate` uses the same crowds on a site, where workers follow the real protocol.

Crowds judge on every scale whose answers can be simulated, with the same truth and the same workers.
"""

from .answers import Perceived, answer_0_100, answer_grade, answer_preference
from .model import CAREFUL, CROWDS, GRADES, LEAST_SECONDS, POOR, TRIES, TYPICAL, Crowd
from .rounding import TASTES, favourite
from .simulated import SimulatedStudy, simulate_study
from .truth import Truth, draw_levels, draw_truth
from .workers import INVERTING, MORE_CARE, WAITING, Workers, draw_workers, inverted

__all__ = [
    "CAREFUL",
    "CROWDS",
    "GRADES",
    "INVERTING",
    "LEAST_SECONDS",
    "MORE_CARE",
    "POOR",
    "TASTES",
    "TRIES",
    "TYPICAL",
    "WAITING",
    "Crowd",
    "Perceived",
    "SimulatedStudy",
    "Truth",
    "Workers",
    "answer_0_100",
    "answer_grade",
    "answer_preference",
    "draw_levels",
    "draw_truth",
    "draw_workers",
    "favourite",
    "inverted",
    "simulate_study",
]
