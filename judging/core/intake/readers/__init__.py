"""One file format a module. Readers stream, keep ids as text, and name file and line of every fault."""
