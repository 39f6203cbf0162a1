import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { FieldSchemas, Signature } from "../../../src/index.ts";
import { predict, program } from "../../../src/index.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { expect, test } from "vitest";
import type { ShippedClassifier, Wording } from "./support/shipped-classifiers.ts";
import { inWording, shippedClassifiers } from "./support/shipped-classifiers.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/rehearsal.md"), "utf8");
const claimed = page.split("\n").filter((line) => line.startsWith("| `"));
const classifiers = await shippedClassifiers();
const wordings = ["shipped", "renamed", "reworded"] as const;

test.each(classifiers)(
  "the docs claim of $signature.name what it does as shipped, with labels renamed and with definitions reworded",
  async (classifier) => {
    const { signature, cases } = classifier;
    const counts = Object.values(Object.groupBy(cases, ({ label }) => label));
    const mostFrequent = Math.max(...counts.map((some = []) => some.length)) / cases.length;
    const shares = [mostFrequent];
    for (const wording of wordings) shares.push(await accuracyOf(classifier, wording));
    const row = [`\`${signature.name}\``, cases.length, ...shares.map(figure)];
    expect(claimed).toContain(`| ${row.join(" | ")} |`);
  },
);

test("the docs claim something of every shipped classifier and of no other", () => {
  expect(claimed).toHaveLength(classifiers.length);
});

async function accuracyOf(classifier: ShippedClassifier, wording: Wording): Promise<number> {
  const { worded, names } = inWording(classifier, wording);
  const classified = classifying(worded);
  const lm = rehearsalLm();
  let right = 0;
  for (const { input, label } of classifier.cases) {
    const attempt = await classified.attempt(input as Readonly<Record<string, unknown>>, {
      lm,
      seed: 0,
    });
    if (attempt.state === "failed") throw attempt.error;
    const output: Readonly<Record<string, unknown>> = attempt.output;
    const given = names.indexOf(String(output[classifier.output]));
    if (classifier.labels[given] === label) right += 1;
  }
  return right / classifier.cases.length;
}

function classifying(classifier: Signature<FieldSchemas, FieldSchemas>) {
  const { input, output } = classifier;
  return program({
    name: "classifying",
    version: "1",
    input,
    output,
    predictors: { classifier: predict(classifier) },
    forward: async (given, { predictors }) => predictors.classifier(given as never) as never,
  });
}

function figure(share: number): string {
  return share.toFixed(3).replace(/^0/, "");
}
