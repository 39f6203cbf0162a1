import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optimizeTexts } from "espalier/optimizer";
import { cpuMsSince, median } from "../support/measure.ts";
import { busyProposer, busyTask } from "./busy-task.ts";
import type { Peer } from "./peer.ts";
import { gepaWith } from "../../optimizer/support/gepa-with.ts";

/** Metric calls per run. */
export const overheadSizes = [200, 2_000, 10_000] as const;

/** Time per metric call without the evaluator's own time, in microseconds. */
export interface Overhead {
  readonly wallMicros: number;
  /** Excludes waiting for the disk. */
  readonly cpuMicros: number;
  readonly candidates: number;
}

export type OverheadBySize = Readonly<Record<string, Overhead>>;

/**
 * Warm-up runs of the longest size. Code that runs once per iteration is compiled only after tens
 * of thousands of calls, and would otherwise count against whichever size comes first.
 */
const warmUps = 20;

/**
 * Engine time per metric call with a journal on disk that is synced at each acceptance: the median
 * of `rounds` runs after warm-up.
 */
export async function ourOverhead(rounds: number): Promise<OverheadBySize> {
  const bySize: Record<string, Overhead> = {};
  if (rounds === 0) return bySize;
  for (let run = 0; run < warmUps; run++) await once(Math.max(...overheadSizes));
  for (const size of overheadSizes) {
    const runs: Overhead[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await once(size));
    bySize[size] = medianOf(runs);
  }
  return bySize;
}

/**
 * The peer's time on the same task, with its run folder; the longest run runs only once because it
 * is slow.
 */
export async function peerOverhead(peer: Peer, rounds: number): Promise<OverheadBySize> {
  const bySize: Record<string, Overhead> = {};
  for (const size of overheadSizes) {
    const repeats = size === 10_000 ? 1 : rounds + 1;
    const runs = await peer.run<Overhead>(
      [],
      Array.from({ length: repeats }, () => ({ busy: size })),
    );
    bySize[size] = medianOf(repeats === 1 ? runs : runs.slice(1));
  }
  return bySize;
}

async function once(metricCalls: number): Promise<Overhead> {
  const { task, timer } = busyTask();
  const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const { spent, candidates } = await optimizeTexts(task, {
    optimizer: gepaWith({ proposer: busyProposer() }),
    budget: { metricCalls },
    runFolder: join(folder, "run"),
  });
  const wallMs = performance.now() - startedAt;
  const cpuMs = cpuMsSince(cpu);
  await rm(folder, { recursive: true });
  if (spent.metricCalls < 0.95 * metricCalls || timer.calls !== spent.metricCalls) {
    throw new Error(`The task kept the engine busy for ${spent.metricCalls} calls only.`);
  }
  const microsPerCall = (milliseconds: number): number => (milliseconds * 1000) / timer.calls;
  return {
    wallMicros: microsPerCall(wallMs - timer.evaluatorMs),
    cpuMicros: microsPerCall(cpuMs - timer.evaluatorCpuMs),
    candidates: candidates.length,
  };
}

function medianOf(runs: readonly Overhead[]): Overhead {
  const of = (field: keyof Overhead): number => median(runs.map((run) => run[field]));
  return { wallMicros: of("wallMicros"), cpuMicros: of("cpuMicros"), candidates: of("candidates") };
}
