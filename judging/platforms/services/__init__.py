"""Services that record what a platform says, and that pay workers through a platform."""
