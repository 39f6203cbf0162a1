import { dirname } from "node:path";
import { sharedData } from "../../../support/shared-data.ts";
import type { CoupledTask } from "../../../support/yardstick/coupled-task.ts";
import { fromYardstick, interactionTask } from "../../../support/yardstick/coupled-task.ts";
import { readYardstick } from "../../../support/yardstick/yardstick-task.ts";
import { actsOnCounts } from "./environment.ts";
import type { Shape } from "./shape.ts";
import { yardstickEnvironment } from "./yardstick-environment.ts";

const data = sharedData("../bench/gepa/task.json");
const { tasks = [], seedTexts = {} } = data.isAbsent ? {} : readYardstick(dirname(data.file));
const ofVariant = (name: "additive" | "conflict"): readonly CoupledTask[] =>
  tasks.filter(({ variant }) => variant === name).map((task) => fromYardstick(task, seedTexts));
const [additive, conflict] = [ofVariant("additive"), ofVariant("conflict")];
const interaction = (scoring: "share" | "product"): readonly CoupledTask[] =>
  additive.map(({ seed }) => interactionTask(seed, scoring, seedTexts));
const [sum, product] = [interaction("share"), interaction("product")];

/** The first yardstick: two texts, of which each example is about one. */
export const yardstickShapes: readonly Shape[] = [
  shape("additive", "the first yardstick, additive", additive),
  shape("conflict", "the first yardstick, conflict", conflict),
];

/**
 * Tasks that differ from the first yardstick's in one or two respects: every example needs both
 * texts, scores are noisy, or no text occurs twice.
 */
export const yardstickVariants: readonly Shape[] = [
  shape("interaction-add", "both texts in every example, sum", sum),
  shape("interaction-mul", "both texts in every example, product", product),
  shape("additive+noise", "additive, sd .15 added", noisy(additive)),
  shape("conflict+noise", "conflict, sd .15 added", noisy(conflict)),
  shape("interaction-add+noise", "sum, sd .15 added", noisy(sum)),
  shape("interaction-mul+noise", "product, sd .15 added", noisy(product)),
  shape("additive+unrepeated", "additive, no text twice", additive, true),
  shape("conflict+unrepeated", "conflict, no text twice", conflict, true),
  shape("interaction-add+unrepeated", "sum, no text twice", sum, true),
  shape("interaction-mul+unrepeated", "product, no text twice", product, true),
];

function noisy(given: readonly CoupledTask[]): readonly CoupledTask[] {
  return given.map((task) => ({ ...task, noise: 0.15 }));
}

function shape(
  key: string,
  about: string,
  given: readonly CoupledTask[],
  neverRepeats = false,
): Shape {
  return {
    key,
    about,
    budgets: [200, 500],
    actsOn: "one",
    tasks: 5,
    runsOfTask: 20,
    texts: { 200: 18, 500: 40 },
    hasSeveralTexts: true,
    ...(data.isAbsent && { isMissing: "../shared/bench/gepa is not beside the repository" }),
    environment: (index, actsOn) => {
      const task = given[index];
      if (task === undefined) throw new Error(`${key} has no task ${index}`);
      return yardstickEnvironment(task, index, { actsOn: actsOnCounts[actsOn], neverRepeats });
    },
  };
}
