"""Queries about payments that need a decision."""
