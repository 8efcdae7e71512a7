"""The site around the features: addresses, studies, jobs, health and metrics."""
