import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { defaultSampling } from "../../../src/contract/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { smallModel } from "../../../test/support/trained-model.ts";
import { connectLocal } from "../src/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const path = await smallModel();
const calls = Number(process.env["ESPALIER_LOCAL_CALLS"] ?? 400);
const callers = 8;

const responseSchema = {
  name: "animal",
  schema: { type: "object", properties: { legs: { type: "integer" } }, required: ["legs"] },
} as const;

test.skipIf(path === null)(
  "memory stays flat over many calls, a quarter of them aborted, half of them held to a schema",
  async () => {
    await using lm = await connectLocal({ model: path!, concurrency: 4, contextTokens: 1024 });
    const random = randomSource(1, "aborts");
    const enough = new Error("enough");
    const sizes: number[] = [];
    let aborted = 0;

    const ask = async (index: number): Promise<void> => {
      const stop = new AbortController();
      const timer =
        index % 4 === 0
          ? setTimeout(() => stop.abort(enough), random.below(index % 8 === 0 ? 50 : 500))
          : undefined;
      try {
        await lm.doGenerate(
          {
            messages: [
              { role: "system", content: "Answer briefly." },
              { role: "user", content: `How many legs has animal ${index}?` },
            ],
            sampling: { ...defaultSampling, maxCompletionTokens: 6 },
            seed: index,
            ...((index >> 1) % 2 === 0 && { responseSchema }),
          },
          { signal: stop.signal },
        );
      } catch (error) {
        if (error !== enough) throw error;
        aborted += 1;
      } finally {
        clearTimeout(timer);
      }
    };

    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < calls) {
        const index = next++;
        await ask(index);
        // llama.cpp frees some 600 kB of a call with its object in JavaScript, which V8 takes for
        // small.
        if (index % 50 === 0) collect();
        sizes.push(process.memoryUsage.rss() / 1e6);
      }
    };
    // More than the places, so that calls are aborted while they wait, too.
    await Promise.all(Array.from({ length: callers }, caller));

    const quarter = (index: number): number =>
      mean(sizes.slice(((index - 1) * calls) / 4, (index * calls) / 4));
    const means = [1, 2, 3, 4].map((index) => Math.round(quarter(index)));
    process.stderr.write(
      `[local] ${aborted} of ${calls} aborted; MB by quarter: ${means.join(", ")}\n`,
    );
    expect(aborted).toBeGreaterThan(0);
    expect(quarter(4) - quarter(2)).toBeLessThan(32);
  },
);

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
