import type { LanguageModel, PassageReranker } from "espalier";
import { predict, program, signature, text } from "espalier";
import type { Ledger } from "espalier/lm";
import { defaultSampling, ledger, withLedger } from "espalier/lm";
import { chatModel } from "espalier/serve";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/internal/index.ts";
import { shadowTraffic } from "../../../src/serve/canary/shadow-traffic.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

const io = { input: { question: text("question") }, output: { answer: text("answer") } };
const answer = signature({ name: "answer", instruction: "Answer the question.", ...io });
const place = { id: "p1", text: "By the river." };

/** Asks the LM that it is lent about the query. */
const asking: PassageReranker = {
  name: "asking",
  version: "1",
  doRerank: async ({ query, passages }, { lm }) => {
    const messages = [{ role: "user" as const, content: query }];
    await lm?.doGenerate({ messages, sampling: defaultSampling, seed: 0 });
    return passages.map((passage) => ({ ...passage, score: 1 }));
  },
};

const ranking = program({
  name: "ranking",
  version: "1",
  ...io,
  predictors: { draft: predict(answer), answer: predict(answer) },
  forward: async (given, call) => {
    await call.rerank(asking, { query: given.question, passages: [place], k: 1 });
    await call.predictors.draft(given);
    return call.predictors.answer(given);
  },
});

test("all that a shadow asks of LMs is a shadow's, also what a reranker asks, and what is asked of an LM of the model's own", async () => {
  await using server = await scriptedLm(() => JSON.stringify({ answer: "There." }));
  const [costs, ownCosts] = [ledger(), ledger()];
  const counted = (into: Ledger): LanguageModel => withLedger(server.lm, into);
  const model = chatModel({
    id: "ranking",
    program: ranking,
    lms: { draft: counted(ownCosts) },
    inputOf: ({ question }) => ({ question }),
    answerOf: ({ answer }) => ({ answer }),
  });
  const limits = { slots: 1, deadlineMs: 5_000, isBusy: () => false, clock: systemClock };
  using unseen = shadowTraffic({ lm: counted(costs), ...limits });
  const end = await unseen.run(model, { question: "Where?", history: [], id: "q1" });
  expect(end?.outcome).toMatchObject({ answer: "There.", usage: { lmCalls: 3 } });
  expect(costs.snapshot().byRole).toEqual({ shadow: expect.objectContaining({}) });
  expect(costs.snapshot().byRole.shadow?.billed.calls).toBe(2);
  expect(Object.keys(ownCosts.snapshot().byRole)).toEqual(["shadow"]);
});
