import type { CreditBasis, DemonstrationCredit } from "./demonstration-credit.ts";

const estimates: Readonly<Record<CreditBasis, string>> = {
  regression:
    "by a regression over all runs, with and without it, whatever else differed between them",
  model: "on val, the candidate less the same without it, by the search's model of scores",
};

/** How credits were estimated, as the end of a sentence. All of a run's have one basis. */
export function creditEstimate([first]: readonly DemonstrationCredit[]): string {
  return first === undefined ? "" : estimates[first.basis];
}
