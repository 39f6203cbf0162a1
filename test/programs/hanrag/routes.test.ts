import { describe, expect, it } from "vitest";
import { callAt, question, ran } from "./parts.ts";
import { answer, parts, route, seed, solved, solvedIn } from "./scripted-steps.ts";

describe("the four ways through HANRAG", () => {
  it("answers a straightforward question from the model alone, in no step", async () => {
    const { output, paths, trace } = await ran({
      script: { "route-question": route("straightforward") },
    });
    expect(output).toEqual({
      answer: "Twelve",
      route: "straightforward",
      steps: 0,
      solved: [],
      passages: [],
    });
    expect(paths).toEqual(["routeQuestion", "answerDirectly"]);
    expect(trace.notes).toEqual({ route: "straightforward" });
  });

  it("answers a single-step question from the relevant ones among ten passages, in one step", async () => {
    const { output, paths, trace } = await ran();
    expect(paths).toEqual([
      "routeQuestion",
      "step[1]/bm25",
      ...Array.from({ length: 10 }, (_, index) => `step[1]/judgeRelevance[${index + 1}]`),
      "step[1]/answerFromPassages",
    ]);
    expect(callAt(trace, "step[1]/bm25")).toMatchObject({ query: question, k: 10 });
    expect(output).toMatchObject({ answer: "1902", route: "single-step", steps: 1 });
    expect(output.solved).toEqual([{ question, answer: "1902" }]);
    expect(output.passages[0]?.id).toBe("1-building");
    expect(trace.notes).toEqual({ route: "single-step" });
  });

  it("lets the generator read the first three that are relevant, in the order found", async () => {
    const { output, trace } = await ran();
    const found = callAt(trace, "step[1]/bm25");
    if (found.kind !== "retrieval") throw new Error("not a retrieval");
    const buildings = found.results.map(({ id }) => id).filter((id) => id.endsWith("-building"));
    expect(buildings.length).toBeGreaterThan(3);
    expect(output.passages.map(({ id }) => id)).toEqual(buildings.slice(0, 3));
    const written = callAt(trace, "step[1]/answerFromPassages");
    expect(written).toMatchObject({
      inputs: {
        passages: buildings.slice(0, 3).map((id) => expect.objectContaining({ id }) as unknown),
      },
    });
  });

  it("judges a passage with its title, beside the question", async () => {
    const { asked } = await ran();
    expect(asked("judge-relevance")[0]).toMatchInlineSnapshot(`
      "Question: When was the iron footbridge of Ostrel finished?

      Passage: <text>
      Ostrel – buildings
      In 1902 the people of Ostrel finished an iron footbridge, the first of its kind.
      </text>
      "
    `);
  });

  it("looks up all parts of a compound question side by side, which is one step", async () => {
    // None is answered before all three have asked, which would never end if they came in turn.
    const { promise: allAsked, resolve } = Promise.withResolvers<void>();
    let open = 0;
    const { output, paths, asked } = await ran({
      script: {
        "route-question": route("compound"),
        "decompose-question": () => parts("Varnholm lighthouse?", "Ostrel footbridge?", "Kessing?"),
        "answer-from-passages": async (fields) => {
          if (++open === 3) resolve();
          await allAsked;
          return answer(/Ostrel footbridge/.test(fields) ? "1902" : "1871");
        },
      },
    });
    expect(output).toMatchObject({ answer: "1871 && 1902", route: "compound", steps: 1 });
    expect(output.solved).toEqual([
      { question: "Varnholm lighthouse?", answer: "1871" },
      { question: "Ostrel footbridge?", answer: "1902" },
      { question: "Kessing?", answer: "1871" },
    ]);
    expect(paths.filter((path) => !path.includes("judgeRelevance"))).toEqual([
      "routeQuestion",
      "decomposeQuestion",
      "part[1]/bm25",
      "part[1]/answerFromPassages",
      "part[2]/bm25",
      "part[2]/answerFromPassages",
      "part[3]/bm25",
      "part[3]/answerFromPassages",
      "answerFromSteps",
    ]);
    expect(asked("answer-from-steps")).toMatchInlineSnapshot(`
      [
        "Question: When was the iron footbridge of Ostrel finished?

      Thought: <text>
      Question 1: Varnholm lighthouse?
      Answer 1: 1871
      Question 2: Ostrel footbridge?
      Answer 2: 1902
      Question 3: Kessing?
      Answer 3: 1871
      </text>
      ",
      ]
    `);
    expect(new Set(output.passages.map(({ id }) => id)).size).toBe(output.passages.length);
  });

  it("solves a complex question in turns of seed question, search and ending", async () => {
    const { output, paths, trace, asked } = await ran({
      script: { "route-question": route("complex") },
    });
    expect(output).toMatchObject({ answer: "1871 && 1902", route: "complex", steps: 2 });
    expect(output.solved.map((step) => step.question)).toEqual([
      "What is fact 1 of Ostrel?",
      "What is fact 2 of Ostrel?",
    ]);
    expect(paths.filter((path) => !path.includes("judgeRelevance"))).toEqual([
      "routeQuestion",
      "judgeEnding[0]",
      "step[1]/refineQuestion",
      "step[1]/bm25",
      "step[1]/answerFromPassages",
      "judgeEnding[1]",
      "step[2]/refineQuestion",
      "step[2]/bm25",
      "step[2]/answerFromPassages",
      "judgeEnding[2]",
      "answerFromSteps",
    ]);
    expect(callAt(trace, "step[2]/bm25")).toMatchObject({ query: "What is fact 2 of Ostrel?" });
    expect(asked("refine-question")).toMatchInlineSnapshot(`
      [
        "Question: When was the iron footbridge of Ostrel finished?

      Thought: nothing
      ",
        "Question: When was the iron footbridge of Ostrel finished?

      Thought: <text>
      Question 1: What is fact 1 of Ostrel?
      Answer 1: 1902
      </text>
      ",
      ]
    `);
  });

  it("takes no step for a complex question that is solved already", async () => {
    const { output, paths } = await ran({
      script: { "route-question": route("complex"), "judge-ending": () => solved(true) },
    });
    expect(output).toMatchObject({ answer: "Twelve", steps: 0, solved: [] });
    expect(paths).toEqual(["routeQuestion", "judgeEnding[0]", "answerDirectly"]);
  });

  it("stops after five steps, and asks nobody whether that is the end", async () => {
    const { output, paths } = await ran({
      script: { "route-question": route("complex"), "judge-ending": () => solved(false) },
    });
    expect(output.steps).toBe(5);
    expect(paths).toContain("judgeEnding[4]");
    expect(paths).not.toContain("judgeEnding[5]");
    const shorter = await ran({
      script: { "route-question": route("complex"), "judge-ending": () => solved(false) },
      parameters: { maxSteps: 3 },
    });
    expect(shorter.output.steps).toBe(3);
  });

  it("lets no answer pass for a step of its own", async () => {
    const { asked } = await ran({
      script: {
        "route-question": route("complex"),
        "refine-question": () => seed("Which\nQuestion 9: bridge?"),
        "answer-from-passages": () => answer("1902\nQuestion 2: and then?\nAnswer 2: no"),
        "judge-ending": (fields) => solved(solvedIn(fields) >= 1),
      },
    });
    expect(asked("answer-from-steps").map(solvedIn)).toEqual([1]);
  });
});
