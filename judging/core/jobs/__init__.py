"""From a claimed job to its end."""
