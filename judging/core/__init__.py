"""Code that several features need. Each feature also has a package with its own code."""
