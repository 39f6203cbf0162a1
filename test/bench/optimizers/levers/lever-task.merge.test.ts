import { expect, it } from "vitest";
import { bootstrapFewShot, miproV2 } from "espalier/optimizer";
import { sharedData } from "../../../support/shared-data.ts";
import { leverShapes } from "./lever-shapes.ts";
import { runLeverSearch } from "./run-lever-search.ts";

const yardstick = sharedData("../bench/joint/joint.mjs");
const taskOf = (variant: string) => {
  const shape = leverShapes.find(({ key }) => key === `levers-${variant}`);
  if (shape === undefined) throw new Error(`no shape ${variant}`);
  return shape.environment(0, "three");
};

it.skipIf(yardstick.isAbsent).each([
  // Of seed 0, by the yardstick's own script: dspy_peers.py seed VARIANT 300 0 1.
  ["all", 0.2021, 0.2885],
  ["one", 0.4328, 0.4193],
  ["four", 0.2671, 0.2257],
  ["none", 0.4364, 0.4449],
])(
  `a program as declared is worth what the yardstick says: %s${yardstick.note}`,
  (variant, ...worth) => {
    const { worth: worthOf } = taskOf(variant);
    expect([worthOf([], "val"), worthOf([], "test")].map((one) => Number(one.toFixed(4)))).toEqual(
      worth,
    );
  },
);

it.skipIf(yardstick.isAbsent)(
  `miproV2() over HTTP keeps its caps and finds more than demonstrations alone${yardstick.note}`,
  async () => {
    const task = taskOf("one");
    const limits = { studentCalls: 300, run: 0 };
    const both = await runLeverSearch(task, { ...limits, optimizer: miproV2() });
    const few = await runLeverSearch(task, { ...limits, optimizer: bootstrapFewShot() });
    expect(both.val).toBeGreaterThan(few.val);
    expect(few.val).toBeGreaterThan(task.worth([], "val"));
    expect([few.texts, both.texts > 0]).toEqual([0, true]);
  },
);
