import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { RunFigures } from "../engines/run-figures.ts";

/** A run as it is stored: what was run, and what came of it. */
export interface StoredRun {
  /** Everything that its figures depend on: engine, its sources, shape, budget, task and run. */
  readonly key: string;
  readonly figures: RunFigures;
}

/** Runs that survive an interruption, one JSON line each. */
export interface RunStore {
  get(key: string): RunFigures | undefined;
  add(run: StoredRun): void;
}

export function runStore(file: string): RunStore {
  mkdirSync(dirname(file), { recursive: true });
  const known = new Map<string, RunFigures>();
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (before !== "" && !before.endsWith("\n")) appendFileSync(file, "\n");
  for (const line of before.split("\n")) {
    const stored = parsed(line);
    if (stored !== null) known.set(stored.key, stored.figures);
  }
  return {
    get: (key) => known.get(key),
    add: (run) => {
      known.set(run.key, run.figures);
      appendFileSync(file, `${JSON.stringify(run)}\n`);
    },
  };
}

/** `null` for a line that an interruption cut short. */
function parsed(line: string): StoredRun | null {
  if (line === "") return null;
  try {
    return JSON.parse(line) as StoredRun;
  } catch {
    return null;
  }
}
