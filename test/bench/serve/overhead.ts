import { median } from "../support/measure.ts";
import { load } from "./load.ts";
import type { Servers } from "./server-process.ts";

export interface OverheadFigures {
  readonly overheadMsP50: number;
  readonly bareMsP50: number;
  readonly oursMsP50: number;
  readonly wrong: number;
}

/**
 * The median time of an answer through ours minus that of the LM's server asked directly, which
 * answers after a fixed delay. Both alternate round by round.
 */
export async function overhead(
  { upstream, ours }: Pick<Servers, "upstream" | "ours">,
  {
    clients,
    latencyMs,
    rounds,
    seconds,
  }: {
    readonly clients: number;
    readonly latencyMs: number;
    readonly rounds: number;
    readonly seconds: number;
  },
): Promise<{ readonly figures: OverheadFigures; readonly text: string }> {
  upstream.tell({ latencyMs });
  const asked = { clients, seconds, isStreamed: () => false };
  const bareUrl = upstream.url.replace("/v1", "");
  const pairs = [];
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const bare = await load({ ...asked, url: bareUrl });
    const through = await load({ ...asked, url: ours.url });
    if (round > 0) pairs.push({ bare, through });
  }
  upstream.tell({ latencyMs: 0 });
  const bareMsP50 = median(pairs.map(({ bare }) => bare.p50Ms));
  const oursMsP50 = median(pairs.map(({ through }) => through.p50Ms));
  const overheadMsP50 = median(pairs.map(({ bare, through }) => through.p50Ms - bare.p50Ms));
  const wrong = pairs.reduce((sum, { bare, through }) => sum + bare.wrong + through.wrong, 0);
  return {
    figures: { overheadMsP50, bareMsP50, oursMsP50, wrong },
    text: [
      `${clients} clients, LM replies after ${latencyMs} ms, median of ${rounds} rounds`,
      `bare LM server  p50 ${bareMsP50.toFixed(2)} ms`,
      `espalier serve  p50 ${oursMsP50.toFixed(2)} ms, ${overheadMsP50.toFixed(2)} ms more`,
    ].join("\n"),
  };
}
