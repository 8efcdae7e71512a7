"""Jobs that compute reports and scores."""
