"""The commands of the site, one per module."""
