import { describe, expect, it } from "vitest";
import { r2rag } from "../../../programs/r2rag/index.ts";
import { refuse } from "../../support/vllm-server.ts";
import { answered, pathsOf, question, town } from "./town.ts";

describe("R2RAG", () => {
  it("sends a simple question to Vanilla RAG", async () => {
    await using there = await town();
    const { trace, ...attempt } = await r2rag(there.parts).attempt({ question }, there);
    expect(attempt).toMatchObject({ output: { answer: answered, route: "vanilla-rag" } });
    expect(pathsOf(trace)).toEqual([
      "judgeComplexity",
      "varyQuery",
      "search[1]",
      "search[2]",
      "search[3]",
      "qwen3Reranker",
      "writeCitedAnswer",
    ]);
    expect(there.prompts("vary-query")[0]).toContain("Count: 3");
  });

  it("sends a complex question to Vanilla Agent", async () => {
    await using there = await town({ steps: { "judge-complexity": () => ({ isComplex: true }) } });
    const { trace, ...attempt } = await r2rag(there.parts).attempt({ question }, there);
    expect(attempt).toMatchObject({ output: { answer: answered, route: "vanilla-agent" } });
    expect(pathsOf(trace).slice(0, 2)).toEqual(["judgeComplexity", "round[1]/varyQueryAtOnce"]);
    expect(there.prompts("vary-query")[0]).toContain("Count: 5");
  });

  it("judges greedily, and with thinking", async () => {
    await using there = await town();
    await r2rag(there.parts).run({ question }, there);
    expect(there.prompts("judge-complexity")).toEqual([`Question: ${question}\n`]);
    expect(there.bodies("judge-complexity")).toMatchObject([
      {
        temperature: 0,
        max_completion_tokens: 4_096,
        chat_template_kwargs: { enable_thinking: true },
      },
    ]);
  });

  it("takes a judgement that cannot be read for simple, and says so", async () => {
    await using there = await town({ steps: { "judge-complexity": () => "Hard to say." } });
    const { trace, ...attempt } = await r2rag(there.parts).attempt({ question }, there);
    expect(attempt).toMatchObject({ output: { route: "vanilla-rag" } });
    expect(trace.notes).toEqual({ complexityFailed: expect.stringContaining("JSON") as string });
  });

  it("fails where the server of the judgement does", async () => {
    await using there = await town({ steps: { "judge-complexity": () => refuse(500, "down") } });
    const attempt = await r2rag(there.parts).attempt({ question }, there);
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "lm-server-error" } });
  });

  it.each([
    [true, "complex\n\n"],
    [false, "simple\n\n"],
  ])("says which way it goes: complex %s", async (isComplex, said) => {
    await using there = await town({ steps: { "judge-complexity": () => ({ isComplex }) } });
    const steps: string[] = [];
    await r2rag(there.parts).run(
      { question },
      { lm: there.lm, onStep: ({ text }) => steps.push(text) },
    );
    expect(steps.slice(0, 2)).toEqual([`Checking query: ${question}\n`, said]);
  });

  it.each([
    [0.8, true, "vanilla-agent"],
    [0.2, false, "vanilla-rag"],
  ] as const)(
    "asks no LM where a classifier decides: %d",
    async (probability, isComplex, route) => {
      await using there = await town();
      const usage = { promptTokens: 7 };
      const complexity = { doClassify: async () => ({ isComplex, probability, usage }) };
      const program = r2rag({ ...there.parts, complexity });
      const { trace, ...attempt } = await program.attempt({ question }, there);
      expect(attempt).toMatchObject({ output: { route } });
      expect(there.prompts("judge-complexity")).toEqual([]);
      expect(trace.notes).toMatchObject({ complexity: { probability, promptTokens: 7 } });
      expect(Object.keys(program.predictors)).not.toContain("judgeComplexity");
    },
  );

  it("has the paper's numbers, and varies both ways alike where they share one", async () => {
    await using there = await town();
    expect(r2rag(there.parts).parameterValues).toEqual({
      depth: 10,
      threshold: 0.6,
      rerankWords: 4_000,
      variants: 3,
      wordBudget: 5_000,
      agentVariants: 5,
      rounds: 5,
      stopTokens: 20_000,
    });
  });
});
