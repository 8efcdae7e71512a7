"""Jobs that watch studies: notices, webhooks, worker statistics."""
