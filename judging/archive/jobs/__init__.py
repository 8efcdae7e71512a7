"""Writing an export behind the page."""
