"""Simulated workers who go through the real protocol.

`evaluation.crowds` draws the traits of each worker and the level of each document. A mind makes the decisions
of a worker (modules `mind`, `kinds` and `wording`). For a topic and a document, the mind returns a number, a
reason and the seconds that the worker needs. It also decides what the worker does next. Minds know nothing
about Django or database ids, so tests can also use them to judge over HTTP. The module `worker` calls the
services with a mind's decisions. The module `simulation` runs many workers at once on a virtual clock.

The same study, seed, number of workers and crowd always give the same data.
"""
