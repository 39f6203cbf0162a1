import { optionalPackages } from "../../internal/index.ts";
import type { Json, JsonObject, Tool } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { checkTool } from "./tool.ts";

/** How to reach a server of the Model Context Protocol. */
export type McpServer =
  | {
      /** A program that speaks the protocol over its standard input and output. */
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      /** A server of the streamable HTTP transport. */
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface McpToolsOptions {
  readonly server: McpServer;
  /** Tools to take, by the names that the server gives them. @default all */
  readonly only?: readonly string[];
  /**
   * Tools that change nothing although the server does not say so. @default those that the server
   * marks with `readOnlyHint`
   */
  readonly readOnly?: readonly string[];
  /** Of each call. @default 30_000 */
  readonly timeoutMs?: number;
}

/** The tools of a connected server; disposing of them closes the connection. */
export interface McpTools extends AsyncDisposable {
  readonly tools: readonly Tool[];
}

/**
 * Connects to an MCP server and takes its tools for `agent()`. A tool that is not known to be read
 * only counts as one that changes the world. Needs the package `@modelcontextprotocol/sdk`.
 *
 * @throws EspalierError `part-missing` without the package, `option-invalid` for a tool that the
 *   server does not have, `tool-server-failed` if the server cannot be reached
 * @example
 * await using files = await mcpTools({
 *   server: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "notes"] },
 *   only: ["read_text_file", "search_files"],
 * });
 */
export async function mcpTools(options: McpToolsOptions): Promise<McpTools> {
  const { server, only, readOnly = [], timeoutMs = 30_000 } = options;
  const where = "url" in server ? server.url : [server.command, ...(server.args ?? [])].join(" ");
  const client = await connected(server, where);
  const { tools: offered } = await client.listTools();
  const { version = "1" } = client.getServerVersion() ?? {};
  const missing = [...(only ?? []), ...readOnly].find((name) =>
    offered.every((each) => each.name !== name),
  );
  if (missing !== undefined) {
    await client.close();
    throw new EspalierError({
      code: "option-invalid",
      problem: `The MCP server has no tool \`${missing}\``,
      where,
      expected: offered.map(({ name }) => name).join(", "),
    });
  }
  const tools = offered
    .filter(({ name }) => only === undefined || only.includes(name))
    .map(({ name, description = name, inputSchema, annotations }): Tool => {
      checkTool({ name, description, timeoutMs });
      const isReadOnly = annotations?.readOnlyHint === true || readOnly.includes(name);
      return Object.freeze({
        name,
        description,
        version,
        parameters: withoutKeywords(inputSchema),
        changesTheWorld: !isReadOnly,
        timeoutMs,
        doCall: async (input, { signal }) =>
          resultOf(
            await client.callTool({ name, arguments: input }, undefined, {
              signal,
              timeout: timeoutMs,
            }),
          ),
      } satisfies Tool);
    });
  return { tools: Object.freeze(tools), [Symbol.asyncDispose]: () => client.close() };
}

/** The part of the SDK's client that we use. */
interface McpClient {
  connect(transport: unknown): Promise<void>;
  getServerVersion(): { readonly version?: string } | undefined;
  listTools(): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly description?: string;
      readonly inputSchema: JsonObject;
      readonly annotations?: { readonly readOnlyHint?: boolean };
    }[];
  }>;
  callTool(
    request: { readonly name: string; readonly arguments: JsonObject },
    schema: undefined,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<McpResult>;
  close(): Promise<void>;
}

interface McpResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
}

async function connected(server: McpServer, where: string): Promise<McpClient> {
  const sdk = "@modelcontextprotocol/sdk";
  const [{ Client }, transports] = await optionalPackages(
    async () =>
      (await Promise.all([
        import(`${sdk}/client/index.js`),
        import(`${sdk}/client/${"url" in server ? "streamableHttp" : "stdio"}.js`),
      ])) as [
        { readonly Client: new (about: object) => McpClient },
        Readonly<Record<string, new (...given: unknown[]) => unknown>>,
      ],
    { need: "MCP servers need", packages: [sdk], where },
  );
  try {
    const transport = transportOf(server, transports);
    const client = new Client({ name: "espalier", version: "1" });
    await client.connect(transport);
    return client;
  } catch (cause) {
    throw new EspalierError({
      code: "tool-server-failed",
      problem: "The MCP server cannot be used",
      where,
      got: messageOf(cause),
      fix: "Check that its command runs, or that its address answers.",
      cause,
    });
  }
}

function transportOf(
  server: McpServer,
  transports: Readonly<Record<string, new (...given: unknown[]) => unknown>>,
): unknown {
  const { StreamableHTTPClientTransport: Http, StdioClientTransport: Stdio } = transports;
  if ("url" in server) {
    const { url, headers = {} } = server;
    return Http && new Http(new URL(url), { requestInit: { headers } });
  }
  return Stdio && new Stdio({ ...server, args: [...(server.args ?? [])], stderr: "ignore" });
}

/** A server's error is told to the model; what is no text is named. */
function resultOf({ content = [], structuredContent, isError }: McpResult): Json {
  const text = content.map((part) => part.text ?? `(${part.type})`).join("\n");
  if (isError === true) throw new Error(text);
  return structuredContent ?? text;
}

/** Servers with constrained decoding refuse `$schema`. */
function withoutKeywords(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema"));
}
