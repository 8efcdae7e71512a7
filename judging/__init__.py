"""The site: studies, their workers and the people who run them."""
