import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { studyFiles } from "../../optimizers/support/study-files.ts";
import { test } from "../support/vllm-test.ts";
import { readOutput } from "./support/read-output.ts";
import { workplace } from "./support/workplace.ts";

/** Whom each study asks, whatever the models say. */
const asked: Readonly<Record<string, readonly string[]>> = {
  "ails-ntua-alternatives": ["student"],
  "ails-ntua-harmonic-mean": ["student", "judge", "reranking"],
  "ails-ntua-recall": ["student", "reranking"],
  "ails-ntua-recall-parameters": ["student", "reranking"],
  "ails-ntua-task-a": ["student", "reranking"],
  "ails-ntua-task-b": ["student", "judge"],
  "ails-ntua-task-c": ["student", "judge", "reranking"],
  hanrag: ["student"],
  "hanrag-adaptive": ["student"],
  "hanrag-ircot": ["student"],
  // It searches as people typed, and asks nobody.
  "mtrag-baselines": [],
  "notes-guided": ["student", "embedding", "reranking"],
  "notes-guided-abstention": ["student", "judge", "embedding", "reranking"],
  "notes-guided-joint": ["student", "judge", "embedding", "reranking"],
  "notes-guided-routing": ["student", "judge", "embedding", "reranking"],
  "notes-guided-harmonic-mean": ["student", "judge", "embedding", "reranking"],
  "notes-guided-task-c": ["student", "judge", "embedding", "reranking"],
  r2rag: ["student", "reranking"],
  "r2rag-deployed": ["student", "reranking"],
  "r2rag-review": ["student", "reranking"],
  "question-types": ["student"],
  "react-research": ["student"],
  "text-to-sql": ["student"],
};

const ledger = z.object({ byRole: z.record(z.string(), z.unknown()) });
const lm = z.object({ provider: z.literal("vllm") });
const printed = z.object({ mocks: z.tuple([]), rehearsal: z.literal(false), lm, ledger });
const written = z.object({ mocks: z.tuple([]), isRehearsal: z.literal(false), lm, ledger });

test.for(studyFiles)(
  "%s runs on real servers alone, pays for each, and names no mock",
  async ([name, path], { systems, embedder, reranker }) => {
    await using place = await workplace({ lm: systems, embedder, reranker });
    const result = await place.cli("eval", path, "--limit=2", "--out=result.json", "--json");
    const { text, json } = readOutput(result);
    expect(text).toContain("2/2");
    expect(text).not.toMatch(/stand-?in|rehears/i);
    // A judge that says nothing leaves an example without a score, and is no fault of the program.
    expect(result.code).toBe(text.includes("below the floor") ? 3 : 0);

    const shown = printed.parse(json);
    const file: unknown = JSON.parse(await readFile(join(place.path, "result.json"), "utf8"));
    const kept = written.parse(file);
    expect(kept.ledger).toEqual(shown.ledger);
    expect(Object.keys(shown.ledger.byRole)).toEqual(expect.arrayContaining([...asked[name]!]));
  },
);
