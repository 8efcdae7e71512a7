"""Readers of the file formats, with one module per format.

Readers read files as streams, keep ids as text, and give the line of every fault.
"""
