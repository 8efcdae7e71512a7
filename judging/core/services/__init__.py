"""The services that write to the database. Each function performs one action in one transaction.

Services take keyword arguments only, among them the time (`now`) and the random generator (`rng`).

**Locks.** A worker's action locks its participation, then its assignment, then a unit, always in this order.
The clean-up of expired assignments locks these assignments first and skips locked ones, because their workers
are using them at that moment. A reservation from a network address locks the address after the assignment and
before the unit (`address_limit`), and uses `skip_locked` to find a free unit. All locks are `no_key`: a new
event refers to a participation and a study. It must not wait for a transaction that locks them and that waits
for the event's assignment itself.
Rows are locked in the order of their `pk`: the default order of a model joins other tables and would lock
their rows too. A forced close locks the study, its participations, its open units, then the live assignments.
Planning and copying units lock the topic. On SQLite row locks have no effect; all transactions there are
immediate, so only one can write at a time. Partial unique constraints back up the locks: one live assignment
per worker, one holder per unit, one open visit per assignment.
"""
