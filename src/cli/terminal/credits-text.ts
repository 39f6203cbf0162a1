import type { DemonstrationCredit } from "../../optimizer/index.ts";
import { creditEstimate } from "../../optimizer/files.ts";
import { signedText } from "./signed-text.ts";

/** What each demonstration of the best candidate brings, the most first. */
export function creditsText(credits: readonly DemonstrationCredit[] = []): readonly string[] {
  if (credits.length === 0) return [];
  return [
    `what each demonstration brings, with its 95 % interval: ${creditEstimate(credits)}`,
    ...credits
      .toSorted((one, other) => other.gain - one.gain)
      .map(
        ({ predictor, exampleId, gain, low, high, runs }) =>
          `  ${signedText(gain)}  [${signedText(low)}, ${signedText(high)}]  ${predictor}: ${exampleId}  (${runs} runs)`,
      ),
  ];
}
