"""Import of judgments that were collected elsewhere."""
