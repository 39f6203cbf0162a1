import type { Engine } from "../engines/engines.ts";
import type { Environment } from "../environments/environment.ts";
import { engineFigures } from "./cell-figures.ts";
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
    const [first, ...others] = engines.filter(({ takesPartIn }) => takesPartIn(cell));
    if (first === undefined || shape.isMissing !== undefined) continue;
    const ours = await runCell(first, cell, recorded);
    const figures = [engineFigures(first.name, ours, null)];
    for (const engine of others) {
      figures.push(engineFigures(engine.name, await runCell(engine, cell, recorded), ours));
    }
    yield { shape: shape.key, about: shape.about, actsOn, metricCalls, engines: figures };
  }
}
