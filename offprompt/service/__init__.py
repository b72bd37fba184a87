"""The service: the only place where the rooms meet."""
