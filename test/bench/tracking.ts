/**
 * Measures what tracking costs: wall clock and CPU of the same search with and without it, in turn;
 * and sending 10,000 traces at once, with the memory that takes, and what a queue holds while
 * nothing takes them. MLFLOW_TRACKING_URI names a real server; without it, a double takes all at
 * once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { rehearsalLm } from "@espalier/rehearsal";
import type { LanguageModel } from "espalier";
import { gepa, optimize } from "espalier/optimizer";
import { mlflow, otlp, sendRun, trackingServer } from "@espalier/tracking";
import type { TrackedRun } from "@espalier/tracking";
import { placeStudy } from "../optimizer/support/place-search.ts";
import { benchOptions, report } from "./support/bench-options.ts";
import { median } from "./support/measure.ts";
import { mlflowDouble } from "./support/mlflow-double.ts";

const { json, sizes } = benchOptions(
  "tracking",
  "Compares a search with and without tracking, and sends 10,000 traces.",
  {
    rounds: [7, "Pairs of searches; the median of their ratios counts"],
    calls: [200, "Metric calls of each search"],
    latency: [20, "Milliseconds of each LM call"],
    candidates: [10, "Candidates of the run that is sent at once"],
    examples: [1_000, "Examples of each"],
  },
);
const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
await using double = await mlflowDouble();
const url = process.env["MLFLOW_TRACKING_URI"] ?? double.url;
const server = url === double.url ? "a double" : "MLflow";

await searchMs("warm-up", true);
const ratios: number[] = [];
const walls = { on: [] as number[], off: [] as number[] };
const cpus = { on: [] as number[], off: [] as number[] };
for (let round = 0; round < sizes.rounds; round++) {
  // Which of the two comes first alternates.
  const order = round % 2 === 0 ? ([true, false] as const) : ([false, true] as const);
  for (const isOn of order) {
    const { wallMs, cpuMs } = await searchMs(`${round}`, isOn);
    walls[isOn ? "on" : "off"].push(wallMs);
    cpus[isOn ? "on" : "off"].push(cpuMs);
  }
  ratios.push((walls.on.at(-1) as number) / (walls.off.at(-1) as number));
}
const ratio = median(ratios);
/** What the search waits for at worst: the time in which its thread does the tracker's work. */
const cpuShare = (median(cpus.on) - median(cpus.off)) / median(walls.off);
const bulk = await sendAtOnce();
const queue = await fillQueue();
await rm(folder, { recursive: true });

report(
  json,
  [
    `rehearsal LM with ${sizes.latency} ms a call; the server is ${server}`,
    `search of ${sizes.calls} metric calls: ${median(walls.off).toFixed(0)} ms without, ${median(walls.on).toFixed(0)} ms with, ` +
      `ratio ${ratio.toFixed(3)} (median of ${sizes.rounds} pairs; ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)})`,
    `CPU of the search's thread: ${median(cpus.off).toFixed(0)} ms without, ${median(cpus.on).toFixed(0)} ms with, ` +
      `${(100 * cpuShare).toFixed(1)} % of the wall clock more`,
    `${bulk.traces} traces at once: ${(bulk.ms / 1_000).toFixed(1)} s, at most ${bulk.peakMiB.toFixed(0)} MiB more memory than before`,
    `queue of a server that never answers: ${queue.waiting} of ${queue.given} traces wait, ${queue.lost} are counted as lost, ${queue.addMs.toFixed(0)} ms to add them`,
  ].join("\n"),
  { node: process.version, server, ratio, ratios, walls, cpuShare, cpus, bulk, queue },
);
// The project's own limit.
if (ratio > 1.03) process.exitCode = 1;

/** Until the search's result is there; what is left to send then is not waited for. */
async function searchMs(
  name: string,
  isTracked: boolean,
): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
  const runFolder = join(folder, `${name}-${isTracked}`);
  const listener = isTracked
    ? mlflow({ url, experiment: "bench" }).search({ runFolder })
    : undefined;
  const start = performance.now();
  const startCpu = process.threadCpuUsage();
  await optimize(placeStudy, {
    optimizer: gepa(),
    budget: { metricCalls: sizes.calls },
    lm: slow(rehearsalLm()),
    runFolder,
    ...(listener && { onEvent: listener.onEvent, onRun: listener.onRun }),
  });
  const wallMs = performance.now() - start;
  const { user, system } = process.threadCpuUsage(startCpu);
  listener?.finish();
  await listener?.end(60_000);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}

function slow(lm: LanguageModel): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      await delay(sizes.latency);
      return lm.doGenerate(request, options);
    },
  };
}

async function sendAtOnce(): Promise<{
  readonly traces: number;
  readonly ms: number;
  readonly peakMiB: number;
}> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const start = performance.now();
  const { traces } = await sendRun(trackingServer({ url }), "bench", bigRun());
  const ms = performance.now() - start;
  clearInterval(watching);
  return { traces, ms, peakMiB: (peak - before) / 2 ** 20 };
}

function bigRun(): TrackedRun {
  const startedAtMs = Date.now();
  const about = { tags: {}, params: {}, metrics: [], startedAtMs };
  const key = `bench-${startedAtMs}`;
  const candidates = Array.from({ length: sizes.candidates }, (_, id) => ({
    ...about,
    id: String(id),
    key: `${key}/${id}`,
    digest: "1",
    name: `candidate ${id}`,
    examples: examplesOf(startedAtMs),
  }));
  return {
    ...about,
    key,
    name: "bench",
    endedAtMs: startedAtMs,
    candidates,
    prompts: [],
    artifacts: [],
  };
}

/** With seven spans each, as a program of two steps and two searches has. */
function* examplesOf(
  startedAtMs: number,
): Generator<
  TrackedRun["candidates"][number]["examples"] extends Iterable<infer TExample> ? TExample : never
> {
  for (let number = 0; number < sizes.examples; number++) {
    yield {
      id: `example-${number}`,
      inputs: { example: `example-${number}` },
      startedAtMs,
      latencyMs: 40,
      failed: false,
      scores: { quality: number / sizes.examples },
      spans: Array.from({ length: 6 }, (_, step) => ({
        path: `step-${step}`,
        parent: null,
        name: `step ${step}`,
        kind: "predictor" as const,
        startMs: step,
        latencyMs: 1,
        failed: false,
        attributes: { "gen_ai.usage.input_tokens": 100, "espalier.signature": "write-query" },
      })),
    };
  }
}

async function fillQueue(): Promise<{
  readonly given: number;
  readonly waiting: number;
  readonly lost: number;
  readonly addMs: number;
}> {
  const given = 10_000;
  const listener = otlp({ url: "http://127.0.0.1:9" }).answers();
  const trace = {
    program: "bench",
    version: "1",
    input: {},
    notes: {},
    children: [],
    startedAtMs: 1,
    latencyMs: 1,
  };
  const said = { user: null, conversation: null, model: "bench", version: "1", history: [] };
  const start = performance.now();
  for (let number = 0; number < given; number++) {
    listener.answered({ ...said, id: `${number}`, question: "?", answer: "!", trace });
  }
  const addMs = performance.now() - start;
  const { waiting, lost } = listener.status();
  await listener.end(1);
  return { given, waiting, lost, addMs };
}
