"""Queries about people and their actions."""
