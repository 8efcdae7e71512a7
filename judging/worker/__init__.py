"""The worker's way: from the link that leads to a study to the completion code."""
