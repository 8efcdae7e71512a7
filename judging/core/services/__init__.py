"""The services that write to the database. Each function performs one action in one transaction.

Services take the time (`now`) and the random generator (`rng`) as keyword arguments. They never read the
clock or create a generator themselves.

**Order of locks**

- A worker's action locks the participation, then the assignment, then a unit.
- A reservation or reinstatement also locks the network address (`address_limit`) and then, in a study with a
  spending limit, the spending of the study (`paying`), before it locks the unit. A reservation finds a free
  unit with `skip_locked`.
- The clean-up locks an expired assignment without its participation, then the unit. It skips assignments that
  are already locked, because their workers are using them at that moment.
- A forced close locks the study, then its participations, its open units and its live assignments.
- Planning or copying units locks the topic.
- A machine judge locks the study, or its first arm, while it counts a request, and nothing else.
- Several rows of one table are locked in the order of their `pk`. A model's default order can join other
  tables, whose rows would then be locked too.

**Kinds of locks.** All row locks are `no_key`. So a transaction that inserts a row does not wait for locks on
rows that the new row refers to. With stronger locks, two transactions could wait for each other. For example,
one transaction has locked an assignment and inserts an event, so it must also lock the participation and the
study. The other transaction has locked the participation or the study, and waits for the assignment. SQLite
has no row locks, but its transactions are immediate, so only one of them can write at a time.

**Constraints.** Partial unique constraints also enforce three rules. A worker has at most one live
assignment. A unit is held by at most one assignment. An assignment has at most one open visit.
"""
