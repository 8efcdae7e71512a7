"""Reports, scores and figures of a study's judgments."""
