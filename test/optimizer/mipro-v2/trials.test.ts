import { expect, it } from "vitest";
import { randomSource } from "espalier";
import type { OptimizerRun } from "espalier/optimizer";
import { choicesOf } from "../../../src/optimizer/mipro-v2/choices.ts";
import type { Trial } from "../../../src/optimizer/mipro-v2/trials.ts";
import { startTrials } from "../../../src/optimizer/mipro-v2/trials.ts";

const own = { kind: "instruction", path: "p", value: "Own." } as const;
const space = { name: "s", components: [own], train: [], val: [], describe: () => "" };
const run = { summarize: () => ({ isMean: true }) } as unknown as OptimizerRun;

/** A trial of an option, with the scores of the first examples. */
function trial(option: number, scores: readonly (number | null)[]): Trial {
  return {
    setting: { "instruction:p": String(option) },
    components: [own],
    iteration: option,
    rollouts: scores.map((value, index) => ({
      exampleId: `v${index}`,
      score: value === null ? { kind: "unscored" } : { kind: "scored", value },
    })) as unknown as Trial["rollouts"],
    isWhole: false,
  };
}

function trialsWith(all: readonly Trial[]) {
  const options = all.map((_, index) => ({ ...own, value: `Text ${index}.` }));
  const choices = choicesOf(space, [{ options: [own, ...options.slice(1)] }], []);
  const trials = startTrials(run, choices);
  for (const one of all) trials.put(one);
  return trials;
}

const half = Array.from({ length: 20 }, (_, index) => index % 2);

it("two lucky examples promise less than many good ones", () => {
  const good = half.map((score, index) => (index < 16 ? 1 : score));
  const trials = trialsWith([trial(0, half), trial(1, [1, 1]), trial(2, good)]);
  expect(trials.mostPromising()?.iteration).toBe(2);
});

it("a trial whose every example ended in a fault has no value, so it promises nothing", () => {
  const trials = trialsWith([{ ...trial(0, half), isWhole: true }, trial(1, [null, null])]);
  expect(trials.mostPromising()).toBeUndefined();
  expect(trials.best()?.iteration).toBe(0);
});

it("what was run on all examples is not tried again, and where nothing is left, nothing is", () => {
  const whole = [trial(0, half), trial(1, half)].map((one) => ({ ...one, isWhole: true }));
  const random = randomSource(0, "next", 0);
  expect(trialsWith([whole[0] as Trial, trial(1, [1])]).next(random)).toEqual({
    "instruction:p": "1",
  });
  expect(trialsWith(whole).next(random)).toBeUndefined();
});
