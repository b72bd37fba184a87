"""MCP itself: framing, JSON-RPC, the session, the schema and the words. Pure, and the standard library alone."""
