"""Every write of the site: one verb a function, keyword-only, one transaction, `now` and `rng` given.

**Who locks what.** A worker's action locks its participation, then its assignment, then a unit, always in
this order. Whoever lapses assignments of others locks these first and skips the locked ones: their worker is
acting at this moment. Whoever gets a unit at a network address locks that address after the assignment and
before the unit (`address_limit`). Units are taken with `skip_locked`. All locks are `no_key`: a new event
refers to a participation and a study, and must not wait for whoever holds these and waits for its assignment
in turn.
Rows are locked in an order of their own (`pk`): the usual one of a model joins, and would lock, others too.
A forced close locks the study, its participations, its open units, then the live assignments; planning and
copying units lock the topic. On SQLite row locks do nothing; there every transaction is immediate, so writers
come one at a time. Behind the locks stand partial unique constraints: one live assignment per worker, one
holder per unit, one open visit per assignment.
"""
