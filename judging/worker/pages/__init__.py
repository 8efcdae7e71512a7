"""The workers' pages. Each form makes one service call."""
