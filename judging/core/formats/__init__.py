"""Tables as files: their layouts, manifests and checksums."""
