"""The tables and figures of [K05]: Kekäläinen, IP&M 2005."""
