"""The API: studies and their data to read by program, as JSON below `/api/v1/`."""
