"""The tables and figures of [S04]: Sakai, AIRS 2005."""
