import { describe, expect, it } from "vitest";
import type { LanguageModel, LmRequest } from "../../src/contract/index.ts";
import { defaultSampling } from "../../src/contract/index.ts";
import type { Answer } from "../support/vllm-server.ts";
import { chat } from "../support/vllm-server.ts";

/** What the server behind the language model says to each of the contract's requests. */
export const contractAnswer: Answer = chat(({ body }) => {
  const asked: string = body.messages.at(-1).content;
  if (asked === "think too long") {
    return { content: null, reasoning: "hm hm hm", finishReason: "length" };
  }
  return { content: `you said ${asked}`, reasoning: null };
});

function ask(text: string, more: { readonly topLogprobs?: number } = {}): LmRequest {
  const request: LmRequest = {
    messages: [
      { role: "system", content: "Repeat." },
      { role: "user", content: text },
    ],
    sampling: defaultSampling,
    seed: 7,
    ...more,
  };
  return Object.freeze(request);
}

const plain = ask("one thing");
const exhausted = ask("think too long");
const scored = ask("yes", { topLogprobs: 3 });
const many = Array.from({ length: 50 }, (_, index) => ask(`number ${index}`));

const inScript = {
  content: "you said one thing",
  reasoning: null,
  finishReason: "stop",
  usage: { promptTokens: 3, completionTokens: 4, cachedPromptTokens: null },
};
const inOwnWords = {
  content: expect.stringMatching(/\S/),
  reasoning: null,
  finishReason: expect.stringMatching(/^(stop|length)$/),
  usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
};

export interface ContractSubject extends AsyncDisposable {
  readonly lm: LanguageModel;
}

export type ContractRule = "logprobs" | "streams" | "abortsInFlight" | "exhausted" | "script";

/**
 * What holds of every language model. `open` gives one that answers as `contractAnswer` does;
 * `skips` names the rules it cannot keep, with the reason. One that skips `script` answers in words
 * of its own, but always in the same.
 */
export function languageModelContract(
  name: string,
  open: () => Promise<ContractSubject>,
  skips: Partial<Record<ContractRule, string>> = {},
): void {
  const isScripted = skips.script === undefined;
  const unless = (rule: ContractRule): typeof it =>
    skips[rule] === undefined ? it : (it.skip as typeof it);

  describe(`${name} keeps the contract of a language model`, () => {
    it("says who it is", async () => {
      await using subject = await open();
      const { provider, model } = subject.lm.identity;
      expect(provider).not.toBe("");
      expect(model).not.toBe("");
    });

    it("answers with content, finish reason and usage", async () => {
      await using subject = await open();
      const reply = await subject.lm.doGenerate(plain);
      expect(reply).toMatchObject(isScripted ? inScript : inOwnWords);
      expect(reply.latencyMs).toBeGreaterThanOrEqual(0);
      expect(reply).not.toHaveProperty("logprobs");
    });

    unless("exhausted")("returns a valid envelope as it is, even without content", async () => {
      await using subject = await open();
      const reply = await subject.lm.doGenerate(exhausted);
      expect(reply).toMatchObject({
        content: null,
        reasoning: "hm hm hm",
        finishReason: "length",
      });
    });

    unless(isScripted ? "logprobs" : "script")(
      "reports the alternatives of each token when asked",
      async () => {
        await using subject = await open();
        const { logprobs } = await subject.lm.doGenerate(scored);
        expect(logprobs?.map(({ token }) => token)).toEqual(["you", " said", " yes"]);
        expect(logprobs?.[2]?.top).toEqual([
          { token: " yes", logprob: -0.5 },
          { token: " yes1", logprob: -1.5 },
          { token: " yes2", logprob: -2.5 },
        ]);
      },
    );

    it.runIf(!isScripted)("reports alternatives that fit what it wrote", async () => {
      await using subject = await open();
      const { content, logprobs = [] } = await subject.lm.doGenerate(scored);
      expect(logprobs.map(({ token }) => token).join("")).toBe(content);
      // At temperature 0 the best alternative is the one that was written.
      expect(logprobs.map(({ top }) => top[0])).toEqual(
        logprobs.map(({ token, logprob }) => ({ token, logprob })),
      );
      for (const { top } of logprobs) {
        const values = top.map(({ logprob }) => logprob);
        expect(values).toEqual(values.toSorted((one, other) => other - one));
      }
    });

    unless("streams")("streams pieces that add up to the reply", async () => {
      await using subject = await open();
      const pieces: string[] = [];
      const reply = await subject.lm.doGenerate(plain, {
        onDelta: ({ content = "" }) => pieces.push(content),
      });
      expect(pieces.join("")).toBe(reply.content);
      if (!isScripted) return;
      expect(reply).toMatchObject({ content: "you said one thing", finishReason: "stop" });
      expect(reply.usage.completionTokens).toBe(4);
    });

    it("rejects with the reason of a signal that has fired", async () => {
      await using subject = await open();
      const reason = new Error("enough");
      const call = subject.lm.doGenerate(plain, { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBe(reason);
    });

    unless("abortsInFlight")("rejects with the reason of a signal that fires later", async () => {
      await using subject = await open();
      const reason = new Error("enough");
      const controller = new AbortController();
      const call = subject.lm.doGenerate(plain, { signal: controller.signal });
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
    });

    it("gives each of many calls at a time its own reply", async () => {
      await using subject = await open();
      const replies = await Promise.all(many.map((request) => subject.lm.doGenerate(request)));
      const alone = async (request: LmRequest): Promise<string | null> =>
        (await subject.lm.doGenerate(request)).content;
      expect(replies.map(({ content }) => content)).toEqual(
        isScripted
          ? many.map((_, index) => `you said number ${index}`)
          : await Promise.all(many.map(alone)),
      );
    });
  });
}
