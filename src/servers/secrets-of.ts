import { credentialsIn } from "../internal/index.ts";
import type { Environment } from "./key-of.ts";
import type { Servers } from "./servers.ts";

/** All that reaches the file's servers and must never be written: keys, and credentials in URLs. */
export function secretsOf(
  { lms, embedder, reranker, pairScorer, tokenizer, search }: Servers,
  environment: Environment,
): readonly string[] {
  const parts = [embedder, reranker, pairScorer, tokenizer, search];
  const secrets = [...Object.values(lms), ...parts].flatMap((entry) => {
    if (typeof entry !== "object" || "lm" in entry) return [];
    const key = entry.keyVariable === undefined ? "" : (environment[entry.keyVariable] ?? "");
    return [...(key === "" ? [] : [key]), ...[entry.url].flat().flatMap(credentialsIn)];
  });
  return [...new Set(secrets)];
}
