"""The pages of the set-up."""
