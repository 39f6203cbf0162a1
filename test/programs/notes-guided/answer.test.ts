import { describe, expect, it } from "vitest";
import type { Turn } from "espalier";
import type { NotesGuidedParts } from "../../../programs/notes-guided/index.ts";
import { notesGuided } from "../../../programs/notes-guided/index.ts";
import { asGiven, callsOf, fixedRetriever, pathsOf, question, townParts } from "./parts.ts";
import type { Script, Step } from "./scripted-steps.ts";
import { judged, scriptedSteps } from "./scripted-steps.ts";

const history: readonly Turn[] = Array.from({ length: 7 }, (_, index) => ({
  speaker: index % 2 === 0 ? "user" : "assistant",
  text: `turn ${index + 1}`,
}));
const lastTurns = (count: number) => history.slice(history.length - count);

const long = Array.from({ length: 7 }, (_, index) => ({
  id: `p${index + 1}`,
  title: `Passage ${index + 1}`,
  text: `${index + 1}`.repeat(1_000),
}));
const longParts: NotesGuidedParts = {
  sparse: fixedRetriever("bm25", long),
  reranker: asGiven,
};

/** Runs one round over the long passages; what it answered and what each predictor was given. */
async function answered(
  script: Script,
  parameters: Readonly<Record<string, number | string>> = {},
  parts: Parameters<typeof notesGuided>[0] = longParts,
) {
  await using server = await scriptedSteps(script);
  const values = Object.entries({ hops: 1, ...parameters });
  const answering = notesGuided(parts).with(
    values.map(([path, value]) => ({ kind: "parameter", path, value }) as const),
  );
  const attempt = await answering.attempt({ question, history }, { lm: server.lm });
  if (attempt.state === "failed") throw attempt.error;
  const inputs = Object.fromEntries(
    callsOf(attempt.trace).flatMap((call) =>
      call.kind === "predictor" ? [[call.predictor, call.inputs]] : [],
    ),
  );
  return { output: attempt.output, inputs, trace: attempt.trace, received: server.received };
}

const cutAt = (length: number, count: number) =>
  long.slice(0, count).map(({ id, title, text }) => ({ id, title, text: text.slice(0, length) }));

describe("answering guided by notes", () => {
  it("judges, and then writes with one generator", async () => {
    await using server = await scriptedSteps();
    const towns = await townParts();
    const { state, trace } = await notesGuided(towns).attempt(
      { question, history: [] },
      { lm: server.lm },
    );
    expect(state).toBe("completed");
    expect(pathsOf(trace).slice(-4)).toEqual([
      "hop[3]/lexical",
      "lexical",
      "classifyAnswerability",
      "writeCompleteAnswer",
    ]);
    expect(trace.output).toMatchObject({
      answer: "In 1902.",
      label: "ANSWERABLE",
      passages: [{ id: "1-building" }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
  });

  it("shows the classifier the best five passages, cut at 500 characters", async () => {
    const { inputs } = await answered({});
    expect(inputs["classifyAnswerability"]).toMatchObject({ question, passages: cutAt(500, 5) });
  });

  it.each([
    ["ANSWERABLE", "writeCompleteAnswer", "In 1902."],
    ["PARTIAL", "writePartialAnswer", "In 1902, I think."],
  ])(
    "writes for %s with %s, from the last five turns and passages cut at 800",
    async (label, generator, answer) => {
      const { output, inputs } = await answered({
        "classify-answerability": () => judged(label),
      });
      expect(output).toMatchObject({ label, answer });
      expect(output.passages.map(({ text }) => text.length)).toEqual(long.map(() => 1_000));
      expect(Object.keys(inputs)).toEqual(["generateQueries", "classifyAnswerability", generator]);
      expect(inputs[generator]).toMatchObject({
        question,
        history: lastTurns(5),
        passages: cutAt(800, 7),
      });
    },
  );

  it("asks back for UNANSWERABLE, from the last three turns and without passages", async () => {
    const { output, inputs } = await answered({
      "classify-answerability": () => judged("UNANSWERABLE"),
    });
    expect(output).toMatchObject({ label: "UNANSWERABLE", answer: "Which bridge?" });
    expect(Object.keys(inputs)).toEqual([
      "generateQueries",
      "classifyAnswerability",
      "askClarification",
    ]);
    expect(inputs["askClarification"]).toEqual({ question, history: lastTurns(3) });
  });

  it.each([
    ["UNANSWERABLE", [0.9, 0.05, 0.05]],
    ["ANSWERABLE", [0, 0, 1]],
  ] as const)(
    "takes the label %s whatever its confidences %j, as the paper",
    async (label, said) => {
      const { output } = await answered({ "classify-answerability": () => judged(label, said) });
      expect(output.label).toBe(label);
    },
  );

  it.each([
    [[0.5, 0.2, 0.49], "ANSWERABLE"],
    [[0.2, 0.5, 0.49], "PARTIAL"],
    [[0.3, 0.3, 0.4], "ANSWERABLE"],
    [[0.6, 0.5, 0.5], "UNANSWERABLE"],
  ] as const)("takes the confidences %j for %s by a threshold of .5", async (said, label) => {
    const { output } = await answered(
      { "classify-answerability": () => judged("UNANSWERABLE", said) },
      { abstainBy: "confidence", abstentionThreshold: 0.5 },
    );
    expect(output.label).toBe(label);
  });

  it.each([
    [{}, "PARTIAL", "writePartialAnswer"],
    [{ partialWeight: 0.5 }, "ANSWERABLE", "writeCompleteAnswer"],
    [{ unanswerableWeight: 4 }, "UNANSWERABLE", "askClarification"],
  ] as const)(
    "weighs the classifier's stated confidences with %j, where a server gives no better",
    async (weights, label, generator) => {
      const said = [0.3, 0.4, 0.2];
      const { output, inputs, trace } = await answered(
        { "classify-answerability": () => judged("PARTIAL", said) },
        weights,
        { ...longParts, routing: "weighed" },
      );
      expect(output.label).toBe(label);
      expect(Object.keys(inputs).at(-1)).toBe(generator);
      const call = callsOf(trace).find((node) => node.path === "classifyAnswerability");
      expect(call).toMatchObject({
        decisions: { label: { source: "verbalized", written: "PARTIAL", decided: label } },
      });
    },
  );

  it("asks for no probabilities unless the routing is weighed", async () => {
    const { received } = await answered({});
    expect(received.every((request) => !("logprobs" in request))).toBe(true);
  });

  it("takes a judgement that cannot be read for ANSWERABLE", async () => {
    const { output, trace } = await answered({
      "classify-answerability": () => "Partial, I think",
    });
    expect(output).toMatchObject({ label: "ANSWERABLE", answer: "In 1902." });
    expect(trace.notes).toEqual({ label: "unreadable" });
  });

  it.each([
    ["ANSWERABLE", "write-complete-answer"],
    ["PARTIAL", "write-partial-answer"],
    ["UNANSWERABLE", "ask-clarification"],
  ] as const)("says for %s that there is no answer when %s writes none", async (label, step) => {
    const { output, trace } = await answered({
      "classify-answerability": () => judged(label),
      [step]: () => "no JSON at all",
    });
    expect(output.label).toBe(label);
    expect(output.answer).toMatch(/^I cannot answer this at the moment/);
    expect(trace.notes).toEqual({ answer: "unreadable" });
  });

  it("refuses without asking the classifier when no round could be read", async () => {
    const { output, trace } = await answered(
      { "generate-queries": () => "no JSON at all" },
      { hops: 2 },
    );
    expect(output).toEqual({ label: "UNANSWERABLE", answer: "Which bridge?", passages: [] });
    expect(pathsOf(trace)).toEqual([
      "hop[1]/generateQueries",
      "hop[2]/generateQueries",
      "asGiven",
      "askClarification",
    ]);
  });

  it("samples as the authors did in each step", async () => {
    const samplingOf = async (label: string) => {
      const { received } = await answered({ "classify-answerability": () => judged(label) });
      return received.map(({ response_format: format, ...request }) => [
        format?.json_schema.name as Step,
        request["temperature"],
        request["top_p"],
        request["max_completion_tokens"],
      ]);
    };
    const generator = [0.1, 0.9, 1_024];
    expect(await samplingOf("ANSWERABLE")).toEqual([
      ["generate-queries", 0.4, 1, 10_000],
      ["classify-answerability", 0, 1, 4_096],
      ["write-complete-answer", ...generator],
    ]);
    expect((await samplingOf("PARTIAL"))[2]).toEqual(["write-partial-answer", ...generator]);
    expect((await samplingOf("UNANSWERABLE"))[2]).toEqual(["ask-clarification", ...generator]);
  });

  it("fails when the server of its classifier or generator does: a canned answer would be scored as an answer", async () => {
    for (const step of ["classify-answerability", "write-complete-answer"] as const) {
      const failing = answered({ [step]: () => ({ status: 500, body: "out of memory" }) });
      await expect(failing).rejects.toThrow("500");
    }
  });

  it("is ended by an abort while it judges", async () => {
    const controller = new AbortController();
    await using server = await scriptedSteps({
      "classify-answerability": () => {
        controller.abort();
        return { isUnanswered: true };
      },
    });
    const { signal } = controller;
    const attempt = await notesGuided(longParts).attempt(
      { question, history },
      { lm: server.lm, signal },
    );
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
    expect(server.asked("write-complete-answer")).toEqual([]);
  });
});
