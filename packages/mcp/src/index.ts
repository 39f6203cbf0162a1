/**
 * Tools of servers that speak the Model Context Protocol, for `agent()`. Connects with the
 * protocol's own SDK. Knows nothing of programs and language models.
 */
export type { McpServer } from "./mcp-server.ts";
export type { McpTools, McpToolsOptions } from "./mcp-tools.ts";
export { mcpTools } from "./mcp-tools.ts";
