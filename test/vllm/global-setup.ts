import { messageOf } from "../../src/errors/index.ts";
import type { TestProject } from "vitest/node";
import { supervisor } from "./support/supervisor.ts";
import { say, UnavailableError } from "../support/python/test-cache.ts";
import { vllmServers } from "./support/vllm-servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests ask for servers. */
    readonly supervisor: string;
    /** Why there are none; empty if there are. */
    readonly unavailable: string;
  }
}

let running: AsyncDisposable | undefined;

/** Makes what servers need, once. The servers themselves start when a test asks for one. */
export async function setup({ provide }: TestProject): Promise<void> {
  const kept = process.env["ESPALIER_TEST_VLLM"];
  provide("supervisor", kept ?? "");
  provide("unavailable", "");
  if (kept !== undefined) return;
  try {
    const started = await supervisor(await vllmServers());
    running = started;
    provide("supervisor", started.url);
  } catch (error) {
    if (!(error instanceof UnavailableError) || process.env["CI"] === "true") throw error;
    say(`SKIPPED, every test: ${messageOf(error)}`);
    provide("unavailable", messageOf(error));
  }
}

export async function teardown(): Promise<void> {
  await running?.[Symbol.asyncDispose]();
}
