"""The agent's two ways in: stdin and stdout, and sockets."""
