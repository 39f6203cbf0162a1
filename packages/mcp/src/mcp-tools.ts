import { z } from "zod";
import type { Json, JsonObject, Tool } from "../../../src/index.ts";
import { EspalierError, messageOf } from "../../../src/errors/index.ts";
import {
  checkMilliseconds,
  contentHash,
  isObject,
  opened,
  orAborted,
  visibleText,
} from "../../../src/internal/index.ts";
import type { McpSession } from "./mcp-session.ts";
import { isTimeout, openMcpSession } from "./mcp-session.ts";
import type { OfferedTool, OfferedTools } from "./mcp-tool-list.ts";
import { listedTools, offeredTools } from "./mcp-tool-list.ts";
import type { McpServer } from "./mcp-server.ts";
import { mcpFault, placeOf } from "./mcp-server.ts";
import { warn } from "./this-process.ts";

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
 * known to be read only counts as one with side effects. Names are made to fit: `fs.read` is
 * `fs_read` for the model. A tool that cannot be used is left out, with a warning.
 *
 * What the server answers is told to the model, errors too. A server that does not answer, or that
 * has changed the tool meanwhile, fails the call with `tool-server-failed`. One that has ended is
 * started again by the next call.
 *
 * @throws EspalierError `option-invalid` for a tool that the
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
        hasSideEffects: !tool.isReadOnly && !readOnly.includes(tool.ownName),
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
    const said = `The MCP server's tool "${visibleText(name)}" is left out`;
    warn(`${said}: ${why} (at ${placeOf(server)})`);
  }
}

/** Calls the tools that a server had at first; begins another session where one has ended. */
interface McpConnection extends AsyncDisposable {
  readonly version: string;
  readonly offered: OfferedTools;
  /**
   * Rejects with `tool-server-failed` for a server that is away, or whose tool is another than it
   * was; with a plain error for what the server answers.
   */
  call(tool: OfferedTool, input: JsonObject, signal: AbortSignal): Promise<Json>;
}

/** @throws EspalierError `tool-server-failed`; then the server is closed */
async function mcpConnection(server: McpServer, timeoutMs: number): Promise<McpConnection> {
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
          throw isTimeout(error) ? fault("did not answer in time", messageOf(error)) : error;
        });
      }
      if (isClosed) throw fault("has been disconnected", `a call of \`${tool.name}\``);
      // What is on record of a tool must not be mixed with what another one answers.
      if (!current.has(first.get(tool) ?? "")) {
        throw fault(
          `has changed its tool \`${tool.name}\``,
          "a definition that differs from the first one",
        );
      }
      const request = { method: "tools/call", params: { name: tool.ownName, arguments: input } };
      return resultOf(await session.ask(request, mcpResult, signal));
    },
  };
}

/** What a server answers to a call. */
interface McpResult {
  readonly content?: readonly unknown[] | null | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | null | undefined;
}

const mcpResult: z.ZodType<McpResult> = z.object({
  content: z.array(z.unknown()).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
});

/**
 * The result as the model sees it: what the server says as data, or else as text. What is neither
 * text nor an address is named.
 *
 * @throws Error for an error of the tool, which is told to the model
 */
export function resultOf({ content, structuredContent, isError }: McpResult): Json {
  const parts = content ?? [];
  const texts = parts.map(textOfPart).join("\n");
  const data = (structuredContent ?? null) as Json;
  const json = data === null ? "" : JSON.stringify(data);
  if (isError === true) throw new Error(texts.trim() || json || "The tool failed without a word");
  if (data === null) return texts;
  // By the protocol, texts repeat the data; a resource does not.
  if (parts.every((part) => isObject(part) && part["type"] === "text")) return data;
  return texts.includes(json) ? texts : `${texts}\n${json}`;
}

function textOfPart(part: unknown): string {
  const { type, text, resource, uri, name, description, mimeType } = membersOf(part);
  if (typeof text === "string") return text;
  if (type === "resource_link") return joined([name, uri, description]);
  const held = membersOf(resource);
  if (typeof held["text"] === "string") return `${joined([held["uri"]])}\n${held["text"]}`.trim();
  return `(${joined([type, mimeType, held["uri"], held["mimeType"]])})`;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function joined(said: readonly unknown[]): string {
  return said.filter((word) => typeof word === "string" && word !== "").join(" ");
}
