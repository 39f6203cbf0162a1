import { z } from "zod";
import type { Tokenizer } from "../../contract/index.ts";
import { allOrAbort, checkCount } from "../../internal/index.ts";
import type { Limiter } from "../wrappers/with-limit.ts";
import { limiter } from "../wrappers/with-limit.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { RetryOptions } from "../wrappers/retry.ts";
import { retry } from "../wrappers/retry.ts";
import type { ServerOptions } from "../client/server-connection.ts";
import { serverConnection } from "../client/server-connection.ts";

export interface TokenizerOptions extends ServerOptions {
  /** @default the server's own, for a server with one model; its identity is then unknown */
  readonly model?: string | undefined;
  /**
   * Maximum requests in flight; or the server's limiter, if several models share one.
   * @default 8
   */
  readonly concurrency?: number | Limiter;
  readonly retry?: RetryOptions;
  /** Texts whose counts are kept, so that none is sent twice; 0 keeps none. @default 10_000 */
  readonly keptCounts?: number;
  /** See `openAiCompatible`. @default "vllm" */
  readonly provider?: string;
}

/**
 * Token counts from vLLM's `POST /tokenize`, which is beside `/v1`, not under it: one request for
 * each unknown text, none for an empty one.
 *
 * @example
 * const tokenizer = connectTokenizer({ baseUrl: "http://127.0.0.1:8000/v1", model: "qwen" });
 * const [count] = await tokenizer.countTokens(["How long is this?"]);
 * @throws EspalierError `option-invalid`
 */
export function connectTokenizer({
  model,
  concurrency = 8,
  retry: retryOptions = {},
  keptCounts = 10_000,
  provider = "vllm",
  ...server
}: TokenizerOptions): Tokenizer {
  checkCount("keptCounts", keptCounts, 0);
  const connection = serverConnection(server);
  const url = `${server.baseUrl.replace(/\/v1\/?$/, "").replace(/\/$/, "")}/tokenize`;
  const slots = typeof concurrency === "number" ? limiter(concurrency) : concurrency;
  const again = retry(retryOptions);
  const kept = new Map<string, number>();

  const count = async (text: string, signal: AbortSignal): Promise<number> => {
    const known = text === "" ? 0 : kept.get(text);
    if (known !== undefined) return known;
    const body = { ...(model !== undefined && { model }), prompt: text, add_special_tokens: false };
    const ask = (): Promise<unknown> => connection.post(url, body, { signal });
    const reply = await again(() => slots.run(ask, signal), { signal });
    const { count } = readEnvelope(tokenizeReply, reply, connection.origin);
    kept.set(text, count);
    // A map yields its keys in insertion order: the oldest goes first.
    for (const oldest of kept.keys()) {
      if (kept.size <= keptCounts) break;
      kept.delete(oldest);
    }
    return count;
  };

  return {
    identity: { provider, model: model ?? "unnamed" },
    countTokens: async (texts, { signal = new AbortController().signal } = {}) => {
      const distinct = [...new Set(texts)];
      const counts = await allOrAbort(distinct, signal, count);
      const byText = new Map(distinct.map((text, index) => [text, counts[index] ?? 0]));
      return texts.map((text) => byText.get(text) ?? 0);
    },
  };
}

const tokenizeReply = z.object({ count: z.int().min(0) });
