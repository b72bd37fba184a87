"""`offprompt fill`: answers a request from a terminal."""
