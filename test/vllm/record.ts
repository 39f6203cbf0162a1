import { mkdirSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { scriptOptions } from "../../scripts/support/script-options.ts";
import type { Exchange } from "./support/exchanges.ts";
import { exchanges } from "./support/exchanges.ts";
import type { ServerName, VllmAddress } from "./support/server-kinds.ts";
import { serverKinds } from "./support/server-kinds.ts";
import { askSupervisor } from "./support/supervisor.ts";
import { repository } from "../support/python/test-cache.ts";
import { vllmServers } from "./support/vllm-servers.ts";

/**
 * Writes what real servers answer to `test/support/recorded-vllm`, for tests that run without one.
 * What differs from run to run (ids, times) is replaced.
 */
scriptOptions({
  command: "npm run record:vllm",
  about: "Records what real vLLM servers on the CPU answer, in test/support/recorded-vllm.",
});
const folder = join(repository, "test/support/recorded-vllm");

const kept = process.env["ESPALIER_TEST_VLLM"];
await using servers = kept === undefined ? await vllmServers() : undefined;
const addressOf = (name: ServerName): Promise<VllmAddress> =>
  servers?.address(name) ?? askSupervisor(kept!, name);

mkdirSync(folder, { recursive: true });
for (const [name, exchange] of Object.entries(await exchanges(addressOf))) {
  const address = await addressOf(exchange.server);
  if (exchange.isRepeated === true) await send(exchange, address);
  const record = JSON.stringify(await send(exchange, address), null, 2);
  const { port } = new URL(address.root);
  for (const trace of [`127.0.0.1:${port}`, homedir(), repository, hostname()]) {
    if (record.includes(trace)) throw new Error(`${name} would hold "${trace}" of this machine.`);
  }
  writeFileSync(join(folder, `${name}.json`), `${record}\n`);
  console.log(name);
}

async function send(
  { server, path, body, isWithoutKey, metrics }: Exchange,
  { root, apiKey }: VllmAddress,
): Promise<object> {
  const key = isWithoutKey === true ? undefined : apiKey;
  const response = await fetch(`${root}${path}`, {
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = withoutChance(await response.text());
  const contentType = response.headers.get("content-type") ?? "";
  return {
    vllm: "0.32.0",
    server: serverKinds[server].args,
    request: { method: body ? "POST" : "GET", path, ...(body && { body: shortened(body) }) },
    response: {
      status: response.status,
      contentType,
      ...(contentType === "application/json"
        ? { body: JSON.parse(text) as unknown }
        : { text: metrics === undefined ? text : only(metrics, text) }),
    },
  };
}

/** Ids, times and fingerprints, always the same. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/"((?:chatcmpl|embd|score|rerank|modelperm)-)[^"]*"/g, '"$10123456789abcdef"')
    .replaceAll(/"created": ?\d+/g, '"created":1700000000');
}

/** A long text in a request stands for itself by its beginning. */
function shortened(body: object): unknown {
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === "string" && value.length > 500
      ? `${value.slice(0, 40)}... (${value.length} characters)`
      : value,
  ) as unknown;
}

function only(metrics: readonly string[], text: string): string {
  const isKept = (line: string): boolean =>
    metrics.some((name) => new RegExp(`vllm:${name}[ {]`).test(line));
  return text
    .split("\n")
    .filter(isKept)
    .map((line) => `${line}\n`)
    .join("");
}
