import type { ScorePairs, ValAcceptance } from "../strategy/strategy.ts";
import { gainOf, rounding } from "./minibatch-acceptance.ts";

/**
 * The child must be better than its parent on val or, if no score changed there, on the training
 * example that it addresses: behaviour that val does not test may still matter elsewhere.
 */
export function neutralByTraining(): ValAcceptance {
  return {
    name: "neutral-by-training",
    costs: () => ({ asksTrain: true }),
    judge: async (onVal, addressed) => {
      const gain = gainOf(onVal);
      if (gain > rounding) return { accepts: true };
      if (
        gain < -rounding ||
        onVal.parent.some((score, place) => (onVal.child[place] ?? 0) < score - rounding)
      ) {
        return { accepts: false, reason: gainText(onVal) };
      }
      const onTrain = await addressed();
      if (onTrain !== null && gainOf(onTrain) > rounding) {
        return {
          accepts: true,
          supersedes: true,
          reason:
            "As good as its parent on val, and better on the example of train that it is about.",
        };
      }
      return { accepts: false, reason: `${gainText(onVal)} Nor is it better where it was to be.` };
    },
  };
}

/** The gain of the objective on val, as a sentence. */
export function gainText(onVal: ScorePairs): string {
  const gain = Number((gainOf(onVal) / Math.max(1, onVal.parent.length)).toFixed(4));
  return gain === 0
    ? "No better than its parent on val."
    : `${Math.abs(gain)} ${gain < 0 ? "worse" : "better"} than its parent on val.`;
}
