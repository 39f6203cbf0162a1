import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endOf } from "../../support/python/run-logged.ts";
import { say } from "../../support/python/test-cache.ts";

const guard = resolve(import.meta.dirname, "../../support/python/guard.py");

/** It took 40 to 60 s on two busy cores. */
const startLimitMs = 600_000;

/** Starts an MLflow server on a database of its own, and resolves once it answers. */
export async function mlflowProcess(
  python: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const scratch = mkdtempSync(join(tmpdir(), "espalier-mlflow-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = join(scratch, "server.log");
  const output = openSync(log, "w");
  const startMs = performance.now();
  const options =
    `--host 127.0.0.1 --port ${port} --workers 1 ` +
    `--backend-store-uri sqlite:///${scratch}/mlflow.sqlite --artifacts-destination ${scratch}/files`;
  const mlflow = [python, "-m", "mlflow", "server", ...options.split(" ")];
  const child = spawn(python, [guard, ...mlflow], {
    cwd: scratch,
    detached: true,
    env: {
      ...process.env,
      MLFLOW_DISABLE_TELEMETRY: "true",
      DO_NOT_TRACK: "true",
      TMPDIR: scratch,
    },
    stdio: ["pipe", output, output],
  });
  closeSync(output);
  child.stdin?.on("error", () => undefined);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (): Promise<void> => {
    child.stdin?.destroy();
    if (!hasEnded()) await once(child, "exit");
    rmSync(scratch, { recursive: true, force: true });
  };
  while (!(await isHealthy(url))) {
    if (hasEnded() || performance.now() - startMs > startLimitMs) {
      const last = endOf(log);
      await end();
      throw new Error(`MLflow did not come up. The end of its log:\n${last}`);
    }
    await delay(250);
  }
  say(`MLflow is ready after ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  return { url, [Symbol.asyncDispose]: end };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
