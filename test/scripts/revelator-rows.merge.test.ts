import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hanragModules } from "../../programs/hanrag/modules.ts";
import type { Decision, LabelledDecision } from "../../scripts/revelator/labelled-decisions.ts";
import { decisionsOf, wordedStep } from "../../scripts/revelator/labelled-decisions.ts";
import {
  checkDisjoint,
  decisionSample,
  revelatorRow,
} from "../../scripts/revelator/revelator-rows.ts";
import { wordingOf } from "../../trainsets/wording-of.ts";
import { trainingQuestions } from "../../scripts/revelator/training-questions.ts";
import type { SetQuestion } from "../../trainsets/multi-hop/set-question.ts";
import { scriptedLm } from "../support/scripted-lm.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const { predictors } = hanragModules({});
const shared = sharedData("multihop");

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const song = { title: "Lorn (song)", text: "Lorn is a song by Ada Vey." };
const singer = { title: "Ada Vey", text: "Ada Vey was born in Ostrel." };
const chain: SetQuestion = {
  id: "chain",
  question: "Where was the performer of Lorn born?",
  answers: ["Ostrel"],
  type: "2hop",
  paragraphs: [
    { title: "Ostrel", text: "A town by the sea." },
    song,
    { title: "Kessing", text: "A town on a hill." },
    singer,
  ],
  support: [song, singer],
  steps: [
    { question: "Lorn >> performer", answer: "Ada Vey", supportTitle: "Lorn (song)" },
    { question: "Where was Ada Vey born?", answer: "Ostrel", supportTitle: "Ada Vey" },
  ],
};
const compound: SetQuestion = {
  ...chain,
  id: "compound",
  question: "When was Ada Vey born, and what did she sing?",
  answers: ["1902 && Lorn"],
  steps: [
    { question: "When was Ada Vey born?", answer: "1902" },
    { question: "What did Ada Vey sing?", answer: "Lorn" },
  ],
};

function labelsOf(rows: readonly LabelledDecision[], decision: Decision) {
  return rows.filter((row) => row.decision === decision).map((row) => [row.id, row.outputs]);
}

describe("what a question teaches the Revelator", () => {
  test("a chain: its route, its steps, each seed question after the steps before it, and when it ends", () => {
    const rows = decisionsOf(chain, { route: "complex", router: true });
    expect(labelsOf(rows, "routeQuestion")).toEqual([
      ["chain", { route: "complex" }],
      ["chain#2", { route: "single-step" }],
    ]);
    expect(labelsOf(rows, "refineQuestion")).toEqual([
      ["chain#0", { seedQuestion: "What is the performer of Lorn?" }],
      ["chain#1", { seedQuestion: "Where was Ada Vey born?" }],
    ]);
    expect(labelsOf(rows, "judgeEnding")).toEqual([
      ["chain#0", { isSolved: false }],
      ["chain#1", { isSolved: false }],
      ["chain#2", { isSolved: true }],
    ]);
    const thoughts = rows.flatMap(({ decision, inputs }) =>
      decision === "judgeEnding" ? [inputs["thought"]] : [],
    );
    expect(thoughts[0]).toBe("nothing");
    expect(thoughts[1]).toBe("Question 1: What is the performer of Lorn?\nAnswer 1: Ada Vey");
    expect(thoughts[2]).toContain("Answer 2: Ostrel");
  });

  test("a chain: the passage of a step is relevant to it; a passage without the answer is not", () => {
    const rows = decisionsOf(chain, { route: "complex", router: false }).filter(
      ({ decision }) => decision === "judgeRelevance",
    );
    // "Ostrel" holds the answer in its title, so only "Kessing" is surely irrelevant.
    expect(
      rows.map(({ inputs, outputs }) => [inputs.question, inputs["passage"], outputs]),
    ).toEqual([
      ["What is the performer of Lorn?", expect.stringContaining("Lorn is a song"), yes],
      ["What is the performer of Lorn?", expect.stringContaining("on a hill"), no],
      ["Where was Ada Vey born?", expect.stringContaining("born in Ostrel"), yes],
      ["Where was Ada Vey born?", expect.stringContaining("on a hill"), no],
    ]);
  });

  test("a compound question: its parts, and no chain", () => {
    const rows = decisionsOf(compound, { route: "compound", router: true });
    const counted = [...Map.groupBy(rows, ({ decision }) => decision)].map(([name, all]) => [
      name,
      all.length,
    ]);
    expect(counted).toEqual([
      ["routeQuestion", 1],
      ["decomposeQuestion", 1],
    ]);
    expect(rows[1]?.outputs["subQuestions"]).toEqual([
      "When was Ada Vey born?",
      "What did Ada Vey sing?",
    ]);
  });

  test("a step that is a relation gets words if the relation is a noun; otherwise its chain is left out", () => {
    expect(wordedStep("Hello Love >> place of birth")).toBe(
      "What is the place of birth of Hello Love?",
    );
    for (const relation of ["named after", "located in the area of", "shares border with"]) {
      expect(wordedStep(`Hello Love >> ${relation}`)).toBeUndefined();
    }
    const [first, ...others] = chain.steps;
    const steps = [{ ...first, question: "Lorn >> named after", answer: "Lorn" }, ...others];
    const rows = decisionsOf({ ...chain, steps }, { route: "complex", router: false });
    expect(rows.map(({ decision }) => decision)).toEqual(["judgeRelevance", "judgeRelevance"]);
  });
});

const [yes, no] = [{ isRelevant: true }, { isRelevant: false }];

describe("a row of the Revelator", () => {
  test("has the messages that HANRAG sends for the decision, and a reply that it reads as the label", async () => {
    const labelled = [
      ...decisionsOf(chain, { route: "complex", router: true }),
      ...decisionsOf(compound, { route: "compound", router: true }),
    ];
    expect(new Set(labelled.map(({ decision }) => decision)).size).toBe(5);
    for (const each of labelled) {
      const row = await revelatorRow(each);
      const reply = row?.messages.at(-1)?.content as string;
      await using server = await scriptedLm(() => reply);
      const read = await predictors[each.decision].run(each.inputs as never, { lm: server.lm });
      expect(read).toEqual(each.outputs);
      const sent = server.received.map(({ messages }) => messages);
      expect(sent).toEqual([row?.messages.slice(0, -1)]);
      expect(row?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    }
  });

  test("is left out if the predictor does not take its label", async () => {
    const [row] = decisionsOf(compound, { route: "compound", router: false });
    const subQuestions = Array.from({ length: 9 }, (_, index) => `Part ${index}?`);
    const tooMany = { ...row, outputs: { ...row?.outputs, subQuestions } } as LabelledDecision;
    expect(await revelatorRow(tooMany)).toBeUndefined();
  });

  test("that asks a held-out question, in other letters or as its label, is an error that names both", async () => {
    const rows = decisionsOf(chain, { route: "complex", router: true });
    const heldOut = (question: string) =>
      new Map([[wordingOf(question), "test question `7` of single-hop"]]);
    expect(() => checkDisjoint(rows, heldOut("Where was Ada Vey buried?"))).not.toThrow();
    const { code, message } = await thrownBy(() =>
      checkDisjoint(rows, heldOut("where was the performer of “Lorn” born")),
    );
    expect(code).toBe("dataset-invalid");
    expect(message).toContain("routeQuestion row `chain`");
    expect(message).toContain("test question `7` of single-hop");
    const seeds = rows.filter(({ decision }) => decision === "refineQuestion");
    expect(() => checkDisjoint(seeds, heldOut("What is the performer of Lorn?"))).toThrow(
      "refineQuestion row `chain#0`",
    );
  });

  test("is one of at most so many for its label, whatever their order", () => {
    const rows = Array.from({ length: 50 }, (_, index): LabelledDecision => ({
      decision: "judgeEnding",
      id: `${index}`,
      inputs: { question: "Where?", thought: "nothing" },
      outputs: { isSolved: index % 5 === 0 },
    }));
    const drawn = (given: typeof rows) => {
      const sample = decisionSample(7);
      for (const row of given) sample.add(row);
      return sample.rows().map(({ id }) => id);
    };
    expect(drawn(rows)).toHaveLength(14);
    expect(drawn(rows.toReversed()).toSorted()).toEqual(drawn(rows).toSorted());
  });
});

describe("the questions to train the Revelator with", () => {
  test.skipIf(shared.isAbsent)(
    `are in no val or test split of the studies, by id and wording, and every row of theirs is readable${shared.note}`,
    async () => {
      vi.stubEnv("ESPALIER_MULTIHOP_DIR", shared.file);
      // The loaders say that the single-hop sets have no training file.
      vi.spyOn(console, "error").mockImplementation(() => {});
      const { sets, heldOut, read } = await trainingQuestions(shared.file);
      expect(sets).toEqual(["musique", "2wikimultihopqa"]);
      const rows: LabelledDecision[] = [];
      const ids = new Set<string>();
      for await (const question of read()) {
        ids.add(question.id);
        rows.push(...decisionsOf(question, question.taught));
      }
      // A third of 100 and of 500 training questions is val.
      expect(ids.size).toBe(66 + 333);
      // A step of a training question is also a question of the derived single-hop set.
      expect(() => checkDisjoint(rows, heldOut)).toThrow("of single-hop");
      const written = await Promise.all(
        rows.filter((_, index) => index % 10 === 0).map(revelatorRow),
      );
      expect(written.filter((row) => row === undefined)).toEqual([]);
      expect(written.length).toBeGreaterThan(200);
    },
  );

  test("take CommonsenseQA as straightforward", async () => {
    await using folder = await temporaryFolder();
    vi.stubEnv("ESPALIER_MULTIHOP_DIR", folder.path);
    const row = {
      answerKey: "A",
      id: "c1",
      question: { question_concept: "bell", choices: [], stem: "Where would you hear a bell?" },
    };
    await writeFile(join(folder.path, "train_rand_split.jsonl"), `${JSON.stringify(row)}\n`);
    const { sets, read } = await trainingQuestions(folder.path);
    expect(sets).toEqual(["CommonsenseQA"]);
    const rows = (await Array.fromAsync(read())).flatMap((each) => decisionsOf(each, each.taught));
    expect(rows).toMatchObject([
      { decision: "routeQuestion", id: "c1", outputs: { route: "straightforward" } },
    ]);
  });

  test("are missing in a folder without training files, which is an error", async () => {
    await using folder = await temporaryFolder();
    vi.stubEnv("ESPALIER_MULTIHOP_DIR", folder.path);
    const { code, message } = await thrownBy(() => trainingQuestions(folder.path));
    expect(code).toBe("file-missing");
    expect(message).toContain("musique");
  });
});
