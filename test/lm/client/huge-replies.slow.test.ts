import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { endless } from "../../support/endless-answer.ts";
import { chatPath, raw, vllmServer } from "../../support/vllm-server.ts";

const mebibyte = Buffer.alloc(2 ** 20, 97);

async function peakOf(baseUrl: string, way: string): Promise<{ code: string; peakMiB: number }> {
  const script = join(import.meta.dirname, "ask-once.ts");
  const child = promisify(execFile)(process.execPath, [
    "--conditions=espalier:source",
    script,
    baseUrl,
    way,
  ]);
  return JSON.parse((await child).stdout) as { code: string; peakMiB: number };
}

it.each(["whole", "streamed"])(
  "A reply of 600 MiB costs no more than its limit in memory and one error: %s",
  async (way) => {
    await using server = await vllmServer();
    server.always(chatPath, raw("{}", "application/json"));
    const small = await peakOf(server.baseUrl, way);
    expect(small.code).toBe("lm-bad-envelope");
    const stream = { head: "data: ", contentType: "text/event-stream" };
    server.always(chatPath, endless(mebibyte, { times: 600, ...(way === "streamed" && stream) }));
    const huge = await peakOf(server.baseUrl, way);
    expect(huge.code).toBe("lm-reply-too-large");
    // The limit is 64 MiB; buffers that were let go stay for a while.
    expect(huge.peakMiB - small.peakMiB).toBeLessThan(4 * 64);
  },
);
