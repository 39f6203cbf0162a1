import type { CreditBasis, DemonstrationCredit } from "../../optimizer/index.ts";
import { signedText } from "./signed-text.ts";

/** What an estimate is, by its basis. */
const estimates: Readonly<Record<CreditBasis, string>> = {
  regression:
    "by a regression over all runs, with and without it, whatever else differed between them",
  model: "on val, the candidate less the same without it, by the search's model of scores",
};

/** Of runs of older versions. */
const unknownBasis = "on val, an estimate over all sets that showed it";

/** What each demonstration of the best candidate brings, the most first. */
export function creditsText(credits: readonly DemonstrationCredit[] = []): readonly string[] {
  const [first] = credits;
  if (first === undefined) return [];
  const estimate = first.basis === undefined ? unknownBasis : estimates[first.basis];
  return [
    `what each demonstration brings, with its 95 % interval: ${estimate}`,
    ...credits
      .toSorted((one, other) => other.gain - one.gain)
      .map(
        ({ predictor, exampleId, gain, low, high, runs }) =>
          `  ${signedText(gain)}  [${signedText(low)}, ${signedText(high)}]  ${predictor}: ${exampleId}  (${runs} runs)`,
      ),
  ];
}
