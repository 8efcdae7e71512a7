"""Services that act on what a platform says, and that pay through a platform."""
