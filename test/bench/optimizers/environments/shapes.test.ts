import { describe, expect, it } from "vitest";
import { sharedData } from "../../../support/shared-data.ts";
import { trueMean } from "./environment.ts";
import { readJointYardstick } from "./joint-environment.ts";
import { shapes } from "./shapes.ts";
import { yardstickVariants } from "./yardstick-shapes.ts";

const joint = sharedData("../bench/joint/joint.mjs");
const gepaTasks = sharedData("../bench/gepa/task.json");
const all = [...shapes, ...yardstickVariants];

function shape(key: string): (typeof shapes)[number] {
  const found = all.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no shape ${key}`);
  return found;
}

describe("the tasks of bench:optimizers", () => {
  it("are the same tasks every time", () => {
    const scores = shapes
      .filter(({ isMissing }) => isMissing === undefined)
      // The tasks of the yardsticks are checked where they are kept.
      .filter(({ key }) => !/^(?:additive|conflict|joint-)/.test(key))
      .map(({ key, environment }) => {
        const task = environment(3, "three");
        const feedback = Object.entries(task.feedback(task.texts, task.train[0] ?? "", 0));
        return [key, trueMean(task, "test", task.texts).toFixed(4), feedback.flat().join(" ")];
      });
    expect(scores).toMatchInlineSnapshot(`
      [
        [
          "a",
          "0.0000",
          "c0 ADD kw_c0_2",
        ],
        [
          "b",
          "0.0000",
          "c0 ADD kw_c0_4 c1 ADD kw_c1_1 c2 ADD kw_c2_1",
        ],
        [
          "c",
          "0.0000",
          "c0 ADD kw_c0_0",
        ],
        [
          "c'",
          "0.3328",
          "prompt Case tr0: skill 9 was lacking.",
        ],
        [
          "d",
          "0.0000",
          "c0 ADD kw_c0_1",
        ],
        [
          "e",
          "0.9400",
          "",
        ],
      ]
    `);
  });

  it.skipIf(shape("joint-all").isMissing !== undefined)(
    `of the joint yardstick are worth what its own formula says${joint.note}`,
    async () => {
      const { Task, DEFAULTS } = await readJointYardstick(joint.file);
      const { environment } = shape("joint-all");
      for (const seed of [0, 4]) {
        const texts = { step1: "Carry out step 1. kw_1_00 kw_1_03", step2: "kw_2_05 kw_1_07" };
        const steps = [new Set([0, 3]), new Set([5])].map((words) => ({
          words,
          demos: [] as const,
        }));
        const exact = new Task("all", seed).exact({ steps, par: DEFAULTS }, "te");
        expect(trueMean(environment(seed, "three"), "test", texts)).toBeCloseTo(exact, 12);
      }
    },
  );

  it("act on as many lessons as the mock is said to act on", () => {
    for (const key of ["a", "joint-all"].filter((one) => shape(one).isMissing === undefined)) {
      const { environment } = shape(key);
      const [component, keyword] = key === "a" ? ["c0", "kw_c0_"] : ["step1", "kw_1_0"];
      for (const [actsOn, added] of [
        ["one", 1],
        ["three", 3],
        ["all", 5],
      ] as const) {
        const task = environment(0, actsOn);
        const feedback = [0, 1, 2, 3, 4].map((number) => `ADD ${keyword}${number}`);
        const written = Array.from({ length: 40 }, (_, call) =>
          task.rewrite({ component, text: "base", feedback, run: 0, call }),
        );
        const counts = written.map((text) =>
          text.split(" ").filter((word) => word.startsWith("kw")),
        );
        expect(Math.max(...counts.map(({ length }) => length))).toBe(added);
      }
    }
  });

  it("say nothing about examples outside train", () => {
    for (const { environment, isMissing } of all) {
      if (isMissing !== undefined) continue;
      const task = environment(0, "three");
      expect(task.feedback(task.texts, task.val[0] ?? "", 0)).toEqual({});
      expect(task.feedback(task.texts, task.test[0] ?? "", 0)).toEqual({});
    }
  });

  it.skipIf(gepaTasks.isAbsent)(
    `of a noisy variant score a rollout the same every time, and others with other luck${gepaTasks.note}`,
    () => {
      const task = shape("additive+noise").environment(1, "one");
      const texts = { ...task.texts, write_answer: "Answer. kw_a00 kw_a01 kw_a02 kw_a03" };
      const seen = (run: number): readonly number[] =>
        Array.from({ length: 2_000 }, (_, rollout) =>
          task.rolloutScore(texts, task.val[0] ?? "", run, rollout),
        );
      expect(seen(3)).toEqual(seen(3));
      expect(seen(4)).not.toEqual(seen(3));
      expect(Math.min(...seen(3))).toBeGreaterThanOrEqual(0);
      expect(Math.max(...seen(3))).toBeLessThanOrEqual(1);
    },
  );

  it.skipIf(gepaTasks.isAbsent)(
    `without repeated texts differ from the yardstick's in that alone${gepaTasks.note}`,
    () => {
      const rewritten = (key: string, feedback: readonly string[]): readonly string[] => {
        const task = shape(key).environment(0, "one");
        let text = task.texts["write_answer"] ?? "";
        return Array.from({ length: 12 }, (_, call) => {
          return (text = task.rewrite({ component: "", text, feedback, run: 0, call }));
        });
      };
      const feedback = ["ADD kw_a05", "ADD kw_a06"];
      const unrepeated = rewritten("additive+unrepeated", feedback);
      expect(new Set(unrepeated).size).toBe(12);
      expect(unrepeated.map((text) => text.replace(/ filler\d+$/, ""))).toEqual(
        rewritten("additive", feedback),
      );
    },
  );
});
