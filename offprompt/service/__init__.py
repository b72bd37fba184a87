"""The service: the only room that knows all others, and makes them known to each other."""
