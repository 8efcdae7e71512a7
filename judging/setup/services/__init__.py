"""Writes of setting up."""
