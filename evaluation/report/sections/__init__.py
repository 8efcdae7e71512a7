"""The sections of a report: what each part is called, how to read it, and what it needs."""
