"""The pages about payments."""
