"""Jobs of the set-up."""
