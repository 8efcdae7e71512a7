"""The set-up of a site: settings, command line, packages, and the files for servers and containers."""
