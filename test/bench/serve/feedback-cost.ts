import { openLoad } from "./open-load.ts";
import type { ServerProcess } from "./server-process.ts";

interface ArmFigures {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface FeedbackFigures {
  readonly without: ArmFigures;
  readonly with: ArmFigures;
  /** The p95 with feedback divided by the p95 without. */
  readonly p95Ratio: number;
  readonly wrong: number;
}

/**
 * Measures what storing an answer costs: a server that stores feedback and one that does not
 * alternate under the same request rate, in an order that changes from round to round.
 */
export async function feedbackCost(
  servers: Readonly<Record<"upstream" | "without" | "with", ServerProcess>>,
  {
    perSecond,
    latencyMs,
    rounds,
    seconds,
  }: Readonly<Record<"perSecond" | "latencyMs" | "rounds" | "seconds", number>>,
): Promise<{ readonly figures: FeedbackFigures; readonly text: string }> {
  servers.upstream.tell({ latencyMs });
  const latencies = { without: [] as number[], with: [] as number[] };
  let wrong = 0;
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const);
    for (const arm of order) {
      const asked = await openLoad({ url: servers[arm].url, perSecond, seconds });
      if (round > 0) latencies[arm].push(...asked.latenciesMs);
      wrong += asked.wrong;
    }
  }
  servers.upstream.tell({ latencyMs: 0 });
  const without = figuresOf(latencies.without);
  const kept = figuresOf(latencies.with);
  const p95Ratio = kept.p95Ms / without.p95Ms;
  const line = ({ answers, p50Ms, p95Ms }: ArmFigures): string =>
    `p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms of ${answers} answers`;
  return {
    figures: { without, with: kept, p95Ratio, wrong },
    text: [
      `${perSecond} answers per second, LM replies after ${latencyMs} ms, ${rounds} alternating rounds`,
      `without feedback  ${line(without)}`,
      `with feedback     ${line(kept)}, p95 ${p95Ratio.toFixed(2)} times that without`,
    ].join("\n"),
  };
}

function figuresOf(latenciesMs: readonly number[]): ArmFigures {
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { answers: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95) };
}
