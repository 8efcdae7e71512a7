"""How much the site bears: crowds on many connections at once, against processes that `serve` has started.

python -m tests.load throughput --database postgresql --clients 32
"""
