"""The pages and addresses around the features: studies, jobs, health and metrics."""
