"""Amazon Mechanical Turk: its operations, and what a HIT needs."""
