"""Simulated workers who go through the real protocol.

A mind (`kinds`, `numbers`, `wording`, `mind`) makes the decisions of a worker. For a topic and the text of a
document, the mind returns a number, a reason and the seconds that the worker needs. It also decides what the
worker does next. Minds are pure: they know nothing about Django, ids or anchors, so tests can also use them
to judge over HTTP. `worker` calls the services with a mind's decisions, and `simulation` runs many workers at
once on a virtual clock.

Everything is reproducible: the same study, seed, number of workers and mix give the same data.
"""
