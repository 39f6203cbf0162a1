import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import declareAilsNtua from "../../optimizers/ails-ntua-harmonic-mean.ts";
import declareAilsRetrieval from "../../optimizers/ails-ntua-recall.ts";
import declareHanrag from "../../optimizers/hanrag.ts";
import declareNotesGuided from "../../optimizers/notes-guided-harmonic-mean.ts";
import declareNotesGuidedRetrieval from "../../optimizers/notes-guided.ts";
import declareR2rag from "../../optimizers/r2rag.ts";
import { studyFiles } from "../optimizers/support/study-files.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const ailsNtua = await declareAilsNtua(rehearsalParts());
const ailsRetrieval = await declareAilsRetrieval(rehearsalParts());
const hanrag = await declareHanrag(rehearsalParts());
const notesGuided = await declareNotesGuided(rehearsalParts());
const notesGuidedRetrieval = await declareNotesGuidedRetrieval(rehearsalParts());
const r2rag = await declareR2rag(rehearsalParts());

const page = readFileSync(resolve(import.meta.dirname, "../../programs/README.md"), "utf8");

test.each(["predictors", "parameters"] as const)(
  "programs/README.md counts the %s of each program",
  (part) => {
    const row = page.split("\n").find((line) => line.startsWith(`| ${part} |`)) ?? "";
    const count = ({ program }: { readonly program: Readonly<Record<typeof part, object>> }) =>
      Object.keys(program[part]).length;
    expect(
      row
        .split("|")
        .slice(2, -1)
        .map((cell) => cell.trim()),
    ).toEqual([
      `${count(r2rag)}`,
      `${count(notesGuided)} (${count(notesGuidedRetrieval)} retrieve)`,
      `${count(hanrag)}`,
      `${count(ailsNtua)} (${count(ailsRetrieval)} retrieve)`,
    ]);
  },
);

test("programs/README.md names every study", () => {
  for (const [name] of studyFiles) expect(page).toContain(`\`${name}\``);
});

test("programs/README.md names every predictor of a whole system where it draws it", () => {
  const sections = page.split("\n## ");
  const named = [
    ["R2RAG", r2rag],
    ["notes-guided", notesGuided],
    ["HANRAG", hanrag],
  ] as const;
  for (const [title, { program }] of named) {
    const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? "";
    for (const predictor of Object.keys(program.predictors)) expect(section).toContain(predictor);
  }
});
