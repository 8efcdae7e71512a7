"""A simulated crowd: made-up workers who go through the real protocol.

A worker is a *mind* and a *way*. The mind (`kinds`, `numbers`, `wording`, `mind`) is pure: shown a topic and
a document's text, it gives a number, a reason, the seconds it took and what the worker decides to do next. It
knows neither Django nor ids nor anchors, so the same minds can fill the served pages over HTTP. The way
(`way`) takes a mind through the services; `simulation` lets many overlap on a virtual clock.

Everything follows from the seed: the same study, seed, workers and mix give the same rows.
"""
