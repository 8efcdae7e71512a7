"""Reads for setting up."""
