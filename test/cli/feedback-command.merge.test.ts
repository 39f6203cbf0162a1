import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { predict, program, signature, text } from "espalier";
import type { KeptCompletion, Rating } from "espalier/serve";
import { feedbackByHand } from "../support/feedback-by-hand.ts";
import { readExamples } from "espalier/trainset";
import { expect, it } from "vitest";
import { z } from "zod";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const input = { question: text("question", "What is asked.") };
const output = { answer: text("answer", "The answer.") };
const answerer = program({
  name: "answerer",
  version: "1",
  input,
  output,
  predictors: { answer: predict(signature({ name: "answer", instruction: "Do.", input, output })) },
  forward: ({ question }, { predictors }) => predictors.answer({ question }),
});

const completion = (id: string, version: string): KeptCompletion => ({
  id,
  at: new Date(),
  user: "ada",
  model: "towns/answerer",
  version,
  question: `Where is ${id}?`,
  history: [],
  answer: `At ${id}.`,
  trace: {
    program: "answerer",
    version: "1",
    input: { question: `Where is ${id}?` },
    notes: {},
    children: [],
    startedAtMs: 0,
    latencyMs: 1,
  },
});
const rating = (value: Rating["rating"], correction: string | null = null): Rating => ({
  rating: value,
  comment: null,
  correction,
});

it("sums up, exports and erases what was said of answers", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "feedback.sqlite");
  const out = join(folder.path, "rows.jsonl");
  {
    using store = feedbackByHand(path);
    const ada = { apiKey: null, user: "ada" };
    // As many as in the first row of Newcombe's table: 15 of 148.
    for (let number = 0; number < 148; number += 1) {
      store.keep(completion(`a${number}`, "aaaa"));
      store.rate(`a${number}`, rating(number < 15 ? "up" : "down"), ada);
    }
    store.keep(completion("Quill", "declared"));
    store.rate("Quill", rating("down", "At the ford."), ada);
    store.keep({ ...completion("unrated", "declared"), user: "bob" });
  }
  const summary = await runMain(["feedback", "summary", path]);
  expect(summary.stdout.trimEnd()).toMatchInlineSnapshot(`
    "towns/answerer@aaaa      148 answers, 15 up, 133 down  10.1 % liked (95 %: 6.2 % to 16.0 %)
    towns/answerer@declared  2 answers, 0 up, 1 down  0.0 % liked (95 %: 0.0 % to 79.3 %)"
  `);

  const exported = await runMain(["feedback", "to-trainset", path, "--out", out, "--json"]);
  expect(JSON.parse(exported.stdout)).toMatchObject({ rows: 149, answered: 16 });
  const rows = await readExamples(out, {
    input: answerer.input,
    labels: { answer: z.string().nullable(), rating: z.enum(["up", "down"]) },
  });
  expect(rows.at(-1)).toMatchObject({
    id: "Quill",
    input: { question: "Where is Quill?" },
    labels: { answer: "At the ford.", rating: "down" },
  });
  const traces = await readFile(join(folder.path, "rows.traces.jsonl"), "utf8");
  expect(traces.trimEnd().split("\n")).toHaveLength(149);
  expect(traces).not.toContain("ada");

  const unclear = await runMain(["feedback", "erase", path]);
  expect(unclear.code).toBe(2);
  const erased = await runMain(["feedback", "erase", path, "--user", "ada", "--json"]);
  expect(JSON.parse(erased.stdout)).toEqual({ completions: 149, quoting: 0 });
  const bytes = await readFile(path, "latin1");
  expect(bytes).not.toMatch(/Quill|ada|ford/);
  expect(bytes).toContain("unrated");
});
