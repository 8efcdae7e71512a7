"""What crowd platforms do with paid workers: approve, reject and pay their work, and exchange messages.

`operations` has the interface, `services` and `selectors` have what all platforms share, and each platform
has a folder with its own client, operations and pages. The declarations stay in `judging.protocol.platforms`,
because the protocol is pure. A declaration names its platform's class of operations.
"""
