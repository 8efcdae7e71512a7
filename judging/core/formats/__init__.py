"""Tables as files: formats, manifests and checksums."""
