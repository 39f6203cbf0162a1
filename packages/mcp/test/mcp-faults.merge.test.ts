import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, expect, it } from "vitest";
import type { Tool } from "../../../src/index.ts";
import { agent, program, signature, text } from "../../../src/index.ts";
import { mcpTools } from "../src/index.ts";
import { scriptedLm } from "../../../test/support/scripted-lm.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { endOf, oddMcp, readOnly } from "./support/odd-mcp.ts";

const { signal } = new AbortController();
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const look = { name: "look", ...readOnly };
const pages = [{ tools: [look] }];
const pidsIn = async (path: string): Promise<readonly number[]> =>
  (await readFile(path, "utf8")).trim().split("\n").map(Number);

const clerk = signature({
  name: "clerk",
  instruction: "Look it up.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});
const asking = (tools: readonly Tool[]) =>
  program({
    name: "asking",
    version: "1",
    input: clerk.input,
    output: clerk.output,
    predictors: { clerk: agent({ signature: clerk, tools }) },
    forward: async (given, { predictors }) => predictors.clerk(given),
  });
const callingOnce = () =>
  scriptedLm((_, index) => (index === 0 ? { toolCalls: [["look", {}]] } : '{"answer":"done"}'));

it("a server that does not start is told with its last words, and without secrets", async () => {
  const words = "Warning: old\nError: no key --token=ARG-SECRET for ENV-SECRET\n    at main.js:1\n";
  const server = oddMcp({ ends: "at-start", words }, "--token=ARG-SECRET", "BARE-SECRET");
  const env = { TOKEN: "ENV-SECRET" };
  const error = await thrownBy(() => mcpTools({ server: { ...server, env } }));
  expect(error).toMatchObject({ code: "tool-server-failed" });
  expect(String(error)).toMatch(/Connection closed; the server wrote: .*\nError: no key --token=/);
  expect(inspect(error)).toContain("for [redacted]");
  expect(inspect(error)).not.toMatch(/SECRET|odd-mcp-server/);
});

it("a command that is not there shows none of its arguments", async () => {
  const server = { command: "no-such-command-of-anybody", args: ["SECRET"] };
  const error = await thrownBy(() => mcpTools({ server }));
  expect(error).toMatchObject({ code: "tool-server-failed" });
  expect(inspect(error)).toContain("ENOENT");
  expect(inspect(error)).not.toContain("SECRET");
});

it("a server that does not list its tools is ended, even one that does not want to", async () => {
  const pids = join(folder.path, "deaf");
  const server = oddMcp({ listError: "the database is down", isDeaf: true, pids });
  await expect(mcpTools({ server })).rejects.toMatchObject({
    code: "tool-server-failed",
    message: expect.stringMatching(/does not list its tools.*Got: the database is down/) as string,
  });
  const [pid = 0] = await pidsIn(pids);
  await endOf(pid);
});

it("a server that dies fails the run, tells the model nothing, and is started again", async () => {
  const pids = join(folder.path, "dying");
  await using server = await mcpTools({ server: oddMcp({ pages, ends: "in-call", pids }) });
  for (const started of [1, 2]) {
    await using lm = await callingOnce();
    const attempt = await asking(server.tools).attempt({ question: "?" }, lm);
    expect(attempt).toMatchObject({
      state: "failed",
      failure: { kind: "infrastructure", code: "tool-server-failed" },
    });
    expect(lm.received).toHaveLength(1);
    expect(await pidsIn(pids)).toHaveLength(started);
  }
});

it("a server that gives no answer in time fails the run", async () => {
  await using server = await mcpTools({
    server: oddMcp({ pages, ends: "never-answers" }),
    timeoutMs: 2_000,
  });
  await using lm = await callingOnce();
  await expect(asking(server.tools).attempt({ question: "?" }, lm)).resolves.toMatchObject({
    failure: {
      kind: "infrastructure",
      message: expect.stringContaining("did not answer in time") as string,
    },
  });
});

it("what a server answers is told to the model, errors of the protocol too", async () => {
  const results = { look: { error: { code: -32_603, message: "no such table" } } };
  await using server = await mcpTools({ server: oddMcp({ pages, results }) });
  await using lm = await callingOnce();
  const attempt = await asking(server.tools).attempt({ question: "?" }, lm);
  expect(attempt).toMatchObject({ state: "completed" });
  expect(lm.received[1]?.messages.at(-1)?.content).toBe("Error: no such table");
});

it("a call after the end is refused, and starts no server", async () => {
  const pids = join(folder.path, "ended");
  const server = await mcpTools({ server: oddMcp({ pages, pids }) });
  await server[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  const [pid = 0] = await pidsIn(pids);
  await endOf(pid);
  await expect(server.tools[0]?.doCall({}, { signal })).rejects.toThrow("has been disconnected");
  expect(await pidsIn(pids)).toEqual([pid]);
});

it.each([404, 400])(
  "a server over HTTP that forgets its session, with %d, gets another",
  async (status) => {
    let sessions = 0;
    let isForgotten = false;
    await using http = await served((message, response) => {
      if (message.method === "initialize") {
        isForgotten = false;
        response.setHeader("mcp-session-id", `session-${++sessions}`);
        const serverInfo = { name: "s", version: "1" };
        return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
      }
      if (isForgotten) return status;
      return message.method === "tools/list"
        ? pages[0]
        : { content: [{ type: "text", text: `in session ${sessions}` }] };
    });
    await using server = await mcpTools({ server: { url: http.url } });
    const call = async () => server.tools[0]?.doCall({}, { signal });
    await expect(call()).resolves.toBe("in session 1");
    isForgotten = true;
    await expect(call()).rejects.toMatchObject({ code: "tool-server-failed" });
    await expect(call()).resolves.toBe("in session 2");
  },
);

it("an address is shown without user, password and query", async () => {
  await using http = await served(() => 500);
  const open = new URL(http.url);
  open.searchParams.set("token", "QUERY-SECRET");
  const closed = new URL(open);
  [closed.username, closed.password] = ["USER-SECRET", "WORD-SECRET"];
  for (const { href: url } of [open, closed]) {
    const headers = { authorization: "Bearer HEADER-SECRET" };
    const error = await thrownBy(() => mcpTools({ server: { url, headers } }));
    expect(error).toMatchObject({ code: "tool-server-failed" });
    expect(inspect(error)).toContain(http.url);
    expect(inspect(error)).not.toContain("SECRET");
  }
});

interface Rpc {
  readonly id?: number;
  readonly method: string;
}

/** A server over HTTP that answers each request with a result, or refuses it with a status. */
async function served(
  answer: (message: Rpc, response: ServerResponse) => object | number | undefined,
): Promise<AsyncDisposable & { readonly url: string }> {
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    const message = (await new Response(incoming).json()) as Rpc;
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = answer(message, response);
    if (typeof result === "number") {
      return void response.writeHead(result).end(JSON.stringify(incoming.headers));
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  };
  const server = createServer((incoming, response) => void respond(incoming, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
