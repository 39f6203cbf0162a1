import { describe, expect, test } from "vitest";
import type { Scored } from "espalier";
import { planOptimization } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import declareR2rag from "../../optimizers/r2rag.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const r2rag = await declareR2rag(rehearsalParts());

const { train, val, test: held } = r2rag.trainset.splits;

describe("the study of R2RAG", () => {
  test("has examples to learn from, to select by and to report on, and a budget for several proposals", () => {
    expect(Math.min(train.length, val.length, held.length)).toBeGreaterThanOrEqual(20);
    const { optimizer } = r2rag;
    if (optimizer === undefined) throw new Error("no optimizer");
    const plan = planOptimization(r2rag, { optimizer, budget: optimizer.budget ?? {} });
    expect(plan.warnings).toEqual([]);
  });

  test("can show the text of every relevant document", async () => {
    const trace = { program: "r2rag", version: "1", input: {}, notes: {}, children: [] } as never;
    for (const example of [...train, ...val, ...held]) {
      const output = { answer: "", citations: [], route: "vanilla-rag" } as const;
      const score = (await r2rag.objective.doScore({ example, output, trace })) as Scored;
      const ids = Object.keys((example.labels as { readonly relevant: object }).relevant);
      const shown = score.feedback?.split("\n").filter((line) => line.startsWith("- ")) ?? [];
      expect(shown).toHaveLength(ids.length);
      expect(shown.filter((line) => ids.includes(line.slice(2)))).toEqual([]);
    }
  });

  test("runs to the end with the rehearsal LM, both ways, and is scored", async () => {
    const lm = rehearsalLm();
    const routes = new Set<unknown>();
    for (const example of val.slice(0, 12)) {
      const { input, id } = example;
      const attempt = await r2rag.program.attempt(input, { lm, exampleId: id });
      if (attempt.state === "failed") throw attempt.error;
      const { output, trace } = attempt;
      expect(await r2rag.objective.doScore({ example, output, trace })).toMatchObject({
        kind: "scored",
      });
      routes.add((output as { readonly route: string }).route);
    }
    expect([...routes].toSorted()).toEqual(["vanilla-agent", "vanilla-rag"]);
  });
});
