"""Reading a study: its file, and everything the file points to."""
