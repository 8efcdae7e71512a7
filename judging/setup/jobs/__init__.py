"""Jobs of setting up."""
