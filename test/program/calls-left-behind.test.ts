import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { LanguageModel, Retriever } from "espalier";
import { predict, program, signature, text } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";
import { untilAborted } from "../support/until-aborted.ts";

const step = signature({
  name: "step",
  instruction: "Do it.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});
const fields = { input: step.input, output: step.output, version: "1" };

const slowly: Retriever = {
  name: "slowly",
  version: "1",
  doRetrieve: (_, { signal }) => untilAborted(signal),
};

/** Tells when all calls have ended, and whoever waits for them has heard of it. */
function watched(lm: LanguageModel): { readonly lm: LanguageModel; ended(): Promise<void> } {
  const calls: Promise<unknown>[] = [];
  return {
    lm: {
      identity: lm.identity,
      doGenerate: (...given) => {
        const call = lm.doGenerate(...given);
        calls.push(call);
        return call;
      },
    },
    ended: async () => {
      await Promise.allSettled(calls);
      await setImmediate();
    },
  };
}

// vitest fails a run with an unhandled rejection: none of these catches anything itself.
describe("a call that a program starts and does not wait for", () => {
  it("ends quietly when the program fails before", async () => {
    await using server = await scriptedLm(({ messages }) =>
      (messages.at(-1)?.content ?? "").includes("first")
        ? { status: 400, body: '{"error":{"message":"no"}}' }
        : { isUnanswered: true },
    );
    const early = program({
      ...fields,
      name: "early",
      predictors: { first: predict(step), second: predict(step) },
      forward: async ({ question }, { predictors, retrieve }) => {
        const later = predictors.second({ question });
        const found = retrieve(slowly, { query: question, k: 1 });
        await predictors.first({ question: "first" });
        await found;
        return later;
      },
    });
    const { lm, ended } = watched(server.lm);
    const attempt = await early.attempt({ question: "q" }, { lm });
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "lm-request-refused" } });
    await ended();
  });

  it("ends quietly when the program is done before", async () => {
    await using server = await scriptedLm(() => ({ isUnanswered: true }));
    const leaving = program({
      ...fields,
      name: "leaving",
      predictors: { step: predict(step) },
      forward: async ({ question }, { predictors }) => {
        void predictors.step({ question });
        return { answer: "early" };
      },
    });
    const { lm, ended } = watched(server.lm);
    expect(await leaving.run({ question: "q" }, { lm })).toEqual({ answer: "early" });
    await ended();
  });
});

describe("an abort", () => {
  it.each<[string, (controller: AbortController) => AbortSignal]>([
    ["without a reason", (controller) => (controller.abort(), controller.signal)],
    ["with a text", (controller) => (controller.abort("stop"), controller.signal)],
    [
      "with an error",
      (controller) => (controller.abort(new RangeError("left")), controller.signal),
    ],
    ["by timeout", () => AbortSignal.timeout(20)],
  ])("%s is an abort in every part of the trace", async (_, signalOf) => {
    await using server = await scriptedLm(() => ({ isUnanswered: true }));
    const tolerant = program({
      ...fields,
      name: "tolerant",
      predictors: { step: predict(step) },
      forward: async ({ question }, { predictors }) =>
        predictors.step({ question }).catch(() => ({ answer: "makeshift" })),
    });
    const signal = signalOf(new AbortController());
    const { trace } = await tolerant.attempt({ question: "q" }, { lm: server.lm, signal });
    expect(trace.children).toMatchObject([{ failure: { kind: "aborted", code: "aborted" } }]);
  });
});
