"""Setting a study up in the console: its forms, its files, and reading them whole."""
