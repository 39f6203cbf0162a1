import { ApiError } from "../serve/index.ts";
import { failureOf } from "../errors/index.ts";
import type { RunState, StudioComparison } from "../report-page/index.ts";
import type { FoundItem } from "./finding/find-sources.ts";
import { filesStamp, isRun, runState } from "./finding/run-state.ts";
import type { ComparedSources, SourceWork } from "./thread/source-work.ts";

/**
 * Sets sources beside each other, as the JSON of a `StudioComparison` in pieces of UTF-8; what has
 * not changed is not read again.
 */
export type Comparer = (items: readonly FoundItem[]) => Promise<readonly Uint8Array[]>;

/** Comparisons that are kept; one may have some ten megabytes. */
const maxKept = 4;

/**
 * A comparison with a running run is made again after this many times as long as it took: reading
 * takes at most a tenth of one core. The first one's time is also that of loading code.
 */
const idleShare = { first: 2, later: 10 } as const;

/** While a run goes on its figures move anyway. */
const resamples = { settled: 10_000, running: 1_000 } as const;

export function comparer({
  work,
  now,
}: {
  readonly work: Pick<SourceWork, "compare">;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}): Comparer {
  const kept = new Map<string, Kept>();
  const making = new Map<string, Promise<Kept>>();

  /** Made once, whoever asks for it meanwhile. */
  const made = (name: string, items: readonly FoundItem[], seen: Seen): Promise<Kept> => {
    const isRunning = seen.states.some(goesOn);
    // A journal that grows would be another one each time.
    const which = JSON.stringify([name, isRunning ? seen.states : stampOf(seen)]);
    const begun = making.get(which);
    if (begun !== undefined) return begun;
    const begunAt = now();
    const share = kept.has(name) ? idleShare.later : idleShare.first;
    const one = work
      .compare({
        items: items.map(({ id, path }, index) => ({ id, path, stamp: seen.stamps[index] ?? "" })),
        resamples: isRunning ? resamples.running : resamples.settled,
      })
      .then((compared): Kept => {
        const againAt = now() + share * (now() - begunAt);
        return { stamp: stampOf(seen), compared, againAt };
      })
      .finally(() => making.delete(which));
    making.set(which, one);
    return one;
  };

  return async (items) => {
    const name = JSON.stringify(items.map(({ id }) => id));
    const seen: Seen = {
      states: items.map(({ path }) => (isRun(path) ? runState(path) : null)),
      stamps: items.map(({ path }) => filesStamp(path)),
    };
    const isRunning = seen.states.some(goesOn);
    let held = kept.get(name);
    const isHeld = held?.stamp === stampOf(seen) || (isRunning && now() < (held?.againAt ?? 0));
    if (held === undefined || !isHeld) {
      held = await made(name, items, seen).catch((error: unknown) => {
        throw new ApiError(400, "sources_unreadable", failureOf(error).message);
      });
    }
    // The newest last.
    kept.delete(name);
    kept.set(name, held);
    for (const old of [...kept.keys()].slice(0, -maxKept)) kept.delete(old);
    const { compared, againAt } = held;
    const sources = compared.sources.map(({ key, hasRollouts }, index) => {
      const state = seen.states[index];
      return [key, { id: items[index]?.id ?? "", hasRollouts, ...(state && { state }) }] as const;
    });
    return answerOf(compared, {
      sources: Object.fromEntries(sources),
      againMs: isRunning ? Math.max(0, againAt - now()) : 0,
    });
  };
}

/** Sources at one moment. */
interface Seen {
  /** `null` of what is no run. */
  readonly states: readonly (RunState | null)[];
  readonly stamps: readonly string[];
}

interface Kept {
  readonly stamp: string;
  readonly compared: ComparedSources;
  readonly againAt: number;
}

/** The comparison is JSON already, and may be large: it is put between the other fields. */
function answerOf(
  { json }: ComparedSources,
  others: Omit<StudioComparison, "comparison">,
): readonly Uint8Array[] {
  const rest = JSON.stringify(others).slice(1);
  return [Buffer.from('{"comparison":'), json, Buffer.from(`,${rest}`)];
}

function goesOn(state: RunState | null): boolean {
  return state === "running" || state === "stopping";
}

function stampOf(seen: Seen): string {
  return JSON.stringify(seen);
}
