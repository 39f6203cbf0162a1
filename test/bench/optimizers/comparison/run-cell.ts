import type { Cell } from "../environments/cells.ts";
import type { Engine } from "../engines/engines.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import type { RunStore } from "../../../../scripts/support/run-store.ts";

export interface Recorded {
  readonly store: RunStore<RunFigures>;
  /** What the tasks themselves depend on: runs on other tasks are not reused. */
  readonly tasksVersion: string;
  /** How many recorded runs of a peer are run again first. */
  readonly repeated: number;
}

/** Runs of an engine in a cell; a peer's recorded runs count after some were run again. */
export async function runCell<TEnvironment>(
  engine: Engine<TEnvironment>,
  cell: Cell<TEnvironment>,
  { store, tasksVersion, repeated }: Recorded,
): Promise<readonly RunFigures[]> {
  const keyOf = ({ task, run }: Cell["runs"][number]): string =>
    [
      engine.name,
      engine.version,
      tasksVersion,
      cell.shape.key,
      cell.actsOn,
      cell.metricCalls,
      task,
      run,
    ].join("/");
  const storedOf = (place: Cell["runs"][number]): RunFigures | undefined =>
    store.get(keyOf(place)) ?? engine.recorded?.(cell, place);
  const recorded = cell.runs.filter((place) => storedOf(place) !== undefined);
  let isTrusted = true;
  for (const place of engine.isPeer ? recorded.slice(0, repeated) : []) {
    const again = await engine.search(cell, place);
    isTrusted &&= isSame(again, storedOf(place));
    store.add({ key: keyOf(place), figures: again });
  }
  const figures: RunFigures[] = [];
  for (const place of cell.runs) {
    const known = isTrusted ? storedOf(place) : undefined;
    const found = known ?? (await engine.search(cell, place));
    if (known === undefined) store.add({ key: keyOf(place), figures: found });
    figures.push(found);
  }
  return figures;
}

function isSame(one: RunFigures, other: RunFigures | undefined): boolean {
  return one.test === other?.test && one.metricCalls === other.metricCalls;
}
