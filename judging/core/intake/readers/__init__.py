"""The file formats, one per module. Readers stream, keep ids as text, and give the line of every fault."""
