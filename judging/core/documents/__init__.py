"""How documents are shown: their source is kept as given, and pages show only what `allowed` lists."""
