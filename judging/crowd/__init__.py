"""Simulated workers who go through the real protocol.

A mind (`kinds`, `numbers`, `wording`, `mind`) makes the decisions of a worker. For a topic and the text of a
document, it returns a number, a reason, the seconds it took, and what the worker does next. Minds are pure:
they know nothing about Django, ids or anchors, so tests can also use them over HTTP. `worker` calls
the services with a mind's decisions, and `simulation` runs many workers at once on a virtual clock.

Everything depends on the seed: the same study, seed, workers and mix give the same data.
"""
