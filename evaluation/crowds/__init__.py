"""Simulated crowds as arrays: the judgments of a whole study, with the true gain of each document.

Use these crowds to find out how well a method recovers what is true. No web site, database or clock takes
part. `python manage.py simulate` uses the same crowds, but goes through the pages as workers do.
"""

from evaluation.crowds.model import CAREFUL, CROWDS, POOR, TYPICAL, Crowd
from evaluation.crowds.simulated import SimulatedStudy, simulate_study
from evaluation.crowds.truth import Truth, draw_truth

__all__ = [
    "CAREFUL",
    "CROWDS",
    "POOR",
    "TYPICAL",
    "Crowd",
    "SimulatedStudy",
    "Truth",
    "draw_truth",
    "simulate_study",
]
