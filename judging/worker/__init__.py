"""What workers do, from the link to a study to the completion code."""
