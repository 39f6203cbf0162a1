import type { MetDispute } from "../../optimizer/index.ts";

/** What a person must know about reused scores that turned out wrong; empty if nothing. */
export function scoreConflictsText(disputes: readonly MetDispute[] = []): readonly string[] {
  const ended = disputes.find(({ kind }) => kind === "inheritance-ended");
  const varied = disputes.find(({ kind }) => kind === "inheritance-kept");
  return [
    ...(varied === undefined
      ? []
      : [
          `scores vary from run to run: ${scoresText(varied)}; a claim may need more examples or repetitions`,
        ]),
    ...(ended === undefined
      ? []
      : [
          `some scores were inherited wrongly: ${scoresText(ended)}. A text affects runs whose traces do not show it; from iteration ${ended.iteration} every candidate was run in full, and the best was run again if the budget allowed. Val scores of other candidates accepted earlier may be wrong; test is not affected`,
        ]),
  ];
}

function scoresText({ exampleId, inherited, again }: MetDispute): string {
  return `\`${exampleId}\` had ${scoreText(inherited)}, and ${scoreText(again)} when run again`;
}

function scoreText(score: number | null): string {
  return score === null ? "no score" : score.toFixed(4);
}
