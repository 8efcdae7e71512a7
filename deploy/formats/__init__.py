"""How dates are written in prose, where a language's own habit is not plain enough."""
