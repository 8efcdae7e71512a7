"""Data out as a whole: exports, bundles of a study, backups of the site."""
