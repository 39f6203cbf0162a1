import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** A run as it is stored: what was run, and what came of it. */
export interface StoredRun<TFigures> {
  /** Everything that its figures depend on, sources among it. */
  readonly key: string;
  readonly figures: TFigures;
}

/** Runs that survive an interruption, one JSON line each. */
export interface RunStore<TFigures> {
  get(key: string): TFigures | undefined;
  /** By their keys, in the order in which they were added. */
  all(): ReadonlyMap<string, TFigures>;
  add(run: StoredRun<TFigures>): void;
}

export function runStore<TFigures>(file: string): RunStore<TFigures> {
  const known = new Map<string, TFigures>();
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (before !== "" && !before.endsWith("\n")) appendFileSync(file, "\n");
  for (const line of before.split("\n")) {
    const stored = parsed<TFigures>(line);
    if (stored !== null) known.set(stored.key, stored.figures);
  }
  return {
    get: (key) => known.get(key),
    all: () => known,
    add: (run) => {
      known.set(run.key, run.figures);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify(run)}\n`);
    },
  };
}

/** `null` for a line that an interruption cut short. */
function parsed<TFigures>(line: string): StoredRun<TFigures> | null {
  if (line === "") return null;
  try {
    return JSON.parse(line) as StoredRun<TFigures>;
  } catch {
    return null;
  }
}
