import { getEventListeners } from "node:events";
import type { PassageReranker } from "espalier";
import { predict, program, signature, text } from "espalier";
import { evaluate } from "espalier/evaluate";
import { defaultSampling } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import { httpSearch, yesNoReranker } from "espalier/retrieval";
import { chatModel, programJobs, runBatch } from "espalier/serve";
import { expect, test } from "vitest";
import { allOrAbort, systemClock } from "../../src/internal/index.ts";
import { deadline } from "../../src/optimizer/budget/index.ts";
import type { ScriptedLm } from "../support/scripted-lm.ts";
import { scriptedLm } from "../support/scripted-lm.ts";
import { searchServer } from "../support/search-server.ts";

const io = { input: { question: text("question") }, output: { answer: text("answer") } };
const answer = signature({ name: "answer", instruction: "Answer.", ...io });
const passages = [{ id: "p1", text: "By the river." }];

/** Asks the LM that it is lent, and could give up. */
const asking: PassageReranker = {
  name: "asking",
  version: "1",
  doRerank: async ({ query, passages }, { lm }) => {
    const messages = [{ role: "user" as const, content: query }];
    const { signal } = new AbortController();
    await lm?.doGenerate({ messages, sampling: defaultSampling, seed: 0 }, { signal });
    return passages.map((passage) => ({ ...passage, score: 1 }));
  },
};

const answerer = program({
  name: "answerer",
  version: "1",
  ...io,
  predictors: { answer: predict(answer) },
  forward: async (given, { predictors, rerank }) => {
    await rerank(asking, { query: given.question, passages, k: 1 });
    return predictors.answer(given);
  },
});

const model = chatModel({
  id: "answerer",
  program: answerer,
  inputOf: ({ question }) => ({ question }),
  answerOf: ({ answer }) => ({ answer }),
});

type Work = (server: ScriptedLm, signal: AbortSignal) => Promise<unknown>;

const works: Readonly<Record<string, Work>> = {
  "an evaluation": ({ lm }, signal) =>
    evaluate({
      program: answerer,
      metric: metric({ name: "any", version: "1", score: () => scored(1) }),
      examples: [{ id: "e1", input: { question: "Where?" }, labels: {} }],
      lm,
      signal,
    }),
  "a batch": ({ lm }, signal) =>
    runBatch(
      programJobs([{ id: 1, input: { question: "Where?" } }], { model, lm, maxInput: 100 }),
      {
        concurrency: 2,
        signal,
        onLine: () => undefined,
      },
    ),
  "a search": async (_, signal) => {
    await using server = await searchServer(() => []);
    await httpSearch({ url: server.url }).doRetrieve({ query: "where", k: 1 }, { signal });
  },
  "a reranker that fails": ({ lm }, signal) =>
    yesNoReranker({ lm })
      .doRerank({ query: "where", passages, k: 1 }, { signal })
      .catch(() => undefined),
  "work side by side": (_, signal) =>
    allOrAbort([1, 2], signal, async (number, either) => {
      either.throwIfAborted();
      return number;
    }),
  "a step with a deadline": async (_, signal) => {
    using step = deadline(60_000, 0, systemClock).bound(signal, false);
    step.signal.throwIfAborted();
  },
};

test.each(Object.entries(works))(
  "%s that has ended leaves nothing on a signal that lives on",
  async (_, work) => {
    await using server = await scriptedLm(() => JSON.stringify({ answer: "There." }));
    const { signal } = new AbortController();
    await work(server, signal);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  },
);
