"""The researchers' pages: who may come in, what studies there are, how one goes, and its data to take home."""
