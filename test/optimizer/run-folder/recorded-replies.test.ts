import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { defaultSampling } from "espalier/lm";
import type { EspalierError, LanguageModel, LmRequest } from "espalier";
import type { Budget } from "../../../src/optimizer/index.ts";
import { recordedReplies } from "../../../src/optimizer/run-folder/recorded-replies.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Costs one US dollar at most. */
const request = (content: string): LmRequest => ({
  messages: [{ role: "user", content }],
  sampling: { ...defaultSampling, maxCompletionTokens: 1_000_000 },
  seed: 0,
});
const price = { promptUsdPerMillion: 0, completionUsdPerMillion: 1 };

it("charges a kill with the calls that were sent, not with those that waited for room", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "report.jsonl");
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const silent: LanguageModel = {
    identity: { provider: "test", model: "silent" },
    doGenerate: () => {
      reach();
      return new Promise(() => {});
    },
  };
  const options = {
    budget: { costUsd: 1.5 },
    prices: { student: price },
    signal: new AbortController().signal,
  };
  {
    using replies = recordedReplies(silent, path, options);
    for (const content of ["one", "two", "three"]) void replies.lm.doGenerate(request(content));
    await reached;
    const sent = (await readFile(path, "utf8")).match(/"kind":"sent"/g);
    expect(sent).toHaveLength(1);
  }
  using again = recordedReplies(silent, path, options);
  expect(again.spent().costUsd).toBe(1);
});

it.each<[Pick<Budget, "lmCalls" | "tokens" | "costUsd">, string | undefined]>([
  [{ tokens: 5_000_000 }, "tokens"],
  [{ costUsd: 5 }, "costUsd"],
  [{ lmCalls: 5 }, undefined],
])("under %j, a server that reports no tokens is refused over %s at once", async (budget, cap) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "report.jsonl");
  let asked = 0;
  const silentOnTokens: LanguageModel = {
    identity: { provider: "test", model: "silent on tokens" },
    doGenerate: async () => {
      asked++;
      return {
        content: "an answer",
        reasoning: null,
        finishReason: "stop",
        usage: {
          promptTokens: 7,
          completionTokens: null,
          cachedPromptTokens: null,
          reasoningTokens: null,
        },
        model: "m",
        latencyMs: 1,
        source: "server",
      };
    },
  };
  const { signal } = new AbortController();
  const options = { prices: { student: price }, signal };
  {
    using replies = recordedReplies(silentOnTokens, path, { ...options, budget });
    const call = replies.lm.doGenerate(request("one"));
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown as EspalierError,
    );
    expect(error?.code).toBe(cap && "lm-usage-missing");
    expect(error?.message ?? "").toContain(cap ?? "");
  }
  // What was paid for is not bought again without the cap.
  using again = recordedReplies(silentOnTokens, path, { ...options, budget: {} });
  await again.lm.doGenerate(request("one"));
  expect(asked).toBe(1);
});
