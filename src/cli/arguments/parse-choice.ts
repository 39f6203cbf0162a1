import { EspalierError } from "../../errors/index.ts";
import type { CandidateChoice } from "../../optimizer/index.ts";

/**
 * Reads `quality>=0.6,fewest promptTokens`: bounds with `>=` and `<=`, and at most one wish, of which
 * `fewest`, `least` and `lowest` mean the same, and `most` and `highest` do.
 *
 * @throws EspalierError `usage-invalid`
 */
export function parseChoice(given: string): CandidateChoice {
  const atLeast: Record<string, number> = {};
  const atMost: Record<string, number> = {};
  const wishes: CandidateChoice[] = [];
  for (const part of given.split(",").map((one) => one.trim())) {
    const bound = /^([^<>=\s]+)\s*(>=|<=)\s*(\S+)$/.exec(part);
    const wish = /^(fewest|least|lowest|most|highest)\s+(\S+)$/.exec(part);
    if (bound !== null) {
      const [, name = "", sign, number = ""] = bound;
      const value = Number(number);
      if (!Number.isFinite(value)) throw unreadable(given, part);
      (sign === ">=" ? atLeast : atMost)[name] = value;
    } else if (wish !== null) {
      const [, word = "", name = ""] = wish;
      wishes.push(word === "most" || word === "highest" ? { most: name } : { least: name });
    } else {
      throw unreadable(given, part);
    }
  }
  if (wishes.length > 1) throw unreadable(given, "more than one wish");
  return { atLeast, atMost, ...wishes[0] };
}

function unreadable(given: string, part: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: "--choose cannot be read",
    expected: 'bounds and a wish, as in "quality>=0.6,fewest promptTokens"',
    got: part === given ? `"${given}"` : `"${part}" in "${given}"`,
  });
}
