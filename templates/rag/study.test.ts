import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { rehearsalLm } from "@espalier/rehearsal";
import { evaluate } from "espalier/evaluate";
import { readDocuments } from "./documents.ts";
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

test("documents are read as passages below their headings", async () => {
  const passages = await readDocuments(join(import.meta.dirname, "documents"));
  const fines = passages.find(({ title }) => title === "Fines");
  assert.equal(fines?.id, "borrowing.md#2");
  assert.match(fines.text, /twenty cents a day/);
});

test("every label names a file that is there", async () => {
  const passages = await readDocuments(join(import.meta.dirname, "documents"));
  const files = new Set(passages.map(({ id }) => id.split("#")[0]));
  const { train, val, test } = trainset.splits;
  for (const { labels } of [...train, ...val, ...test]) {
    assert.ok(files.has((labels as { readonly file: string }).file));
  }
});
