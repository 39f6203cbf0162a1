import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { CounterName } from "../client/metrics-text.ts";
import { countersIn } from "../client/metrics-text.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { supported, unknown, unsupported } from "./trial-server.ts";

/** Which of vLLM's counters the server exposes. */
export async function tryMetrics(server: TrialServer): Promise<Finding> {
  const names = [...countersIn(await server.text("/metrics")).keys()];
  return names.length === 0
    ? unsupported("no vLLM counters")
    : supported(`${names.length} counters: ${names.join(", ")}`);
}

/** What a long prompt that is sent twice shows. */
export interface CacheFindings {
  readonly prefixCaching: Finding;
  /** Whether replies say how much of their prompt was cached. */
  readonly cachedTokens: Finding;
}

/**
 * Sends a long prompt twice: the second one must come from the cache, according to the reply's own
 * count or, since that needs `--enable-prompt-tokens-details`, according to the server's counters.
 */
export async function tryPrefixCaching(server: TrialServer): Promise<CacheFindings> {
  const keys: JsonObject = { messages: longPrompt, max_completion_tokens: 1 };
  await server.chat(keys);
  const before = await hitsOf(server);
  const { usage } = await server.chat(keys);
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? null;
  const after = await hitsOf(server);
  const hits = after === undefined || before === undefined ? null : after - before;
  return {
    prefixCaching: cachingIn({ cached, hits, promptTokens: usage?.prompt_tokens ?? null }),
    cachedTokens:
      cached === null
        ? unsupported("replies do not say how much of a prompt was cached")
        : supported("replies say how much of a prompt was cached"),
  };
}

function cachingIn({
  cached,
  hits,
  promptTokens,
}: {
  readonly cached: number | null;
  readonly hits: number | null;
  readonly promptTokens: number | null;
}): Finding {
  const share = (tokens: number): string =>
    `${tokens}${promptTokens === null ? "" : ` of ${promptTokens}`} prompt tokens`;
  if (cached !== null && cached > 0)
    return supported(`${share(cached)} cached, according to \`cached_tokens\``);
  if (hits !== null && hits > 0) return supported(`${share(hits)} cached, according to /metrics`);
  // vLLM 0.x may leave the count at null or 0 with the cache on: only both together mean no.
  if (hits === 0) return unsupported("a repeated prompt was not cached, according to /metrics");
  return cached === null
    ? unknown("neither `cached_tokens` nor /metrics reports cache hits")
    : unsupported("a repeated prompt had 0 `cached_tokens`");
}

async function hitsOf(server: TrialServer): Promise<number | undefined> {
  const counter: CounterName = "prefix_cache_hits";
  try {
    return countersIn(await server.text("/metrics")).get(counter);
  } catch (error) {
    if (EspalierError.isInstance(error)) return undefined;
    throw error;
  }
}

/**
 * Longer than the largest common cache block: 16 tokens for most models, a few hundred for hybrids.
 */
const longPrompt = [
  {
    role: "user",
    content: `Reply with the single word \`yes\`. The rest is a list of numbers to pass over: ${Array.from(
      { length: 300 },
      (_, index) => index,
    ).join(" ")}`,
  },
];
