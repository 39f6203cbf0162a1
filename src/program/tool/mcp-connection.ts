import type { Json, JsonObject } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { contentHash, opened, orAborted } from "../../internal/index.ts";
import { mcpResult, resultOf } from "./mcp-result.ts";
import type { McpServer } from "./mcp-server.ts";
import { mcpFault } from "./mcp-server.ts";
import type { McpSession } from "./mcp-session.ts";
import { isTimeout, openMcpSession } from "./mcp-session.ts";
import type { OfferedTool, OfferedTools } from "./mcp-tool-list.ts";
import { listedTools, offeredTools } from "./mcp-tool-list.ts";

/** Calls the tools that a server had at first; begins another session where one has ended. */
export interface McpConnection extends AsyncDisposable {
  readonly version: string;
  readonly offered: OfferedTools;
  /**
   * Rejects with `tool-server-failed` for a server that is away, or whose tool is another than it
   * was; with a plain error for what the server answers.
   */
  call(tool: OfferedTool, input: JsonObject, signal: AbortSignal): Promise<Json>;
}

/** @throws EspalierError `part-missing`, `tool-server-failed`; then the server is closed */
export async function mcpConnection(server: McpServer, timeoutMs: number): Promise<McpConnection> {
  let isStale = false;
  let isClosed = false;
  const begin = (): Promise<McpSession> => openMcpSession(server, () => (isStale = true));
  const fault = (problem: string, got: string): EspalierError =>
    mcpFault(server, `The MCP server ${problem}`, { got });

  let session = await begin();
  const dispose = async (): Promise<void> => {
    isClosed = true;
    opened.delete(handle);
    await session.close();
  };
  const handle = { [Symbol.asyncDispose]: dispose };
  opened.add(handle);

  const read = async (): Promise<OfferedTools> => {
    try {
      return offeredTools(await listedTools(session, () => AbortSignal.timeout(timeoutMs)));
    } catch (error) {
      if (EspalierError.isInstance(error)) throw error;
      throw fault("does not list its tools", messageOf(error));
    }
  };
  const identityOf = (tool: OfferedTool): string => contentHash([session.version, tool]);
  const offered = await read().catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  const first = new Map(offered.tools.map((tool) => [tool, identityOf(tool)]));
  let current: ReadonlySet<string> = new Set(first.values());

  const renew = async (): Promise<void> => {
    if (session.isOver) {
      session = await begin();
      isStale = true;
    }
    if (isClosed) return session.close();
    try {
      // Before the list is read: it may change again meanwhile.
      isStale = false;
      current = new Set((await read()).tools.map(identityOf));
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  let renewing: Promise<void> | undefined;

  return {
    ...handle,
    version: session.version,
    offered,
    call: async (tool, input, signal) => {
      if (!isClosed && (session.isOver || isStale || renewing !== undefined)) {
        renewing ??= renew().finally(() => (renewing = undefined));
        await orAborted(renewing, signal).catch((error: unknown) => {
          throw isTimeout(error) ? fault("gave no answer in time", messageOf(error)) : error;
        });
      }
      if (isClosed) throw fault("has been disconnected", `a call of \`${tool.name}\``);
      // What is on record of a tool must not be mixed with what another one answers.
      if (!current.has(first.get(tool) ?? "")) {
        throw fault(`has changed its tool \`${tool.name}\``, "another one than it had at first");
      }
      const request = { method: "tools/call", params: { name: tool.ownName, arguments: input } };
      return resultOf(await session.ask(request, mcpResult, signal));
    },
  };
}
