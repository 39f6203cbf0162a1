import { describe, expect, test, vi } from "vitest";
import { planOptimization } from "espalier/optimizer";
import declareNotesGuided from "../../optimizers/notes-guided.ts";
import { missingTexts } from "./support/missing-texts.ts";
import {
  expectSingleQuestions,
  notesGuidedVariant,
  restoreAfterEach,
} from "./support/notes-guided-variant.ts";
import { sharedData } from "../support/shared-data.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

const multiHop = sharedData("multihop");

restoreAfterEach();

describe("the study of the notes-guided retriever", () => {
  test("has examples to learn from, to select by and to report on, and a budget for several proposals", () => {
    const { train, val, test: held } = notesGuided.trainset.splits;
    expect(Math.min(train.length, val.length, held.length)).toBeGreaterThanOrEqual(60);
    const { optimizer } = notesGuided;
    if (optimizer === undefined) throw new Error("no optimizer");
    const plan = planOptimization(notesGuided, { optimizer, budget: optimizer.budget ?? {} });
    expect(plan.warnings).toEqual([]);
  });

  test("can show the text of every relevant passage", async () => {
    expect(await missingTexts(notesGuided)).toEqual([]);
  });

  test.each([
    ["mtrag", "ESPALIER_MTRAG_DIR", /corpora-mini/],
    ["musique", "ESPALIER_MULTIHOP_DIR", /musique_corpus/],
    ["2wikimultihopqa", "ESPALIER_MULTIHOP_DIR", /2wikimultihopqa_corpus/],
  ])(
    "%s without its folder says what to set, and to which folder",
    async (name, variable, folder) => {
      vi.stubEnv(variable, undefined);
      await expect(notesGuidedVariant(name)).rejects.toMatchObject({
        code: "file-missing",
        message: expect.stringMatching(variable) as string,
      });
      await expect(notesGuidedVariant(name)).rejects.toThrow(folder);
      vi.stubEnv(variable, "/no/such/folder");
      await expect(notesGuidedVariant(name)).rejects.toThrow(
        /does not name a folder.*\/no\/such\/folder/,
      );
    },
  );

  test.skipIf(multiHop.isAbsent).each(["musique"])(
    `%s: single questions over the union of the paragraphs${multiHop.note}`,
    async (name) => expectSingleQuestions(name, multiHop.file),
  );
});
