"""Understanding the judgments: pages that read stored reports, and ask for them to be made."""
