import { expect } from "vitest";
import { endlessRequest, lmAt, metricAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

for (const [way, options] of [
  ["whole", {}],
  ["streamed", { onDelta: () => undefined }],
] as const) {
  // Again, since vLLM 0.32 now and then counts nothing of a request while it runs.
  test(
    `aborting a ${way} reply makes the server stop writing it`,
    { retry: 3 },
    async ({ chat }) => {
      await using lm = lmAt(chat);
      const abort = new AbortController();
      const reason = new Error("no longer wanted");
      const written = (): Promise<number> => metricAt(chat, "generation_tokens_total");
      const before = await written();
      let ended: unknown = "not yet";
      const outcome = lm
        .doGenerate(endlessRequest(`Tell a ${way} story.`), { ...options, signal: abort.signal })
        .then(
          () => "answered",
          (error: unknown) => error,
        )
        .then((how) => (ended = how));
      const isWriting = async (): Promise<unknown> => [(await written()) > before, ended];
      await expect.poll(isWriting, { timeout: 60_000 }).toEqual([true, "not yet"]);
      abort.abort(reason);
      expect(await outcome).toBe(reason);
      let last = 0;
      const hasStopped = async (): Promise<boolean> => {
        const now = await written();
        const isSame = now === last;
        last = now;
        return isSame;
      };
      await expect.poll(hasStopped, { interval: 500 }).toBe(true);
      expect(last - before).toBeLessThan(6000);
    },
  );
}
