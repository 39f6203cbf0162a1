import { ApiError } from "../serve/index.ts";
import { failureOf } from "../errors/index.ts";
import { runFolderFiles } from "../optimizer/files.ts";
import type { RunState, StudioComparison } from "../report-page/index.ts";
import type { RunComparison, SourceGiven } from "../report/index.ts";
import { compareRuns } from "../report/index.ts";
import { fileStamp } from "../storage/index.ts";
import type { FoundItem } from "./finding/found.ts";
import { runState } from "./run-state.ts";

/** Sets sources beside each other; what has not changed is not read again. */
export type Comparer = (items: readonly FoundItem[]) => Promise<StudioComparison>;

/** Comparisons that are kept; one may have some ten megabytes. */
const mostKept = 4;

/**
 * A comparison with a running run is made again after this many times as long as it took: reading
 * takes at most a tenth of one core. The first one's time is also that of loading code.
 */
const idleShare = { first: 2, later: 10 } as const;

/** While a run goes on its figures move anyway. */
const resamples = { settled: 10_000, running: 1_000 } as const;

export function comparer({
  readSource,
  now,
}: {
  readonly readSource: (path: string) => Promise<SourceGiven>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}): Comparer {
  const kept = new Map<string, Kept>();
  return async (items) => {
    const name = JSON.stringify(items.map(({ id }) => id));
    const states = items.map(({ path }) => (isRun(path) ? runState(path) : null));
    const isRunning = states.some((state) => state === "running" || state === "stopping");
    const stamp = JSON.stringify([states, items.map(({ path }) => stampOf(path))]);
    let held = kept.get(name);
    const isHeld = held?.stamp === stamp || (isRunning && now() < (held?.againAt ?? 0));
    if (held === undefined || !isHeld) {
      const begunAt = now();
      const comparison = await compared(items, readSource, isRunning);
      const share = held === undefined ? idleShare.first : idleShare.later;
      held = { stamp, comparison, againAt: now() + share * (now() - begunAt) };
    }
    // The newest last.
    kept.delete(name);
    kept.set(name, held);
    for (const old of [...kept.keys()].slice(0, -mostKept)) kept.delete(old);
    const { comparison, againAt } = held;
    const runs = comparison.sources.flatMap(({ key }, place) => {
      const state = states[place] ?? null;
      return state === null ? [] : [[key, { id: items[place]?.id ?? "", state }] as const];
    });
    return {
      comparison,
      runs: Object.fromEntries<{ readonly id: string; readonly state: RunState }>(runs),
      againMs: isRunning ? Math.max(0, againAt - now()) : 0,
    };
  };
}

interface Kept {
  readonly stamp: string;
  readonly comparison: RunComparison;
  readonly againAt: number;
}

async function compared(
  items: readonly FoundItem[],
  readSource: (path: string) => Promise<SourceGiven>,
  isRunning: boolean,
): Promise<RunComparison> {
  try {
    const sources: SourceGiven[] = [];
    for (const { id, path } of items) sources.push({ ...(await readSource(path)), path: id });
    return compareRuns(sources, { resamples: isRunning ? resamples.running : resamples.settled });
  } catch (error) {
    throw new ApiError(400, "sources_unreadable", failureOf(error).message);
  }
}

function isRun(path: string): boolean {
  return fileStamp(runFolderFiles(path).journal) !== null;
}

function stampOf(path: string): string {
  const { journal, artifact } = runFolderFiles(path);
  return [path, journal, artifact].map((file) => fileStamp(file)?.id ?? "").join(" ");
}
