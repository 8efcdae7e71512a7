"""Requests, stores and deletes reports."""
