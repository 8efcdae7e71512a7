"""The pages of payments."""
