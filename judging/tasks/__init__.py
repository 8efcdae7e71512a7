"""The work of each kind of job, of a claimed job and its progress; `judging.jobs` lists it."""
