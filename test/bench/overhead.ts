/**
 * Measures the client's CPU time for one LM call with everything that the framework does around it,
 * next to AxGen, the bare openai SDK and a raw fetch; and how close an evaluation comes to the best
 * schedule of its calls. All contenders alternate in one run, on the same server.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchOptions, report } from "./support/bench-options.ts";
import { axGenThin, axGenVllm, espalier, openaiSdk, rawFetch } from "./support/contenders.ts";
import { measure, median } from "./support/measure.ts";
import { replyServer } from "./support/reply-server.ts";
import { schedule } from "./support/schedule.ts";

const { json, sizes } = benchOptions(
  "overhead",
  "Compares CPU per LM call with AxGen, the openai SDK and fetch, and evaluate() with the best schedule.",
  {
    calls: [2_000, "LM calls per round"],
    rounds: [7, "Rounds; their median counts"],
    "in-flight": [32, "Concurrent calls"],
    evaluated: [2_000, "Examples in the timed evaluation"],
  },
);
const inFlight = sizes["in-flight"];
const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));

const cpu = await compareCpu();
const evaluation = await schedule({ examples: sizes.evaluated, latencyMs: 200, inFlight });
await rm(folder, { recursive: true });

const rows = Object.entries(cpu.cpuMs).map(
  ([name, milliseconds]) =>
    `${name.padEnd(12)} ${milliseconds.toFixed(3)} ms  ${cpu.ratioToAxGen[name]?.toFixed(2)} x AxGen`,
);
report(
  json,
  [
    `CPU per LM call, ${inFlight} in flight, median of ${sizes.rounds} rounds of ${sizes.calls} calls`,
    ...rows,
    "",
    `evaluate() of ${sizes.evaluated} calls of 200 ms, ${evaluation.inFlight} in flight: ${evaluation.wallMs.toFixed(0)} ms wall, ` +
      `${evaluation.makespanMs.toFixed(0)} ms list-scheduled, ratio ${evaluation.ratio.toFixed(3)}`,
  ].join("\n"),
  { node: process.version, inFlight, ...cpu, evaluate: evaluation },
);

// The project's own limits.
const ours = cpu.ratioToAxGen["espalier"] ?? Number.POSITIVE_INFINITY;
if (ours > 1 || evaluation.ratio > 1.05) process.exitCode = 1;

async function compareCpu(): Promise<{
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly ratioToAxGen: Readonly<Record<string, number>>;
}> {
  await using server = await replyServer();
  await using ours = espalier(server.url, join(folder, "cache.sqlite"), inFlight);
  const contenders = {
    rawFetch: rawFetch(server.url),
    openaiSdk: openaiSdk(server.url),
    axGenThin: axGenThin(server.url),
    axGenVllm: axGenVllm(server.url),
    espalier: ours,
  };
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  const rounds: Record<keyof typeof contenders, number>[] = [];
  let first = 0;
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= sizes.rounds; round++) {
    const cost = {} as Record<keyof typeof contenders, number>;
    for (const name of names) {
      cost[name] = (await measure(contenders[name], { calls: sizes.calls, inFlight, first })).cpuMs;
      first += sizes.calls;
    }
    if (round > 0) rounds.push(cost);
  }
  // Ratios are taken within a round, so that a slow moment of the machine cancels out.
  const over = (value: (cost: (typeof rounds)[number], name: keyof typeof contenders) => number) =>
    Object.fromEntries(
      names.map((name) => [name, median(rounds.map((cost) => value(cost, name)))]),
    );
  return {
    cpuMs: over((cost, name) => cost[name]),
    ratioToAxGen: over((cost, name) => cost[name] / cost.axGenThin),
  };
}
