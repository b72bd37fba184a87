// A server of one tool on the official TypeScript SDK, second generation.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "hello", version: "1" });
const tool = { description: "Echo.", inputSchema: z.object({ text: z.string() }) };
server.registerTool("echo", tool, async ({ text }) => ({ content: [{ type: "text", text }] }));
await server.connect(new StdioServerTransport());
