// A server of one tool on the official TypeScript SDK, first generation.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "hello", version: "1" });
const tool = { description: "Echo.", inputSchema: { text: z.string() } };
server.registerTool("echo", tool, async ({ text }) => ({ content: [{ type: "text", text }] }));
await server.connect(new StdioServerTransport());
