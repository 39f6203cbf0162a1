import { EspalierError, failureOf } from "../../errors/index.ts";
import { chooseCandidate, readRun, hasDecisions } from "../../optimizer/files.ts";
import type { CandidateChoice, CandidateRecord } from "../../optimizer/index.ts";

/**
 * Parses a choice such as `quality>=0.6,fewest promptTokens`: bounds with `>=` and `<=`, and at
 * most one preference. `fewest`, `least` and `lowest` are synonyms, as are `most` and `highest`.
 *
 * @throws EspalierError `usage-invalid`
 */
export function parseChoice(given: string): CandidateChoice {
  const atLeast: Record<string, number> = {};
  const atMost: Record<string, number> = {};
  const preferences: CandidateChoice[] = [];
  for (const part of given.split(",").map((one) => one.trim())) {
    const bound = /^([^<>=\s]+)\s*(>=|<=)\s*(\S+)$/.exec(part);
    const preference = /^(fewest|least|lowest|most|highest)\s+(\S+)$/.exec(part);
    if (bound !== null) {
      const [, name = "", sign, number = ""] = bound;
      const value = Number(number);
      if (!Number.isFinite(value)) throw unreadable(given, part);
      (sign === ">=" ? atLeast : atMost)[name] = value;
    } else if (preference !== null) {
      const [, word = "", name = ""] = preference;
      preferences.push(word === "most" || word === "highest" ? { most: name } : { least: name });
    } else {
      throw unreadable(given, part);
    }
  }
  if (preferences.length > 1) throw unreadable(given, "more than one preference");
  return { atLeast, atMost, ...preferences[0] };
}

function unreadable(given: string, part: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: "Cannot parse --choose",
    expected: 'bounds and at most one preference, as in "quality>=0.6,fewest promptTokens"',
    got: part === given ? `"${given}"` : `"${part}" in "${given}"`,
  });
}

/**
 * Rejects, before any cost is incurred, a choice that uses a latency that is not measured, for a
 * resumed run one that uses a measure it does not have, and for an ended run one that no candidate
 * meets.
 *
 * @throws EspalierError `usage-invalid`, `option-invalid`, `choice-unmet`
 */
export function checkChoice(
  choice: CandidateChoice,
  {
    measuresLatency,
    resumed,
  }: { readonly measuresLatency: boolean; readonly resumed: string | undefined },
): void {
  if (!measuresLatency && measuresOf(choice).includes("latencyMs")) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--choose uses `latencyMs`, which was not measured",
      expected: "--measure-latency from the start of the run",
    });
  }
  // Opening the folder rejects anything that is not a run.
  if (resumed === undefined || !hasDecisions(resumed)) return;
  const { candidates, end } = readRun(resumed);
  const [seed] = candidates;
  if (seed !== undefined) checkMeasures(choice, seed);
  if (end !== undefined) chooseCandidate({ candidates }, choice);
}

/**
 * Rejects a choice that uses a measure the seed does not have; that its bounds are unmet says
 * nothing of later candidates.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkMeasures(choice: CandidateChoice, seed: CandidateRecord): void {
  try {
    chooseCandidate({ candidates: [seed] }, choice);
  } catch (error) {
    if (failureOf(error).code !== "choice-unmet") throw error;
  }
}

function measuresOf({ atLeast, atMost, least, most }: CandidateChoice): readonly string[] {
  return [
    ...Object.keys({ ...atLeast, ...atMost }),
    ...[least, most].filter((name) => name !== undefined),
  ];
}
