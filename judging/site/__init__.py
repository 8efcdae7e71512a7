"""The console's addresses, and the pages of studies, jobs, health and metrics."""
