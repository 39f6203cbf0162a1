import assert from "node:assert/strict";
import { test } from "node:test";
import { rehearsalLm } from "@espalier/rehearsal";
import { evaluate } from "espalier/evaluate";
import { wrongFields } from "./metric.ts";
import study from "./study.ts";

const { program, objective, trainset } = study;

test("the program runs on val, and all of its outputs fit", async () => {
  const { val } = trainset.splits;
  const { counts } = await evaluate({
    program,
    examples: val,
    metric: objective,
    lm: rehearsalLm(),
  });
  assert.deepEqual(counts, {
    scored: val.length,
    formatFailures: 0,
    notApplicable: 0,
    unscored: 0,
  });
});

test("the metric names the fields that are wrong", () => {
  const labels = { kind: "fault", orderNumber: null, product: "kettle", isUrgent: false } as const;
  assert.deepEqual(wrongFields({ ...labels, product: "The kettle" }, labels), []);
  assert.deepEqual(wrongFields({ ...labels, isUrgent: true }, labels), [
    "isUrgent should be false, and was true.",
  ]);
});
