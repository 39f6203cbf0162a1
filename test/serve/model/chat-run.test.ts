import { predict, program, signature, text } from "espalier";
import type { ChatEvent } from "espalier/serve";
import { chatModel, runChat } from "espalier/serve";
import { expect, test } from "vitest";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer the question.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

/** Streams a draft and the answer, or nothing. */
function modelOf({ isStreamed, fails = false }: { isStreamed: boolean; fails?: boolean }) {
  const stream = isStreamed ? ({ stream: "answer" } as const) : {};
  const declared = program({
    name: "drafter",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { draft: predict(answer), answer: predict(answer) },
    forward: async (given, { predictors, step }) => {
      step("Drafting");
      await predictors.draft(given, stream);
      if (fails) throw new Error("No.");
      const made = await predictors.answer(given, stream);
      return { answer: `${made.answer}!` };
    },
  });
  return chatModel({
    id: "drafter",
    program: declared,
    inputOf: ({ question }) => ({ question }),
    answerOf: ({ answer }) => ({ answer, contexts: ["One."] }),
  });
}

async function heard(parts: Parameters<typeof modelOf>[0]) {
  await using server = await scriptedLm((_request, index) => {
    const content = JSON.stringify({ answer: index === 0 ? "Draft" : "Whole" });
    return { content, pieces: [content.slice(0, 14), content.slice(14)] };
  });
  const events: ChatEvent[] = [];
  const outcome = await runChat(modelOf(parts), {
    question: "Where?",
    history: [],
    id: "q1",
    lm: server.lm,
    onEvent: (event) => events.push(event),
  });
  return { events, outcome };
}

test("deltas since the last restart add up to the answer, also where a draft is streamed before", async () => {
  const { events, outcome } = await heard({ isStreamed: true });
  const restart = events.findLastIndex(({ kind }) => kind === "restarted");
  const told = events
    .slice(restart + 1)
    .flatMap((event) => (event.kind === "delta" ? event.text : []));
  expect(events[0]).toEqual({ kind: "step", text: "Drafting" });
  expect(events.slice(1, restart).every(({ kind }) => kind === "delta")).toBe(true);
  expect(told.join("")).toBe("Whole!");
  expect(outcome).toMatchObject({ answer: "Whole!", contexts: ["One."], version: "declared" });
  expect(outcome.usage).toMatchObject({ promptTokens: 20, completionTokens: 10, lmCalls: 2 });
});

test("the answer of a program that streams nothing is one delta", async () => {
  const { events } = await heard({ isStreamed: false });
  expect(events).toEqual([
    { kind: "step", text: "Drafting" },
    { kind: "delta", text: "Whole!" },
  ]);
});

test("a failed run is an outcome with its failure, its trace and what it cost", async () => {
  const { outcome } = await heard({ isStreamed: false, fails: true });
  expect(outcome).toMatchObject({
    answer: "",
    citations: [],
    failure: { code: "program-failed" },
    usage: { promptTokens: 10, lmCalls: 1 },
  });
  expect(outcome.trace?.children).toHaveLength(1);
});

test("ids that could be taken for a version or a path are refused", async () => {
  const { program: declared } = modelOf({ isStreamed: false });
  for (const id of ["", "a@b", "../a", "a//b", "A", "a b"]) {
    const parts = { id, program: declared, inputOf: () => ({}), answerOf: () => ({ answer: "" }) };
    expect((await thrownBy(() => chatModel(parts))).code).toBe("serving-invalid");
  }
});
