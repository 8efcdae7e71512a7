"""Understanding the judgments: reports, scores and figures."""
