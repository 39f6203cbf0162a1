import { existsSync } from "node:fs";
import { journalTail, runFolderFiles } from "../optimizer/files.ts";
import type { RunProgress, RunState, StudioEvent } from "../report-page/index.ts";
import type { Found, SourceFinder } from "./finding/find-sources.ts";
import type { OptimizerEvent } from "../optimizer/index.ts";
import { runState } from "./finding/run-state.ts";

/** Tells listeners what happens below the folder; looks only while somebody listens. */
export interface Live extends Disposable {
  /** @returns ends it */
  listen(listener: (event: StudioEvent) => void): () => void;
}

const lookMs = 500;
/** The folder is searched again this many times as long after a search as that took, at least. */
const idleShare = 20;
const minMs = 2_000;

/**
 * Reads of a running run only what its journal grew by, and takes no lock.
 *
 * @param find called about every two seconds
 */
export function live({
  find,
  now,
  onFault,
}: {
  readonly find: SourceFinder;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}): Live {
  const listeners = new Set<(event: StudioEvent) => void>();
  /** Those who have come since the last look. */
  const fresh = new Set<(event: StudioEvent) => void>();
  const followers = new Map<string, RunFollower>();
  const latest = new Map<string, RunProgress>();
  const unreadable = new Set<string>();
  let found: Found | null = null;
  let last = "";
  let againAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const tell = (event: StudioEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const look = async (): Promise<void> => {
    if (found === null || now() >= againAt) {
      const begunAt = now();
      found = await find();
      againAt = now() + Math.max(minMs, idleShare * (now() - begunAt));
    }
    const runs = found.runs.map(({ id, path }) => ({ id, path, state: runState(path) }));
    for (const run of runs) follow(run);
    const digest = digestOf(found, runs);
    if (last !== "" && digest !== last) tell({ kind: "listing", isFirst: false });
    // What changed between a page's own question and this look, it does not know.
    else for (const listener of fresh) listener({ kind: "listing", isFirst: true });
    fresh.clear();
    last = digest;
  };
  const follow = ({ id, path, state }: LookedAt): void => {
    const isRunning = state === "running" || state === "stopping";
    const follower = followers.get(id) ?? (isRunning ? runFollower(path) : undefined);
    if (follower === undefined || unreadable.has(id)) return;
    followers.set(id, follower);
    try {
      const progress = follower.look();
      if (progress !== null) {
        latest.set(id, progress);
        tell({ kind: "progress", run: id, progress });
      }
    } catch (error) {
      // One broken journal must not keep the others from being followed.
      unreadable.add(id);
      onFault(error);
    }
    if (isRunning) return;
    followers.delete(id);
    latest.delete(id);
  };
  /** One look after the other, however long one takes. */
  const again = (): void => {
    timer = setTimeout(() => {
      look()
        .catch(onFault)
        .finally(() => {
          if (listeners.size > 0) again();
          else timer = undefined;
        });
    }, lookMs).unref();
  };
  return {
    listen: (listener) => {
      listeners.add(listener);
      fresh.add(listener);
      for (const [run, progress] of latest) listener({ kind: "progress", run, progress });
      if (timer === undefined) {
        [found, last] = [null, ""];
        followers.clear();
        latest.clear();
        again();
      }
      return () => {
        listeners.delete(listener);
        fresh.delete(listener);
      };
    },
    [Symbol.dispose]: () => {
      listeners.clear();
      fresh.clear();
      clearTimeout(timer);
    },
  };
}

interface LookedAt {
  readonly id: string;
  readonly path: string;
  readonly state: RunState;
}

/** What the list shows of the state; a running run changes its figures, not this. */
function digestOf(
  { results, artifacts, states, feedback }: Found,
  runs: readonly LookedAt[],
): string {
  const files = [...results, ...artifacts, ...states, ...feedback];
  return JSON.stringify([
    runs.map(({ id, path, state }) => [id, state, existsSync(runFolderFiles(path).artifact)]),
    files.map(({ id, changedMs }) => [id, changedMs]),
  ]);
}

/** Follows one run's decisions. */
interface RunFollower {
  /** What it has decided by now; `null` if that is what it had at the last look. */
  look(): RunProgress | null;
}

/** Throws `file-malformed`, from `look`, for a journal of another version. */
function runFollower(folder: string): RunFollower {
  const tail = journalTail(folder);
  let progress = nothing;
  return {
    look: () => {
      const { isAnew, events } = tail.next();
      if (events.length === 0 && !isAnew) return null;
      progress = events.reduce(after, isAnew ? nothing : progress);
      return progress;
    },
  };
}

const nothing: RunProgress = {
  metricCalls: 0,
  tokens: 0,
  iteration: 0,
  candidates: 0,
  best: null,
  hasEnded: false,
};

function after(progress: RunProgress, event: OptimizerEvent): RunProgress {
  switch (event.kind) {
    case "iteration-start":
      return { ...progress, iteration: event.iteration };
    case "budget-spent":
      return { ...progress, metricCalls: event.metricCalls, tokens: event.tokens };
    case "candidate-accepted":
      return {
        ...progress,
        candidates: progress.candidates + 1,
        best: Math.max(progress.best ?? event.value, event.value),
      };
    case "run-end":
      return { ...progress, best: event.value, hasEnded: true };
    default:
      return progress;
  }
}
