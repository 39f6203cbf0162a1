import type { LmRequest } from "espalier";
import type { Connection, ConnectOptions } from "espalier/lm";
import { connect, defaultSampling } from "espalier/lm";
import type { VllmAddress } from "./server-kinds.ts";

/** A connection that asks once: what the server says, and not what a second request hides. */
export function lmAt(address: VllmAddress, options: Partial<ConnectOptions> = {}): Connection {
  const { root: _, isTrained: __, ...server } = address;
  return connect({ ...server, retry: { attempts: 1 }, examinationsFolder: null, ...options });
}

/**
 * A reply of some tokens, since another machine may round to a model that says nothing. Greedy: the
 * CPU build of vLLM 0.32 can die of a seeded request with a temperature above 0 ("CPU Generator
 * does not use offset").
 */
export function request(
  content: string,
  { maxCompletionTokens = 40, ...rest }: Partial<LmRequest> & { maxCompletionTokens?: number } = {},
): LmRequest {
  return {
    messages: [{ role: "user", content }],
    sampling: { ...defaultSampling, maxCompletionTokens },
    seed: 0,
    extraBody: { min_tokens: Math.min(8, maxCompletionTokens) },
    ...rest,
  };
}

/** A request that generates until it is stopped, or for minutes. */
export function endlessRequest(content: string): LmRequest {
  return request(content, {
    thinking: false,
    maxCompletionTokens: 6000,
    extraBody: { ignore_eos: true },
  });
}

/** The sum of a metric over its labels. */
export async function metricAt({ root }: VllmAddress, name: string): Promise<number> {
  const text = await (await fetch(`${root}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^vllm:${name}\\{[^}]*\\} (\\S+)$`, "gm"))];
  if (values.length === 0) throw new Error(`There is no metric ${name}.`);
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
