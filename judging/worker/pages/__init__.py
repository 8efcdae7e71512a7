"""The worker's way in a browser: thin pages around one service call each."""
