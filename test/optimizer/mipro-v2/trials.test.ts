import { expect, it } from "vitest";
import { randomSource } from "espalier";
import type { OptimizerRun } from "espalier/optimizer";
import { tunablesOf } from "../../../src/optimizer/mipro-v2/choices.ts";
import type { Trial } from "../../../src/optimizer/mipro-v2/run-mipro-v2.ts";
import { startTrials } from "../../../src/optimizer/mipro-v2/run-mipro-v2.ts";

const own = { kind: "instruction", path: "p", value: "Own." } as const;
const run = { summarize: () => ({ isMean: true }) } as unknown as OptimizerRun;
const tunables = tunablesOf([[own, { ...own, value: "Other." }]], []);

/** A trial of an option, with the scores of the first examples. */
function trial(option: number, scores: readonly (number | null)[]): Trial {
  return {
    setting: { "instruction:p": String(option) },
    components: [own],
    rollouts: scores.map((value, index) => ({
      exampleId: `v${index}`,
      score: value === null ? { kind: "unscored" } : { kind: "scored", value },
    })) as unknown as Trial["rollouts"],
  };
}

/** @param panel number of examples that judge */
function trialsWith(all: readonly Trial[], panel: number) {
  const trials = startTrials(run, panel, []);
  for (const one of all) trials.put(one);
  return trials;
}

const half = Array.from({ length: 20 }, (_, index) => index % 2);

it("two lucky examples promise less than many good ones", () => {
  const good = half.map((score, index) => (index < 16 ? 1 : score));
  const found = [trial(0, half), trial(1, [1, 1]), trial(2, good)];
  expect(trialsWith(found, 40).mostPromising()).toBe(found[2]);
});

it("a trial whose every example ended in a fault has no value, so it promises nothing", () => {
  const found = [trial(0, half), trial(1, [null, null])];
  const trials = trialsWith(found, half.length);
  expect(trials.mostPromising()).toBeUndefined();
  expect(trials.best()).toBe(found[0]);
});

it("what was run on all examples is not tried again, and where nothing is left, nothing is", () => {
  const whole = [trial(0, half), trial(1, half)];
  const random = randomSource(0, "next", 0);
  const one = trialsWith([whole[0] as Trial, trial(1, [1])], half.length);
  expect(one.next(tunables, random)).toEqual({ "instruction:p": "1" });
  expect(trialsWith(whole, half.length).next(tunables, random)).toBeUndefined();
});
