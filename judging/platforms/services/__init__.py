"""Services that act on messages from a platform, and that pay through a platform."""
