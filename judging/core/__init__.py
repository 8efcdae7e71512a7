"""What every feature needs, and nothing that only one of them does."""
