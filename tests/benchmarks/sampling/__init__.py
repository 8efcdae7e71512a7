"""Measure what a sample with known chances saves, whether its intervals hold, and what its peers do."""
