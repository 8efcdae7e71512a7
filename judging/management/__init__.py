"""The management commands of the site, and the code that they share."""
