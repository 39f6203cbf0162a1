import type { Tool } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkMilliseconds, visibleText, warn } from "../../internal/index.ts";
import { mcpConnection } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-server.ts";
import { placeOf } from "./mcp-server.ts";
import type { OfferedTools } from "./mcp-tool-list.ts";

export interface McpToolsOptions {
  readonly server: McpServer;
  /** Tools to take, by the names that the server gives them. @default all */
  readonly only?: readonly string[];
  /**
   * Tools that change nothing although the server does not say so. @default those that the server
   * marks with `readOnlyHint`
   */
  readonly readOnly?: readonly string[];
  /** Of each request to the server, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
}

/**
 * The tools of a connected server; disposing of them closes the connection, and ends a server that
 * was started for it.
 */
export interface McpTools extends AsyncDisposable {
  readonly tools: readonly Tool[];
}

/**
 * Connects to an MCP server and takes its tools for `agent()`, as they are now. A tool that is not
 * known to be read only counts as one that changes the world. Names are made to fit: `fs.read` is
 * `fs_read` for the model. A tool that cannot be used is left out, with a warning. Needs the
 * package `@modelcontextprotocol/sdk`.
 *
 * What the server answers is told to the model, errors too. A server that does not answer, or that
 * has changed the tool meanwhile, fails the call with `tool-server-failed`. One that has ended is
 * started again by the next call.
 *
 * @throws EspalierError `part-missing` without the package, `option-invalid` for a tool that the
 *   server does not have or that cannot be used, `tool-server-failed` if the server cannot be used
 * @example
 * await using files = await mcpTools({
 *   server: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "notes"] },
 *   only: ["read_text_file", "search_files"],
 * });
 */
export async function mcpTools(options: McpToolsOptions): Promise<McpTools> {
  const { server, only, readOnly = [], timeoutMs = 30_000 } = options;
  checkMilliseconds("timeoutMs", timeoutMs, { least: 1 });
  const connection = await mcpConnection(server, timeoutMs);
  const { offered, version } = connection;
  try {
    checkNames(offered, [...(only ?? []), ...readOnly], server);
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
  if (only === undefined) warnOf(offered, server);
  const tools = offered.tools
    .filter(({ ownName }) => only === undefined || only.includes(ownName))
    .map((tool) =>
      Object.freeze({
        name: tool.name,
        description: tool.description,
        version,
        parameters: tool.parameters,
        changesTheWorld: !tool.isReadOnly && !readOnly.includes(tool.ownName),
        timeoutMs,
        doCall: async (input, { signal }) => connection.call(tool, input, signal),
      } satisfies Tool),
    );
  return {
    tools: Object.freeze(tools),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function checkNames(
  { tools, unusable }: OfferedTools,
  names: readonly string[],
  server: McpServer,
): void {
  const wrong = names.find((name) => tools.every(({ ownName }) => ownName !== name));
  if (wrong === undefined) return;
  const why = unusable.get(wrong);
  throw new EspalierError({
    code: "option-invalid",
    problem:
      why === undefined
        ? `The MCP server has no tool \`${wrong}\``
        : `The MCP server's tool \`${wrong}\` cannot be used: ${why}`,
    where: placeOf(server),
    expected: tools.map(({ ownName }) => ownName).join(", "),
  });
}

function warnOf({ unusable }: OfferedTools, server: McpServer): void {
  for (const [name, why] of unusable) {
    const said = `The tool "${visibleText(name)}" of the MCP server is left out`;
    warn(`${said}: ${why} (at ${placeOf(server)})`);
  }
}
