"""Services of the set-up."""
