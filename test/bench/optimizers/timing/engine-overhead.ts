import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../../support/measure.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import type { GepaProcess } from "../engines/run-gepa.ts";
import { runOurs } from "../engines/run-ours.ts";
import { busyEnvironment } from "../environments/busy-environment.ts";

/** Metric calls per run. */
export const overheadSizes = [200, 2_000, 10_000] as const;

/** Time per metric call without the environment's own, in microseconds. */
export interface Overhead {
  readonly wallMicros: number;
  /** Leaves out waiting for the disk. */
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
  const search = (metricCalls: number): Promise<Overhead> =>
    once(metricCalls, (runFolder) =>
      runOurs(busyEnvironment(), { metricCalls, run: 0 }, { runFolder }),
    );
  for (let run = 0; run < warmUps; run++) await search(Math.max(...overheadSizes));
  return bySize(async (size) => medianOf(await repeated(rounds, () => search(size))));
}

/**
 * The peer's time on the same task, with its run folder; the longest run runs only once because it
 * is slow.
 */
export function peerOverhead(peer: GepaProcess, rounds: number): Promise<OverheadBySize> {
  const search = (metricCalls: number): Promise<Overhead> =>
    once(metricCalls, (folder) =>
      peer.search(busyEnvironment(), { metricCalls, run: 0 }, { run_dir: folder }),
    );
  return bySize(async (size) => {
    if (size === 10_000) return search(size);
    const [, ...warmed] = await repeated(rounds + 1, () => search(size));
    return medianOf(warmed);
  });
}

async function bySize(measure: (size: number) => Promise<Overhead>): Promise<OverheadBySize> {
  const overheads: Record<string, Overhead> = {};
  for (const size of overheadSizes) overheads[size] = await measure(size);
  return overheads;
}

async function repeated<TResult>(
  times: number,
  work: () => Promise<TResult>,
): Promise<readonly TResult[]> {
  const results: TResult[] = [];
  for (let time = 0; time < times; time++) results.push(await work());
  return results;
}

async function once(
  metricCalls: number,
  search: (runFolder: string) => Promise<RunFigures>,
): Promise<Overhead> {
  const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
  const { engine } = await search(join(folder, "run"));
  await rm(folder, { recursive: true });
  if (engine === undefined || engine.calls < 0.95 * metricCalls) {
    throw new Error(`The task kept the engine busy for ${engine?.calls} calls only.`);
  }
  const { calls, candidates, wallMs, cpuMs } = engine;
  return {
    wallMicros: (wallMs * 1000) / calls,
    cpuMicros: (cpuMs * 1000) / calls,
    candidates,
  };
}

function medianOf(runs: readonly Overhead[]): Overhead {
  const of = (field: keyof Overhead): number => median(runs.map((run) => run[field]));
  return { wallMicros: of("wallMicros"), cpuMicros: of("cpuMicros"), candidates: of("candidates") };
}

export function overheadTable(
  engines: Readonly<Record<string, OverheadBySize | null>>,
): readonly string[] {
  return [
    "engine time per metric call, journal on disk      calls   wall       CPU        candidates",
    ...Object.entries(engines).flatMap(([name, sizes]) =>
      Object.entries(sizes ?? {}).map(([size, { wallMicros, cpuMicros, candidates }]) =>
        [
          name.padEnd(50),
          size.padEnd(8),
          `${wallMicros.toFixed(1)} us`.padEnd(11),
          `${cpuMicros.toFixed(1)} us`.padEnd(11),
          String(candidates),
        ].join(""),
      ),
    ),
  ];
}
