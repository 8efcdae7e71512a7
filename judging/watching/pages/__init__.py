"""How a study goes, and what can be done about it."""
