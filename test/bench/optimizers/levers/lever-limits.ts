import type { EngineFigures } from "../comparison/cell-figures.ts";
import type { CellRow } from "../comparison/table.ts";
import type { Limit } from "../limit.ts";
import { judged } from "../limit.ts";
import { dspyMipro, ownMipro } from "./lever-engines.ts";
import { leverShapes } from "./lever-shapes.ts";

/** Of `miproV2()`, in every cell. */
export function onLevers(rows: readonly CellRow[]): readonly Limit[] {
  const enginesAt = (shape: string, calls: number): readonly EngineFigures[] =>
    rows.find((one) => one.shape === shape && one.metricCalls === calls)?.engines ?? [];
  return leverShapes.flatMap(({ key, budgets }) =>
    budgets.map((budget) => besideNamesake(`${key} at ${budget}`, enginesAt(key, budget))),
  );
}

function besideNamesake(cell: string, engines: readonly EngineFigures[]): Limit {
  const gain = engines.find(({ engine }) => engine === ownMipro)?.overNamesake;
  return [
    `${cell}: miproV2() not below ${dspyMipro} on test by more than the interval of the difference`,
    judged(gain && (gain.interval?.high ?? gain.difference), (high) => high >= 0),
  ];
}
