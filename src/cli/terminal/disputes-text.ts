import type { MetDispute } from "../../optimizer/index.ts";

/** What a person must know of scores that were inherited, if anything. */
export function disputesText(disputes: readonly MetDispute[] = []): readonly string[] {
  const ended = disputes.find(({ kind }) => kind === "inheritance-ended");
  const varied = disputes.find(({ kind }) => kind === "inheritance-kept");
  return [
    ...(varied === undefined
      ? []
      : [
          `scores vary from run to run: ${scoresText(varied)}; a claim may need more examples, or repetitions`,
        ]),
    ...(ended === undefined
      ? []
      : [
          `scores were inherited that should not have been: ${scoresText(ended)}. A text has a part in runs that do not tell of it; from iteration ${ended.iteration} on every candidate was run itself, and the best again if there was room. Values on val of others accepted before may be wrong; test is not touched by it`,
        ]),
  ];
}

function scoresText({ exampleId, inherited, again }: MetDispute): string {
  return `\`${exampleId}\` had ${scoreText(inherited)} and, run again, ${scoreText(again)}`;
}

function scoreText(score: number | null): string {
  return score === null ? "no score" : score.toFixed(4);
}
