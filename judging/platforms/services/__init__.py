"""Services that process messages from a platform, and that pay workers through a platform."""
