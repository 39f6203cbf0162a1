import { describe, expect, test, vi } from "vitest";
import { sharedData } from "../support/shared-data.ts";
import { missingTexts } from "./support/missing-texts.ts";
import {
  expectSingleQuestions,
  notesGuidedVariant,
  restoreAfterEach,
} from "./support/notes-guided-variant.ts";

const mtrag = sharedData("mtrag");
const multiHop = sharedData("multihop");

restoreAfterEach();

describe("the study of the notes-guided retriever on whole sets", () => {
  test.skipIf(mtrag.isAbsent)(
    `mtrag: the paper's 50 turns to learn from, all of the test turns${mtrag.note}`,
    async () => {
      const logged = vi.spyOn(console, "error").mockReturnValue();
      vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag.file);
      const study = await notesGuidedVariant("mtrag");
      const { train, val, test: held } = study.trainset.splits;
      expect([train.length, val.length, held.length]).toEqual([50, 100, 200]);
      expect(logged.mock.calls.flat().join("\n")).toMatch(/only runs on the same pool/);
      expect(await missingTexts(study)).toEqual([]);
    },
  );

  test.skipIf(multiHop.isAbsent).each(["2wikimultihopqa"])(
    `%s: single questions over the union of the paragraphs${multiHop.note}`,
    async (name) => expectSingleQuestions(name, multiHop.file),
  );
});
