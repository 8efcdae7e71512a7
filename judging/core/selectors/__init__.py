"""Queries that several features need."""
