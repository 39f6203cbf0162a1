import { describe, expect, it } from "vitest";
import { bm25Index } from "espalier/retrieval";
import { adaptiveRag, ircot } from "../../../programs/hanrag/index.ts";
import { shelf } from "../../retrieval/shelf.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { question } from "./parts.ts";

describe("IRCoT", () => {
  it("searches with each sentence, until one is final, and reads all that was found", async () => {
    const { output, asked, queries } = await ran(ircot, {
      "write-next-thought": (index) => thought(["Ostrel has a bridge.", "So it is 1902."], index),
    });
    expect(queries).toEqual([question, "Ostrel has a bridge."]);
    expect(output).toMatchObject({ answer: "1902", steps: 2, route: "complex" });
    expect(asked).toEqual(["write-next-thought", "write-next-thought", "answer-from-passages"]);
    expect(output.passages.length).toBeGreaterThan(4);
  });

  it("stops after its steps, and at an unreadable sentence", async () => {
    const endless = { "write-next-thought": () => ({ sentence: "More.", isFinal: false }) };
    expect((await ran(ircot, endless, { maxThoughts: 3 })).output.steps).toBe(3);
    const { output } = await ran(ircot, { "write-next-thought": () => ({ nothing: true }) });
    expect(output.steps).toBe(1);
  });

  it("reads no more passages than it may", async () => {
    const endless = { "write-next-thought": () => ({ sentence: "Ostrel bridge", isFinal: false }) };
    const { output } = await ran(ircot, endless, { maxPassages: 5 });
    expect(output.passages).toHaveLength(5);
  });
});

describe("Adaptive-RAG", () => {
  it.each([
    ["no-search", 0, "straightforward"],
    ["one-search", 1, "single-step"],
    ["several-searches", 1, "complex"],
  ])("takes a question of %s in %i steps", async (effort, steps, route) => {
    const { output, queries } = await ran(adaptiveRag, { "judge-effort": () => ({ effort }) });
    expect(output).toMatchObject({ steps, route });
    expect(queries).toHaveLength(steps);
  });

  it("searches once where the judgement cannot be read", async () => {
    const { output } = await ran(adaptiveRag, { "judge-effort": () => ({ effort: "much" }) });
    expect(output.route).toBe("single-step");
  });
});

function thought(sentences: readonly string[], index: number) {
  return { sentence: sentences[index] ?? "", isFinal: index === sentences.length - 1 };
}

type Script = Readonly<Record<string, (index: number) => object>>;

const sensible: Script = {
  "write-next-thought": () => ({ sentence: "So the answer is 1902.", isFinal: true }),
  "answer-from-passages": () => ({ reasoning: "It says so.", answer: "1902" }),
  "answer-directly": () => ({ answer: "1902" }),
};

/** Answers a question about the towns, with a server that replies as scripted. */
async function ran(
  make: typeof ircot | typeof adaptiveRag,
  script: Script,
  parameters: Readonly<Record<string, number>> = {},
) {
  const asked: string[] = [];
  await using server = await scriptedLm(({ response_format: format, messages }) => {
    const step = format?.json_schema.name ?? "";
    const index = asked.filter((one) => one === step).length;
    // A correction belongs to the request before it.
    if (messages.length === 2) asked.push(step);
    return JSON.stringify({ ...sensible, ...script }[step]?.(index) ?? {});
  });
  await using retriever = await bm25Index({ corpus: shelf });
  const queries: string[] = [];
  const program = make({
    retriever: {
      ...retriever,
      doRetrieve: (request, options) => {
        queries.push(request.query);
        return retriever.doRetrieve(request, options);
      },
    },
  });
  const set = Object.entries(parameters).map(
    ([path, value]) => ({ kind: "parameter", path, value }) as const,
  );
  return { output: await program.with(set).run({ question }, { lm: server.lm }), asked, queries };
}
