import type { Engine } from "../engines/engines.ts";
import type { Environment } from "../environments/environment.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import { engineFigures, gainOver } from "./cell-figures.ts";
import type { Cell } from "../environments/cells.ts";
import type { Recorded } from "./run-cell.ts";
import { runCell } from "./run-cell.ts";
import type { CellRow } from "./table.ts";

/**
 * Environments x engines x budgets. A search over more than texts is another comparison: shapes
 * with an environment of their own kind, and engines that search it.
 */
export interface Comparison<TEnvironment = Environment> {
  /** Shapes at their budgets. */
  readonly cells: readonly Cell<TEnvironment>[];
  /** The others are compared with the first. */
  readonly engines: readonly Engine<TEnvironment>[];
}

/** Runs every engine in every cell that it takes part in; gives each row when it is done. */
export async function* compare<TEnvironment>(
  { cells, engines }: Comparison<TEnvironment>,
  recorded: Recorded,
): AsyncGenerator<CellRow> {
  for (const cell of cells) {
    const { shape, actsOn, metricCalls } = cell;
    const taking = engines.filter(({ takesPartIn }) => takesPartIn(cell));
    if (taking.length === 0 || shape.isMissing !== undefined) continue;
    const runs = new Map<string, readonly RunFigures[]>();
    for (const engine of taking) runs.set(engine.name, await runCell(engine, cell, recorded));
    const [ours = []] = runs.values();
    const figures = taking.map(({ name, namesake = "" }, index) => {
      const made = runs.get(name) ?? [];
      const peer = runs.get(namesake);
      return {
        ...engineFigures(name, made, index === 0 ? null : ours),
        ...(peer && { overNamesake: gainOver(peer, made, "test") }),
      };
    });
    yield { shape: shape.key, about: shape.about, actsOn, metricCalls, engines: figures };
  }
}
