import { EspalierError } from "../errors/index.ts";
import { credentialsIn } from "../internal/index.ts";
import type { Servers } from "./servers.ts";

/** Where keys are: `process.env`, or a test's own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The key in an environment variable; nothing if no variable is named.
 *
 * @param part what the key is for, for the error
 * @throws EspalierError `key-missing`
 */
export function keyOf(
  variable: string | undefined,
  part: string,
  environment: Environment,
): { readonly apiKey?: string } {
  if (variable === undefined) return {};
  const apiKey = environment[variable];
  if (apiKey !== undefined && apiKey !== "") return { apiKey };
  throw new EspalierError({
    code: "key-missing",
    problem: `The key for ${part} is not set`,
    expected: `the environment variable ${variable}`,
    fix: `Set it, or remove \`keyVariable\` from the servers file if the server needs no key.`,
  });
}

/** Every secret of the file's servers, never to be written: keys, and credentials in URLs. */
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
