"""Reports of a study: their data, their computation, and the tables that they store.

Web requests import only `catalogue`, `tables` and `words`. The other modules load scipy and matplotlib, and
are for jobs.
"""
