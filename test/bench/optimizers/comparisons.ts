import type { Comparison } from "./comparison/compare.ts";
import { sourceHash } from "../../../scripts/support/source-hash.ts";
import { axEngines, gepaEngines, ourEngines } from "./engines/engines.ts";
import type { GepaProcess } from "./engines/run-gepa.ts";
import { dspyEngines, ourLeverEngines } from "./levers/lever-engines.ts";
import { leverShapes } from "./levers/lever-shapes.ts";
import type { LeverTask } from "./levers/lever-task.ts";
import type { CellSelection } from "./environments/cells.ts";
import { cellsOf } from "./environments/cells.ts";
import { shapes } from "./environments/shapes.ts";
import { yardstickShapes, yardstickVariants } from "./environments/yardstick-shapes.ts";

/** What each part of the bench that compares engines compares. Ours at its defaults comes first. */
export function comparisons(
  selection: CellSelection,
  peer: GepaProcess | null,
): Readonly<Record<"shapes" | "variants" | "ablations", Comparison>> {
  const { defaults, plain, halfTheTexts, ablated } = ourEngines();
  const gepa = peer === null ? [] : gepaEngines(peer);
  const own: CellSelection = { ...selection, actsOn: ["own"] };
  const at200 = yardstickVariants
    .filter(({ key }) => ["interaction-add", "additive+noise"].includes(key))
    .map((shape) => ({ ...shape, budgets: [200] }));
  return {
    shapes: {
      cells: cellsOf(shapes, selection),
      engines: [defaults, plain, ...gepa, halfTheTexts, ...axEngines()],
    },
    variants: { cells: cellsOf(yardstickVariants, own), engines: [defaults, plain, ...gepa] },
    ablations: {
      cells: cellsOf([...yardstickShapes, ...at200], own),
      engines: [defaults, plain, ...ablated],
    },
  };
}

/** Searches over instructions, demonstrations and parameters. `dspy`: a Python that has it. */
export function leverComparison(
  selection: CellSelection,
  dspy: string | null,
): Comparison<LeverTask> {
  const peers = dspy === null ? [] : dspyEngines(dspy);
  return {
    cells: cellsOf(leverShapes, { ...selection, actsOn: ["own"] }),
    engines: [...ourLeverEngines(), ...peers],
  };
}

/** What the tasks themselves depend on. */
export function taskSource(): string {
  return sourceHash([
    "test/bench/optimizers/environments",
    "test/bench/optimizers/engines/gepa-pipe.py",
    "test/support/yardstick",
  ]);
}
