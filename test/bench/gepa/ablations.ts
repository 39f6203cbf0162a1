import {
  anyOnVal,
  bestOrParetoParent,
  bestParent,
  commonAncestorMerge,
  defaultChecks,
  epochMinibatches,
  fullValidation,
  improvementOnVal,
  improvementOrEqual,
  jointComponents,
  neutralByTraining,
  paretoParent,
  racingValidation,
  roundRobin,
  statisticalImprovement,
  targetedLessons,
} from "espalier/optimizer";
import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";
import type { CellFigures } from "./figures.ts";
import { figuresOf } from "./figures.ts";
import { runOurs } from "./on-yardstick.ts";
import { plainGepa } from "./plain-gepa.ts";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";

/** One search that differs from the defaults, or from plain GEPA, in one part. */
export interface Ablation {
  readonly name: string;
  readonly options: FlatGepaOptions;
}

/** Removes each part of the defaults, or adds it to plain GEPA. */
const ablations: Readonly<Record<"removed" | "added", readonly Ablation[]>> = {
  removed: [
    { name: "the defaults", options: {} },
    { name: "no score is inherited", options: { inheritance: "none" } },
    { name: "inherited scores are not audited", options: { inheritance: "trace-always" } },
    {
      name: "lessons: minibatches of epochs",
      options: { minibatch: epochMinibatches() },
    },
    { name: "gate: always", options: { gateAbove: 0 } },
    {
      name: "gate: always, or equal",
      options: { gateAbove: 0, minibatchAcceptance: improvementOrEqual() },
    },
    {
      name: "gate: always, statistical, of six",
      options: {
        gateAbove: 0,
        minibatchAcceptance: statisticalImprovement(),
        minibatch: targetedLessons({ size: 6 }),
      },
    },
    { name: "gate: above 8 minibatches", options: { gateAbove: 8 } },
    { name: "no second try", options: { secondTries: 0 } },
    { name: "on val: improvement", options: { valAcceptance: improvementOnVal() } },
    { name: "on val: any", options: { valAcceptance: anyOnVal() } },
    { name: "one component in turn", options: inTurn() },
    { name: "val in full", options: { validation: fullValidation() } },
    { name: "parent: pareto", options: { parent: paretoParent() } },
    { name: "parent: best", options: { parent: bestParent() } },
    { name: "no checks", options: { checks: [] } },
    { name: "merges", options: { merge: commonAncestorMerge() } },
  ],
  added: [
    { name: "plain GEPA", options: plainGepa() },
    added("inherited scores", { inheritance: "trace" }),
    added("targeted lessons", { minibatch: targetedLessons() }),
    added("no gate", { gateAbove: null }),
    added("checks, a second try", { checks: defaultChecks(), secondTries: 1 }),
    added("on val: improvement", { valAcceptance: improvementOnVal() }),
    added("on val: neutral by training", { valAcceptance: neutralByTraining() }),
    added("joint components", { component: jointComponents() }),
    added("racing", { validation: racingValidation() }),
    added("parent: best or pareto", { parent: bestOrParetoParent() }),
    added("parent: best", { parent: bestParent() }),
    added("gate: statistical, of six", {
      minibatchAcceptance: statisticalImprovement(),
      minibatch: epochMinibatches({ size: 6 }),
    }),
    added("merges", { merge: commonAncestorMerge() }),
  ],
};

export interface AblationColumn {
  readonly name: string;
  readonly tasks: readonly CoupledTask[];
  readonly metricCalls: number;
  readonly reflectionCalls: number;
}

export interface AblationRow {
  readonly kind: "removed" | "added";
  readonly name: string;
  /** By column. */
  readonly figures: Readonly<Record<string, CellFigures>>;
}

export async function runAblations(
  columns: readonly AblationColumn[],
  seeds: number,
): Promise<readonly AblationRow[]> {
  const rows: AblationRow[] = [];
  for (const kind of ["removed", "added"] as const) {
    for (const { name, options } of ablations[kind]) {
      const figures: Record<string, CellFigures> = {};
      for (const { name: column, tasks, ...run } of columns) {
        figures[column] = figuresOf(await runOurs(tasks, { ...run, seeds, options }));
      }
      rows.push({ kind, name, figures });
    }
  }
  console.error("ablations: done");
  return rows;
}

function inTurn(): FlatGepaOptions {
  const component = roundRobin();
  return { component, minibatch: targetedLessons({ components: component }) };
}

function added(name: string, options: FlatGepaOptions): Ablation {
  return { name: `+ ${name}`, options: { ...plainGepa(), ...options } };
}
