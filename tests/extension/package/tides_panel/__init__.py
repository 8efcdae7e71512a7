"""A panel that names its workers, with a setting, a check, a column, an export and a measure of its own."""
