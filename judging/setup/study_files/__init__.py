"""Study files: upload, import, update and write."""
