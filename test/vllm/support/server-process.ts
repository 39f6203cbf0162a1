import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../../src/errors/index.ts";
import { endOf } from "../../support/python/run-logged.ts";
import type { ModelMaker } from "./model-folders.ts";
import { trainedModel } from "./model-folders.ts";
import type { ServerKind, ServerName, VllmAddress } from "./server-kinds.ts";
import { serverKinds } from "./server-kinds.ts";
import { say } from "../../support/python/test-cache.ts";

const guard = resolve(import.meta.dirname, "../../support/python/guard.py");

/** On two busy cores, with a cold disk, more than three minutes were seen. */
const startLimitMs = 900_000;

export interface ServerProcess extends AsyncDisposable {
  readonly address: VllmAddress;
  readonly log: string;
  readonly hasEnded: boolean;
  /** As a crash of all its processes would end it. */
  kill(): Promise<void>;
}

export interface ServerFolders extends ModelMaker {
  /** Of all models that `make_models.py` makes. */
  readonly random: string;
  /** For logs and what vLLM leaves behind. */
  readonly scratch: string;
}

/**
 * Starts a vLLM server and resolves once it answers.
 *
 * @param port where it is to listen; by default, where nobody does
 * @throws Error with the end of its log if it does not come up
 */
export async function startServer(
  name: ServerName,
  folders: ServerFolders,
  port?: number,
): Promise<ServerProcess> {
  const { folder, model, args, trained, ...key }: ServerKind = serverKinds[name];
  const { python, random, scratch } = folders;
  const weights = trained === undefined ? null : await trainedModel(trained, folders);
  const served =
    trained === undefined || weights === null
      ? { path: join(random, folder), model }
      : { path: weights, model: trained };
  port ??= await freePort();
  const root = `http://127.0.0.1:${port}`;
  const log = join(scratch, `${name}-${port}.log`);
  const output = openSync(log, "w");
  const startMs = performance.now();
  const options =
    `--model ${basename(served.path)} --served-model-name ${served.model} --host 127.0.0.1 --port ${port} ` +
    `--enforce-eager ${args}`;
  const vllm = [python, "-m", "vllm.entrypoints.openai.api_server", ...options.split(" ")];
  // Beside the model, so that no path of this machine shows in `/v1/models`.
  const child = spawn(python, [guard, ...vllm], {
    cwd: dirname(served.path),
    detached: true,
    env: { ...process.env, ...environment(scratch) },
    stdio: ["pipe", output, output],
  });
  closeSync(output);
  const server: ServerProcess = {
    address: {
      baseUrl: `${root}/v1`,
      root,
      model: served.model,
      isTrained: weights !== null,
      ...key,
    },
    log,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    kill: async () => {
      // `detached` made it the leader of the group.
      process.kill(-child.pid!, "SIGKILL");
      if (!server.hasEnded) await once(child, "exit");
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin?.destroy();
      if (!server.hasEnded) await once(child, "exit");
    },
  };
  child.stdin?.on("error", () => undefined);
  try {
    await ready(server);
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw new Error(`vLLM's ${name}: ${messageOf(error)} The end of its log:\n${endOf(log)}`, {
      cause: error,
    });
  }
  say(`${name} is ready after ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  return server;
}

function environment(scratch: string): Record<string, string> {
  const kept = join(scratch, "kept");
  mkdirSync(kept, { recursive: true });
  return {
    VLLM_TARGET_DEVICE: "cpu",
    // Where vLLM finds `endings.py`, beside which nothing is to be written.
    PYTHONPATH: import.meta.dirname,
    PYTHONDONTWRITEBYTECODE: "1",
    VLLM_CPU_KVCACHE_SPACE: "1",
    VLLM_CPU_OMP_THREADS_BIND: "nobind",
    OMP_NUM_THREADS: "1",
    HF_HUB_OFFLINE: "1",
    TRANSFORMERS_OFFLINE: "1",
    VLLM_NO_USAGE_STATS: "1",
    DO_NOT_TRACK: "1",
    // Nothing is left outside of this run's folder, and nothing of another run is found.
    HF_HOME: kept,
    VLLM_CACHE_ROOT: kept,
    VLLM_CONFIG_ROOT: kept,
    TMPDIR: kept,
  };
}

async function ready(server: ServerProcess): Promise<void> {
  const until = performance.now() + startLimitMs;
  for (;;) {
    if (await isHealthy(server.address.root)) return;
    if (server.hasEnded) throw new Error("it ended while it started.");
    if (performance.now() > until) throw new Error("it did not come up.");
    await delay(250);
  }
}

async function isHealthy(root: string): Promise<boolean> {
  try {
    return (await fetch(`${root}/health`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
