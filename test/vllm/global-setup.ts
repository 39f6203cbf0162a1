import { messageOf } from "../../src/errors/index.ts";
import type { TestProject } from "vitest/node";
import { supervisor } from "./support/supervisor.ts";
import { say, UnavailableError } from "./support/test-cache.ts";
import { vllmServers } from "./support/vllm-servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests ask for servers. */
    readonly supervisor: string;
    /** Why there are none; empty if there are. */
    readonly unavailable: string;
  }
}

/** Makes what servers need, once. The servers themselves start when a test asks for one. */
export default async function setup({ provide }: TestProject) {
  const kept = process.env["ESPALIER_TEST_VLLM"];
  provide("supervisor", kept ?? "");
  provide("unavailable", "");
  if (kept !== undefined) return;
  try {
    const running = await supervisor(await vllmServers());
    provide("supervisor", running.url);
    return () => running[Symbol.asyncDispose]();
  } catch (error) {
    if (!(error instanceof UnavailableError) || process.env["CI"] === "true") throw error;
    say(`SKIPPED, every test: ${messageOf(error)}`);
    provide("unavailable", messageOf(error));
  }
}
