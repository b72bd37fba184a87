"""The three tools, from a call's arguments to its answer."""
