"""A server of one tool on the official Python SDK."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("hello")


@server.tool()
def echo(text: str) -> str:
    return text


server.run("stdio")
