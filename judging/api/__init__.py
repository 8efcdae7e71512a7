"""The API: read access for programs to studies and their data, as JSON at `/api/v1/`."""
