import { median } from "../support/measure.ts";
import type { LoadFigures } from "./load.ts";
import { load } from "./load.ts";
import type { ServerProcess, Servers } from "./server-process.ts";

export interface ThroughputFigures {
  /** Our answers per second divided by the proxy's. */
  readonly ratio: number;
  /** The proxy's CPU time divided by ours. */
  readonly cpuRatio: number;
  readonly perSecond: { readonly proxy: number; readonly ours: number };
  readonly cpuMsPerRequest: { readonly proxy: number; readonly ours: number };
  readonly wrong: number;
}

interface Round extends LoadFigures {
  readonly cpuMsPerRequest: number;
  /** Share of one core, by process. */
  readonly shares: { readonly server: number; readonly upstream: number; readonly load: number };
}

/** Our answers per second relative to the proxy's; both alternate round by round. */
export async function throughput(
  { upstream, proxy, ours }: Servers,
  {
    clients,
    rounds,
    seconds,
    isStreamed,
  }: {
    readonly clients: number;
    readonly rounds: number;
    readonly seconds: number;
    readonly isStreamed: boolean;
  },
): Promise<{ readonly figures: ThroughputFigures; readonly text: string }> {
  const measured = async (server: ServerProcess): Promise<Round> => {
    const [before, upstreamBefore] = await Promise.all([server.used(), upstream.used()]);
    const asked = { url: server.url, clients, seconds, isStreamed: () => isStreamed };
    const figures = await load(asked);
    const [after, upstreamAfter] = await Promise.all([server.used(), upstream.used()]);
    const cpuMs = after.cpuMs - before.cpuMs;
    return {
      ...figures,
      cpuMsPerRequest: cpuMs / figures.answers,
      shares: {
        server: cpuMs / figures.wallMs,
        upstream: (upstreamAfter.cpuMs - upstreamBefore.cpuMs) / figures.wallMs,
        load: figures.cpuMs / figures.wallMs,
      },
    };
  };
  const pairs: { readonly proxy: Round; readonly ours: Round }[] = [];
  // The first two rounds are a warm-up and do not count.
  for (let round = -1; round <= rounds; round++) {
    const pair = { proxy: await measured(proxy), ours: await measured(ours) };
    if (round > 0) pairs.push(pair);
  }
  const over = (value: (pair: (typeof pairs)[number]) => number): number =>
    median(pairs.map(value));
  const each = (value: (round: Round) => number) => ({
    proxy: over((pair) => value(pair.proxy)),
    ours: over((pair) => value(pair.ours)),
  });
  const ratio = over((pair) => pair.ours.perSecond / pair.proxy.perSecond);
  const cpuRatio = over((pair) => pair.proxy.cpuMsPerRequest / pair.ours.cpuMsPerRequest);
  const perSecond = each((round) => round.perSecond);
  const cpuMsPerRequest = each((round) => round.cpuMsPerRequest);
  const row = (title: string, name: "proxy" | "ours"): string => {
    const share = (of: keyof Round["shares"]): string =>
      `${(100 * over((pair) => pair[name].shares[of])).toFixed(0)} %`;
    return (
      `${title} ${perSecond[name].toFixed(0).padStart(5)} per second, ${cpuMsPerRequest[name].toFixed(3)} ms CPU each; ` +
      `of a core: server ${share("server")}, LM server ${share("upstream")}, load ${share("load")}`
    );
  };
  const wrong = pairs.reduce((sum, pair) => sum + pair.proxy.wrong + pair.ours.wrong, 0);
  return {
    figures: { ratio, cpuRatio, perSecond, cpuMsPerRequest, wrong },
    text: [
      `${isStreamed ? "streams" : "whole answers"}, ${clients} clients, immediate LM replies, median of ${rounds} rounds of ${seconds} s`,
      row("hono proxy     ", "proxy"),
      row("espalier serve ", "ours"),
      `ratio of answers per second ${ratio.toFixed(2)}, of CPU time ${cpuRatio.toFixed(2)}`,
    ].join("\n"),
  };
}
