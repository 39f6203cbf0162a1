import { setImmediate, setTimeout } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { EspalierError } from "../../../src/errors/index.ts";
import { messageOf } from "../../../src/errors/index.ts";
import type { JsonObject } from "../../../src/index.ts";
import type { McpServer } from "./mcp-server.ts";
import { hiding, mcpFault } from "./mcp-server.ts";
import { killedAtExit } from "./this-process.ts";

/** A session with a server, until it is closed or the server is gone. */
export interface McpSession {
  /** The server's own. */
  readonly version: string;
  /** Whether the server is gone. */
  readonly isOver: boolean;
  /**
   * Rejects with `tool-server-failed` if no answer comes, and with a plain error for an answer that
   * is an error.
   */
  ask<TResult>(
    request: { readonly method: string; readonly params: JsonObject },
    shape: z.ZodType<TResult>,
    signal: AbortSignal,
  ): Promise<TResult>;
  /** Resolves once a child process has ended. */
  close(): Promise<void>;
}

/**
 * Starts a server, or connects to one.
 *
 * @param onToolsChanged called when the server says that its list of tools has changed
 * @throws EspalierError `tool-server-failed`
 */
export async function openMcpSession(
  server: McpServer,
  onToolsChanged: () => void,
): Promise<McpSession> {
  const hidden = hiding(server);
  const gone = Promise.withResolvers<void>();
  let isOver = false;
  let written = "";
  const shownError = (cause: unknown): Error =>
    new Error(hidden(messageOf(cause).replace(codeOfMcp, "")));
  const fault = (problem: string, cause: unknown): EspalierError => {
    const words = lastWords(hidden(written));
    const { message } = shownError(cause);
    return mcpFault(server, problem, {
      got: words === "" ? message : `${message}; the server wrote: ${words}`,
      // The original holds the command's arguments, and headers.
      cause: words === "" ? shownError(cause) : new Error(words),
    });
  };
  let transport: McpTransport;
  try {
    transport = transportOf(server);
  } catch (cause) {
    throw fault(unusable, cause);
  }
  const child = transport instanceof StdioClientTransport ? transport : undefined;
  child?.stderr?.on("data", (chunk: Buffer) => {
    written = `${written}${chunk.toString()}`.slice(-maxWritten);
  });
  const client = Object.assign(new Client({ name: "espalier", version: "1" }), {
    onclose: () => {
      isOver = true;
      gone.resolve();
    },
    fallbackNotificationHandler: async ({ method }: { readonly method: string }) => {
      if (method === "notifications/tools/list_changed") onToolsChanged();
    },
  });
  const connecting = client.connect(transport);
  const pid = child?.pid ?? undefined;
  const killed = pid === undefined ? undefined : killedAtExit(pid);
  void gone.promise.then(() => killed?.[Symbol.dispose]());
  const close = async (): Promise<void> => {
    await client.close();
    // A client that could not connect is being closed already, and does not wait for it.
    if (killed !== undefined) await Promise.race([gone.promise, longestEnd()]);
  };
  try {
    await connecting;
  } catch (cause) {
    await close();
    await rest();
    throw fault(unusable, cause);
  }
  return {
    version: client.getServerVersion()?.version ?? "1",
    get isOver() {
      return isOver;
    },
    ask: async (request, shape, signal) => {
      try {
        return await client.request(request, shape, { signal, timeout: longestTimeout });
      } catch (cause) {
        if (signal.aborted) {
          if (!isTimeout(signal.reason)) throw signal.reason;
          throw fault("The MCP server did not answer in time", signal.reason);
        }
        const isAnswer = !isOver && cause instanceof McpError;
        if (isAnswer) throw shownError(cause);
        // The server has forgotten the session, and another has to be begun: by the protocol with
        // 404, and with 400 where the server follows the SDK's examples.
        const { code } = cause as { readonly code?: unknown };
        if (code === 404 || code === 400) await client.close();
        await rest();
        throw fault("The MCP server failed during a request", cause);
      }
    },
    close,
  };
}

const codeOfMcp = /^MCP error -?\d+: /;

const unusable = "The MCP server cannot be used";

/** What a server wrote before its end arrives a little after it. */
const rest = setImmediate;

/** In UTF-16 code units. */
const maxWritten = 8_000;
const maxShown = 300;

/** The SDK waits two seconds for a child to end, and two more before it kills it. */
const longestEnd = (): Promise<unknown> => setTimeout(6_000, undefined, { ref: false });

/** The greatest that a timer takes: signals end requests. */
const longestTimeout = 2 ** 31 - 1;

export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

/** The end of what a process wrote, without the frames of a stack. */
function lastWords(written: string): string {
  const lines = written.split("\n").filter((line) => !/^\s+at |^\s*$|^Node\.js v/.test(line));
  return lines.join("\n").trim().slice(-maxShown).toWellFormed();
}

type McpTransport = StdioClientTransport | StreamableHTTPClientTransport;

function transportOf(server: McpServer): McpTransport {
  if ("url" in server) {
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: server.headers ?? {} },
    });
  }
  return new StdioClientTransport({ ...server, args: [...(server.args ?? [])], stderr: "pipe" });
}
