import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";

/**
 * Reads `--lm-for PREDICTOR=LM,...`: a reference to an LM for each predictor.
 *
 * @throws EspalierError `usage-invalid`
 */
export function parseLmFor(given: string | undefined): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const references = new Map<string, string>();
  for (const pair of given.split(",")) {
    const [, predictor, reference] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
    if (predictor === undefined || reference === undefined || references.has(predictor)) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: "Invalid value for --lm-for",
        expected:
          "PREDICTOR=NAME, with a name from the servers file, or PREDICTOR=URL#MODEL; each predictor once",
        got: `"${withoutCredentials(pair)}"`,
      });
    }
    references.set(predictor, reference);
  }
  return Object.fromEntries(references);
}
