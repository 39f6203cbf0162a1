import { setInterval } from "node:timers/promises";
import { median } from "../support/measure.ts";
import { load } from "./load.ts";
import type { Servers } from "./server-process.ts";

export interface CrowdFigures {
  readonly answers: number;
  readonly wrong: number;
  readonly wrongExample: string | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Memory in the second half of the last third relative to its first half, minus 1. */
  readonly rssGrowth: number;
  /** Sampled once per second. */
  readonly rssMb: readonly number[];
}

/**
 * Runs concurrent clients, each with unique questions, every other one streamed; and checks whether
 * the server's memory is stable in the last third of the time.
 */
export async function crowd(
  { ours }: Pick<Servers, "ours">,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<{ readonly figures: CrowdFigures; readonly text: string }> {
  const rssMb: number[] = [];
  const over = new AbortController();
  const watching = (async () => {
    for await (const _ of setInterval(1_000, null, { signal: over.signal })) {
      rssMb.push((await ours.used()).rssMb);
    }
  })().catch(() => undefined);
  const isStreamed = (question: number): boolean => question % 2 === 1;
  const { answers, wrong, wrongExample, p50Ms, p99Ms } = await load({
    url: ours.url,
    clients,
    seconds,
    isStreamed,
  });
  over.abort();
  await watching;
  // After that, clients only wait for their last answers and ask nothing new.
  rssMb.length = Math.min(rssMb.length, seconds);
  const sixth = Math.floor(rssMb.length / 6);
  const rssGrowth = median(rssMb.slice(-sixth)) / median(rssMb.slice(-2 * sixth, -sixth)) - 1;
  return {
    figures: { answers, wrong, wrongExample, p50Ms, p99Ms, rssGrowth, rssMb },
    text: [
      `${clients} clients for ${seconds} s, every other answer streamed`,
      `${answers} answers, ${wrong} wrong, mixed or lost${wrongExample === null ? "" : ` (${wrongExample})`}; p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`,
      `memory at most ${Math.max(...rssMb).toFixed(0)} MiB, ${(100 * rssGrowth).toFixed(1)} % growth within the last third`,
    ].join("\n"),
  };
}
