"""Services that mark payments as paid."""
