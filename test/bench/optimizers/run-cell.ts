import type { Cell } from "./cells.ts";
import type { Engine } from "./engines.ts";
import type { RunFigures } from "./run-ours.ts";
import type { RunStore } from "./run-store.ts";

/** Runs of an engine in a cell; a peer's recorded runs count after some were run again. */
export async function runCell(
  engine: Engine,
  cell: Cell,
  {
    store,
    tasksVersion,
    repeated,
  }: {
    readonly store: RunStore;
    readonly tasksVersion: string;
    /** How many recorded runs of a peer are run again first. */
    readonly repeated: number;
  },
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
  const recorded = cell.runs.filter((place) => store.get(keyOf(place)) !== undefined);
  let isTrusted = true;
  for (const place of engine.isPeer ? recorded.slice(0, repeated) : []) {
    const again = await engine.search(cell, place);
    isTrusted &&= isSame(again, store.get(keyOf(place)));
    store.add({ key: keyOf(place), figures: again });
  }
  const figures: RunFigures[] = [];
  for (const place of cell.runs) {
    const key = keyOf(place);
    const known = isTrusted ? store.get(key) : undefined;
    const found = known ?? (await engine.search(cell, place));
    if (known === undefined) store.add({ key, figures: found });
    figures.push(found);
  }
  return figures;
}

function isSame(one: RunFigures, other: RunFigures | undefined): boolean {
  return one.test === other?.test && one.metricCalls === other.metricCalls;
}
