"""What researchers do about a study that people judge."""
