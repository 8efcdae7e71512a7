"""Reports of a study: what each is made of, how it is made, and the tables it is kept in.

A web request imports `catalogue` and `tables` alone; the rest, which brings scipy and matplotlib along, is
for jobs.
"""
