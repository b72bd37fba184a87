"""The operator's manhole, and what can be seen through it."""
