"""Jobs that watch: notices, webhooks, worker statistics."""
