import { sharedData } from "../../../support/shared-data.ts";
import { actsOnCounts } from "./environment.ts";
import { jointEnvironment, readJointYardstick } from "./joint-environment.ts";
import type { Shape } from "./shape.ts";

const data = sharedData("../bench/joint/joint.mjs");
const yardstick = data.isAbsent ? null : await readJointYardstick(data.file);

/** The joint yardstick's instructions; half as many metric calls as it has calls of the student. */
export const jointShapes: readonly Shape[] = [
  shape("instr", "instructions matter alone"),
  shape("all", "demonstrations and parameters matter, too"),
  shape("graded", "the same, with scores in tenths"),
  shape("noise", "the same, with much luck"),
];

function shape(variant: string, about: string): Shape {
  return {
    key: `joint-${variant}`,
    about: `the joint yardstick, two steps, ${about}`,
    budgets: [150, 500, 2_000],
    actsOn: "three",
    tasks: 5,
    runsOfTask: 6,
    hasSeveralTexts: true,
    ...(data.isAbsent && { isMissing: "../shared/bench/joint is not beside the repository" }),
    environment: (task, actsOn) => {
      if (yardstick === null) throw new Error("The joint yardstick is missing.");
      return jointEnvironment(yardstick, variant, task, actsOnCounts[actsOn]);
    },
  };
}
