import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";

const bin = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** The protocol's own test server, over standard input and output. */
export const everything = { command: process.execPath, args: [bin, "stdio"] } as const;

/** The same over HTTP, on a free port. */
export async function everythingOverHttp(): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const server = spawn(process.execPath, [bin, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await Promise.race([
    new Promise<void>((listening) => {
      const look = (chunk: Buffer): void => {
        if (/listening|started|running/i.test(chunk.toString())) listening();
      };
      server.stdout.on("data", look);
      server.stderr.on("data", look);
    }),
    once(server, "exit").then(() => {
      throw new Error("The MCP server ended at once");
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
