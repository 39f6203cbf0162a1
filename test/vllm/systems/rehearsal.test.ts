import { resolve } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { studyFiles } from "../../optimizers/support/study-files.ts";
import { test } from "../support/vllm-test.ts";
import { readOutput } from "./support/read-output.ts";
import { workplace } from "./support/workplace.ts";

const lm = "LM (rehearsal)";
const embedder = "embedder (rehearsal)";
const reranker = "reranker (lexical)";
const judge = "judge LM (lexical_generation_quality)";

const deployed = [
  lm,
  "pair scorer (rehearsal)",
  "reranker (pairScorer)",
  "tokenizer (estimate 3-bytes)",
];

/** Who plays the parts of each study with `--rehearsal`. */
const mocks: Readonly<Record<string, readonly string[]>> = {
  "ails-ntua-alternatives": [lm],
  "ails-ntua-harmonic-mean": [lm, reranker, judge],
  "ails-ntua-recall": [lm, reranker],
  "ails-ntua-recall-parameters": [lm, reranker],
  "ails-ntua-task-a": [lm, reranker],
  "ails-ntua-task-b": [lm, judge],
  "ails-ntua-task-c": [lm, reranker, judge],
  hanrag: [lm],
  "hanrag-adaptive": [lm],
  "hanrag-ircot": [lm],
  "mtrag-baselines": [lm, reranker],
  "notes-guided": [lm, embedder, reranker],
  "notes-guided-abstention": [lm, embedder, reranker, judge],
  "notes-guided-joint": [lm, embedder, reranker, judge],
  "notes-guided-routing": [lm, embedder, reranker, judge],
  "notes-guided-harmonic-mean": [lm, embedder, reranker, judge],
  "notes-guided-task-c": [lm, embedder, reranker, judge],
  r2rag: deployed,
  "r2rag-deployed": deployed,
  "r2rag-review": deployed,
  "question-types": [lm],
  "react-research": [lm],
  "text-to-sql": [lm],
};

const parts = z.object({ mocks: z.array(z.object({ part: z.string() })) });

test.for(studyFiles)(
  "%s with --rehearsal leaves the real servers alone and names every mock first and last",
  async ([name, path], { systems, embedder, reranker }) => {
    await using place = await workplace({ lm: systems, embedder, reranker });
    const result = await place.cli("eval", path, "--limit=2", "--rehearsal", "--json");
    expect(result).toMatchObject({ code: 0 });
    const { first, last, json } = readOutput(result);
    const named = `mocks play ${mocks[name]!.join(", ")}`;
    expect(first).toBe(named);
    expect(last).toMatch(/^rehearsal: figures from the rehearsal LM /);
    expect(last).toContain(named);
    expect(parts.parse(json).mocks).toHaveLength(mocks[name]!.length);
    expect(json).toMatchObject({ rehearsal: true, lm: { provider: "rehearsal" } });
  },
);

test("a real LM with a mock embedder says so first and last, in result, run and artifact", async ({
  systems,
  embedder,
  reranker,
}) => {
  await using place = await workplace({ lm: systems, embedder, reranker });
  const named = `mocks play embedder (rehearsal), reranker (lexical)`;
  const played = [{ part: "embedder" }, { part: "reranker" }];
  const real = ["--lm=tiny", "--rehearsal", "--json"];

  const study = resolve("optimizers/notes-guided-harmonic-mean.ts");
  const evaluated = readOutput(await place.cli("eval", study, "--limit=1", ...real));
  expect([evaluated.first, evaluated.last]).toEqual([
    named,
    `${named}: figures would differ with models in their place`,
  ]);
  expect(evaluated.json).toMatchObject({
    rehearsal: false,
    lm: { provider: "vllm" },
    mocks: played,
  });

  const small = resolve(import.meta.dirname, "studies/notes-guided.ts");
  const optimized = readOutput(
    await place.cli("optimize", small, "--budget=4", "--run=run", ...real),
  );
  expect([optimized.first, optimized.last]).toEqual([
    named,
    `${named}: figures would differ with models in their place`,
  ]);
  for (const subject of ["run", "run/artifact.json"]) {
    const shown = await place.cli("show", subject);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("embedder") });
  }
});
