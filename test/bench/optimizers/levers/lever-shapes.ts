import { readJointYardstick } from "../environments/joint-environment.ts";
import type { Shape } from "../environments/shape.ts";
import { sharedData } from "../../../support/shared-data.ts";
import type { LeverTask } from "./lever-task.ts";
import { leverTask } from "./lever-task.ts";

const data = sharedData("../bench/joint/joint.mjs");
export const isYardstickMissing = data.isAbsent;
const yardstick = data.isAbsent ? null : await readJointYardstick(data.file);

/** The joint yardstick with all levers; budgets are calls of the student. */
export const leverShapes: readonly Shape<LeverTask>[] = [
  shape("all", "every lever matters", [300, 1_000, 3_000]),
  shape("one", "one step", [300, 1_000, 3_000]),
  shape("four", "four steps", [1_000]),
  shape("graded", "scores in tenths", [1_000]),
  shape("noise", "much luck", [1_000]),
  shape("instr", "instructions matter alone", [1_000]),
  shape("demo", "demonstrations matter alone", [1_000]),
  shape("param", "parameters matter alone", [1_000]),
  shape("none", "nothing helps, and what is added costs", [300, 1_000]),
];

function shape(variant: string, about: string, budgets: readonly number[]): Shape<LeverTask> {
  return {
    key: `levers-${variant}`,
    about: `the joint yardstick: instructions, demonstrations, parameters; ${about}`,
    budgets,
    actsOn: "three",
    tasks: 5,
    runsOfTask: 3,
    hasSeveralTexts: variant !== "one",
    hasEveryPeer: ["all", "one"].includes(variant),
    ...(data.isAbsent && { isMissing: "../shared/bench/joint is not beside the repository" }),
    environment: (task) => {
      if (yardstick === null) throw new Error("The joint yardstick is missing.");
      return leverTask(yardstick, variant, task);
    },
  };
}
