import { EspalierError } from "../../errors/index.ts";
import type { CandidateChoice, CandidateRecord } from "../../optimizer/index.ts";
import { chooseCandidate, readRun, runIn } from "../../optimizer/files.ts";

/**
 * Refuses, before anything is spent, a choice that is known to fail: by a latency that is not measured,
 * and for a run that goes on, by a measure that it does not have, or when it has ended by bounds that no
 * candidate keeps.
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
      problem: "--choose goes by `latencyMs`, which is not measured",
      expected: "--measure-latency from the beginning of the run",
    });
  }
  // What is no run is refused by what opens it.
  if (resumed === undefined || !runIn(resumed).hasJournal) return;
  const { candidates, end } = readRun(resumed);
  const [seed] = candidates;
  if (seed !== undefined) checkMeasures(choice, seed);
  if (end !== undefined) chooseCandidate({ candidates }, choice);
}

/**
 * Refuses a choice by what a candidate is not measured by, whatever the bounds are.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkMeasures(choice: CandidateChoice, candidate: CandidateRecord): void {
  const { atLeast = {}, atMost = {} } = choice;
  const all = (bounds: object, bound: number): Record<string, number> =>
    Object.fromEntries(Object.keys(bounds).map((name) => [name, bound]));
  chooseCandidate(
    { candidates: [candidate] },
    {
      ...choice,
      atLeast: all(atLeast, -Number.MAX_VALUE),
      atMost: all(atMost, Number.MAX_VALUE),
    },
  );
}

function measuresOf({ atLeast, atMost, least, most }: CandidateChoice): readonly string[] {
  return [
    ...Object.keys({ ...atLeast, ...atMost }),
    ...[least, most].filter((name) => name !== undefined),
  ];
}
