"""The tables and figures of [T15]: Turpin, Scholer, Mizzaro & Maddalena, SIGIR 2015."""
