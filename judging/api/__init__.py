"""The API, which lets programs read studies and their data as JSON at `/api/v1/`."""
