"""Exports and bundles of a study, and backups of the site."""
