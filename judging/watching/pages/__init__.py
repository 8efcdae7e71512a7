"""Pages about the progress and quality of a study, with actions on workers, units and topics."""
