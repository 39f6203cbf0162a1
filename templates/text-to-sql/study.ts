import { join } from "node:path";
import { study } from "espalier";
import { readExamples, trainset } from "espalier/trainset";
import { openDatabase } from "./database.ts";
import { executionAccuracy, labels } from "./execution-accuracy.ts";
import { textToSql, writeSql } from "./text-to-sql.ts";

const folder = import.meta.dirname;
const database = await openDatabase(join(folder, "shop.sql"));

const examples = (split: string) =>
  readExamples(join(folder, "examples", `${split}.jsonl`), {
    input: { question: writeSql.input.question },
    labels,
  });

export default study({
  name: "text-to-sql",
  program: textToSql(database),
  trainset: trainset({
    name: "shop-questions",
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
  objective: executionAccuracy(database),
  // What labels know of a step: optimizers find the one at fault by it, and show it as examples.
  gold: { write: ({ labels }) => ({ outputs: { sql: labels.sql } }) },
});
