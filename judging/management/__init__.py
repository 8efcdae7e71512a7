"""The commands of the site, and what they share."""
