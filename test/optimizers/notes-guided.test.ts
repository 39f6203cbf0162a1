import { afterEach, describe, expect, test, vi } from "vitest";
import type { Study } from "espalier";
import { planOptimization } from "espalier/optimizer";
import notesGuided from "../../optimizers/notes-guided.ts";
import { sharedData } from "../support/shared-data.ts";

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

/** Every relevant passage has its text in the collection, else the feedback could not show it. */
async function missingTexts(study: Study): Promise<readonly string[]> {
  const examples = Object.values(study.trainset.splits).flat();
  const trace = { path: "", children: [] } as never;
  const scores = [];
  for (const example of examples) {
    scores.push(await study.objective.doScore({ example, output: { passages: [] }, trace }));
  }
  return scores.flatMap((score) =>
    score.kind === "scored" && /text is not at hand/.test(score.feedback ?? "")
      ? [score.feedback ?? ""]
      : [],
  );
}

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
      await expect(variant(name)).rejects.toMatchObject({
        code: "file-missing",
        message: expect.stringMatching(variable) as string,
      });
      await expect(variant(name)).rejects.toThrow(folder);
      vi.stubEnv(variable, "/no/such/folder");
      await expect(variant(name)).rejects.toThrow(/names no folder.*\/no\/such\/folder/);
    },
  );

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

  test.skipIf(multiHop.isAbsent).each(["musique", "2wikimultihopqa"])(
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
