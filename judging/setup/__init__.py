"""The set-up of a study in the console, and the import of study files."""
