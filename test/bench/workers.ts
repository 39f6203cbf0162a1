/**
 * What workers cost: 2,000 attempts in this process with 64 slots, and on 4 workers with 16 slots
 * each, at an LM of a fixed latency. `npm run bench:workers`
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ChildProcess } from "node:child_process";
import { evaluate, uncapped } from "espalier/evaluate";
import { connect, remoteCall } from "espalier/lm";
import type { Study } from "espalier";
import { scriptOptions } from "../../scripts/support/script-options.ts";
import { recordedModules } from "../../src/cli/load/recorded-modules.ts";
import { studyCheckout } from "../../src/cli/workers/study-checkout.ts";
import { queueRunner } from "../../packages/workers/src/index.ts";

scriptOptions({
  command: "npm run bench:workers",
  about: "What examples cost on workers, beside those in one process.",
});
const [slots, workers] = [64, 4];
const node = ["--conditions=espalier:source"];
const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
const children: ChildProcess[] = [];
const start = (command: string, args: readonly string[]): ChildProcess => {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
};
const modules = recordedModules();

try {
  const port = await freePort();
  start("redis-server", ["--port", String(port), "--dir", folder, "--save", ""]);
  await delay(500);
  const redis = `redis://127.0.0.1:${port}`;
  for (const latencyMs of [200, 20]) await measured("study.ts", latencyMs, redis);
  await measured("empty-study.ts", 0, redis);
} finally {
  for (const child of children) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

async function measured(file: string, latencyMs: number, redis: string): Promise<void> {
  const path = resolve(import.meta.dirname, "workers", file);
  const server = start(process.execPath, [
    ...node,
    resolve(import.meta.dirname, "workers/server.ts"),
    String(latencyMs),
  ]);
  const [first] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = `http://127.0.0.1:${first.toString().trim()}`;
  const { default: study } = (await import(path)) as { readonly default: Study };
  await using lm = connect({ baseUrl: `${url}/v1`, model: "bench", concurrency: slots });
  const shown = { identity: { provider: "vllm", model: "bench" }, doGenerate: lm.doGenerate };

  const cli = resolve(import.meta.dirname, "../../src/cli/bin.ts");
  const fleet = Array.from({ length: workers }, () =>
    start(process.execPath, [
      ...node,
      cli,
      "worker",
      path,
      "--redis",
      redis,
      "--lm",
      `${url}/v1`,
      "--concurrency",
      String(slots / workers),
      "--cache",
      "none",
    ]),
  );
  await Promise.all(fleet.map((each) => once(each.stderr as NodeJS.ReadableStream, "data")));
  const run = async (name: string, elsewhere: boolean): Promise<number> => {
    await (await fetch(`${url}/measured`)).json();
    await using runner = elsewhere
      ? await queueRunner({
          redis: { url: redis },
          run: `bench${Date.now()}`,
          study: study.name,
          checkout: studyCheckout(study, { lm: shown, lms: {} }, { path, modules }),
        })
      : undefined;
    runner?.finish();
    // Workers come when they hear of the run.
    if (elsewhere) await delay(2_000);
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    const { counts } = await evaluate({
      program: study.program,
      examples: study.trainset.splits.val,
      metric: study.objective,
      lm: elsewhere ? remoteCall(shown) : shown,
      // More than there are slots, so that a worker never waits for the next.
      concurrency: elsewhere ? 1.25 * slots : slots,
      resamples: 0,
      ...(runner && { runner, spending: uncapped }),
    });
    const seconds = (performance.now() - begun) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const attempts = counts.scored;
    const limit = listScheduled((await (await fetch(`${url}/measured`)).json()) as number[]);
    const ofLimit = limit === 0 ? "" : `, ${(seconds / limit).toFixed(2)} of the limit`;
    process.stdout.write(
      `${study.name} ${latencyMs} ms, ${name}: ${attempts} in ${seconds.toFixed(2)} s${ofLimit}, ` +
        `${((user + system) / 1_000 / attempts).toFixed(2)} ms CPU an attempt here, ` +
        `${Math.round(attempts / seconds)} a second\n`,
    );
    return seconds;
  };
  const here = await run("in process", false);
  const there = await run(`${workers} workers`, true);
  process.stdout.write(`  workers to in process: ${(there / here).toFixed(2)}\n`);
  for (const each of [...fleet, server]) each.kill("SIGTERM");
}

/** Seconds that the calls take at least, each given to the slot that is free first. */
function listScheduled(latenciesMs: readonly number[]): number {
  const free = Array<number>(slots).fill(0);
  for (const latency of latenciesMs) {
    const next = free.indexOf(Math.min(...free));
    free[next] = (free[next] ?? 0) + latency;
  }
  return Math.max(...free) / 1_000;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
