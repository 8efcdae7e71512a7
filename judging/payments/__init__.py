"""Pay for workers: the amounts due, the list for the platform, and marking payments as paid."""
