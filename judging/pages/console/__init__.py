"""The researchers' pages: logging in, the studies, how one of them goes, and its data to take home."""
