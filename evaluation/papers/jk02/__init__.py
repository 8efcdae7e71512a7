"""The tables and figures of [JK02]: Järvelin & Kekäläinen, TOIS 2002."""
