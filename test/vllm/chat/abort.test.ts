import { expect } from "vitest";
import { endlessRequest, lmAt, metricAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

for (const [way, options] of [
  ["whole", {}],
  ["streamed", { onDelta: () => undefined }],
] as const) {
  test(`aborting a ${way} reply makes the server stop writing it`, async ({ chat }) => {
    await using lm = lmAt(chat);
    const abort = new AbortController();
    const reason = new Error("no longer wanted");
    const running = (): Promise<number> => metricAt(chat, "num_requests_running");
    const before = await metricAt(chat, "generation_tokens_total");
    const outcome = lm
      .doGenerate(endlessRequest(`Tell a ${way} story.`), { ...options, signal: abort.signal })
      .then(
        () => "answered",
        (error: unknown) => error,
      );
    await expect.poll(running).toBe(1);
    abort.abort(reason);
    expect(await outcome).toBe(reason);
    await expect.poll(running).toBe(0);
    expect((await metricAt(chat, "generation_tokens_total")) - before).toBeLessThan(6000);
  });
}
