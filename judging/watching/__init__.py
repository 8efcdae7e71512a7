"""Watching a study while people judge, and acting on what fails."""
