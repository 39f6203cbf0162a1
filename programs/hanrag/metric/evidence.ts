import type { HanragLabels } from "./labels.ts";
import type { HanragRun } from "./read-run.ts";

/** How far the needed passages got, by id. */
export interface Evidence {
  readonly needed: readonly string[];
  /** Found by no search. */
  readonly neverFound: readonly string[];
  /** Found, but never read by the generator. */
  readonly dropped: readonly string[];
  readonly isComplete: boolean;
}

/** If no passage is known to be needed, none is missing. */
export function evidenceIn({ cycles }: HanragRun, { relevant = {} }: HanragLabels): Evidence {
  const needed = Object.keys(relevant).filter((id) => (relevant[id] ?? 0) > 0);
  const found = new Set(cycles.flatMap((cycle) => cycle.found));
  const read = new Set(cycles.flatMap((cycle) => cycle.read));
  return {
    needed,
    neverFound: needed.filter((id) => !found.has(id)),
    dropped: needed.filter((id) => found.has(id) && !read.has(id)),
    isComplete: needed.every((id) => read.has(id)),
  };
}
