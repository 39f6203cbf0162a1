import { randomSource } from "espalier";
import type { CoupledExample, CoupledTask } from "../../../support/yardstick/coupled-task.ts";
import { coupledScore, directives } from "../../../support/yardstick/coupled-task.ts";
import { mockText } from "../../../support/yardstick/mock-reflection.ts";
import type { Environment } from "./environment.ts";
import { normal } from "./environment.ts";

/** A task of the first yardstick or of one of its variants, with the yardstick's mock. */
export function yardstickEnvironment(
  task: CoupledTask,
  index: number,
  {
    actsOn,
    neverRepeats = false,
  }: {
    readonly actsOn: number;
    /** Whether the mock writes only new texts, so that refusing known texts saves nothing. */
    readonly neverRepeats?: boolean;
  },
): Environment {
  const all = [...task.train, ...task.val, ...task.test];
  const byId = new Map(all.map((example) => [example.id, example]));
  const inTrain = new Set(task.train.map(({ id }) => id));
  const exampleOf = (id: string): CoupledExample => byId.get(id) ?? { id, needs: {} };
  const idsOf = (examples: readonly CoupledExample[]): readonly string[] =>
    examples.map(({ id }) => id);
  const noiseKey = `noise/${task.name}/${task.seed}`;
  const trueScore: Environment["trueScore"] = (texts, exampleId) =>
    coupledScore(task, exampleOf(exampleId), texts);
  return {
    name: task.name,
    task: index,
    texts: task.texts,
    train: idsOf(task.train),
    val: idsOf(task.val),
    test: idsOf(task.test),
    ran: (exampleId) => Object.keys(exampleOf(exampleId).needs),
    trueScore,
    rolloutScore: (texts, exampleId, run, rollout) => {
      const expected = trueScore(texts, exampleId);
      if (task.noise === 0) return expected;
      const random = randomSource(run, noiseKey, rollout);
      return Math.min(1, Math.max(0, expected + task.noise * normal(() => random.random())));
    },
    ...(task.noise > 0 && {
      pythonNoise: (run: number) => ({ key: `${noiseKey}/${run}`, deviation: task.noise }),
    }),
    // By what the texts lack, whatever noise makes of the score.
    feedback: (texts, exampleId) =>
      inTrain.has(exampleId) ? directives(exampleOf(exampleId), texts) : {},
    rewrite: ({ text, feedback, call }) =>
      mockText(text, feedback, { taskSeed: task.seed, call, actsOn, neverRepeats }),
  };
}
