"""Pay for workers: compute the amounts due, export them for the platform, and mark payments as paid."""
