import { afterEach, describe, expect, test, vi } from "vitest";
import notesGuided from "../../optimizers/notes-guided.ts";
import { sharedData } from "../support/shared-data.ts";
import { missingTexts } from "./support/missing-texts.ts";

const mtrag = sharedData("mtrag");
const multiHop = sharedData("multihop");

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function variant(name: string) {
  const make = notesGuided.variants?.[name];
  if (make === undefined) throw new Error(`no variant ${name}`);
  return make();
}

describe("the study of the notes-guided retriever on whole sets", () => {
  test.skipIf(mtrag.isAbsent)(
    `mtrag: the paper's 50 turns to learn from, all of the test turns${mtrag.note}`,
    async () => {
      const told = vi.spyOn(console, "error").mockReturnValue();
      vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag.file);
      const study = await variant("mtrag");
      const { train, val, test: held } = study.trainset.splits;
      expect([train.length, val.length, held.length]).toEqual([50, 100, 200]);
      expect(told.mock.calls.flat().join("\n")).toMatch(/only runs on the same pool/);
      expect(await missingTexts(study)).toEqual([]);
    },
  );

  test.skipIf(multiHop.isAbsent).each(["2wikimultihopqa"])(
    `%s: single questions over the union of the paragraphs${multiHop.note}`,
    async (name) => {
      vi.stubEnv("ESPALIER_MULTIHOP_DIR", multiHop.file);
      const study = await variant(name);
      expect(study.trainset.name).toBe(name);
      const { train, val, test: held } = study.trainset.splits;
      expect(Math.min(train.length, val.length, held.length)).toBeGreaterThan(30);
      expect(train[0]?.input).toMatchObject({ history: [] });
      expect(await missingTexts(study)).toEqual([]);
    },
  );
});
