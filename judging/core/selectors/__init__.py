"""Reads that several features need."""
