import type { CoupledExample, CoupledTask } from "../../support/yardstick/coupled-task.ts";
import { coupledScore, directives } from "../../support/yardstick/coupled-task.ts";
import { standInText } from "../../support/yardstick/stand-in-reflection.ts";
import type { Environment } from "./environment.ts";

/** A task of the first yardstick, with its own stand-in. */
export function yardstickEnvironment(
  task: CoupledTask,
  place: number,
  actsOn: number,
): Environment {
  const all = [...task.train, ...task.val, ...task.test];
  const byId = new Map(all.map((example) => [example.id, example]));
  const inTrain = new Set(task.train.map(({ id }) => id));
  const exampleOf = (id: string): CoupledExample => byId.get(id) ?? { id, needs: {} };
  const idsOf = (examples: readonly CoupledExample[]): readonly string[] =>
    examples.map(({ id }) => id);
  const trueScore: Environment["trueScore"] = (texts, exampleId) =>
    coupledScore(task, exampleOf(exampleId), texts);
  return {
    name: task.name,
    task: place,
    texts: task.texts,
    train: idsOf(task.train),
    val: idsOf(task.val),
    test: idsOf(task.test),
    ran: (exampleId) => Object.keys(exampleOf(exampleId).needs),
    trueScore,
    rolloutScore: trueScore,
    feedback: (texts, exampleId) =>
      inTrain.has(exampleId) ? directives(exampleOf(exampleId), texts) : {},
    rewrite: ({ text, feedback, call }) =>
      standInText(text, feedback, { taskSeed: task.seed, call, actsOn }),
  };
}
