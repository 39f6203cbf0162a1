import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { rehearsalLm } from "@espalier/rehearsal";
import { evaluate } from "espalier/evaluate";
import { openDatabase } from "./database.ts";
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

test("a query may read, and neither write nor run for ever", async () => {
  const database = await openDatabase(join(import.meta.dirname, "shop.sql"), { timeoutMs: 1_000 });
  const endless =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT sum(x) FROM n";
  const count = "SELECT count(*) FROM customers";
  assert.deepEqual(await database.query(count), { rows: [[5]] });
  assert.deepEqual(await database.query("DELETE FROM customers"), {
    error: "attempt to write a readonly database",
  });
  assert.deepEqual(await database.query(endless), {
    error: "The query took longer than 1000 ms",
  });
  assert.deepEqual(await database.query(count), { rows: [[5]] });
});
