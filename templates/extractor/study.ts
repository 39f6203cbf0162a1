import { join } from "node:path";
import { study } from "espalier";
import { readExamples, trainset } from "espalier/trainset";
import { extract, extractor } from "./extractor.ts";
import { fieldsRight } from "./metric.ts";

const examples = (split: string) =>
  readExamples(join(import.meta.dirname, "examples", `${split}.jsonl`), {
    input: extract.input,
    labels: extract.output,
  });

export default study({
  name: "extractor",
  program: extractor,
  trainset: trainset({
    name: "messages",
    version: "1",
    licence: "CC0-1.0",
    source: "own writing",
    // Reflection reads train, candidates are compared on val, and only the last report uses test.
    splits: {
      train: await examples("train"),
      val: await examples("val"),
      test: await examples("test"),
    },
  }),
  objective: fieldsRight,
});
