/** A server of the Model Context Protocol, by hand, that does what its first argument says. */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { OddServer } from "./odd-mcp.ts";

const odd = JSON.parse(process.argv[2] ?? "{}") as OddServer;
const { pages = [{ tools: [{ name: "look" }] }], results = {}, pids } = odd;
let listed = pages;

if (pids !== undefined) appendFileSync(pids, `${process.pid}\n`);
if (odd.words !== undefined) process.stderr.write(odd.words);
if (odd.ends === "at-start") process.exit(3);
// Neither the end of its input nor a polite signal ends it.
if (odd.isDeaf === true) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
}

const say = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const {
    id,
    method,
    params = {},
  } = JSON.parse(line) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: { readonly cursor?: string; readonly name?: string };
  };
  if (method === "initialize") {
    const serverInfo = { name: "odd", version: "1" };
    say({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    if (odd.listError !== undefined) {
      return say({ id, error: { code: -32_603, message: odd.listError } });
    }
    say({ id, result: listed[Number(params.cursor ?? 0)] });
  } else if (method === "tools/call") {
    if (odd.ends === "in-call") process.exit(9);
    if (odd.laterPages !== undefined) {
      listed = odd.laterPages;
      say({ method: "notifications/tools/list_changed" });
    }
    if (odd.ends === "never-answers") return;
    const said = results[params.name ?? ""] ?? {};
    say({
      id,
      ...("error" in said
        ? said
        : { result: { content: [{ type: "text", text: "ok" }], ...said } }),
    });
  }
});
