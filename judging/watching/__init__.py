"""Watching a study in progress, and acting on its workers, units and topics."""
