/**
 * How likely the next proposal is to be accepted, by those of the run so far. An acceptance leaves
 * half of what counted before it, since what is easily learned is learned first.
 */
export interface AcceptanceChance {
  readonly accepted: number;
  readonly refused: number;
}

export const unknownAcceptance: AcceptanceChance = { accepted: 0, refused: 0 };

export function afterProposal(
  { accepted, refused }: AcceptanceChance,
  isAccepted: boolean,
): AcceptanceChance {
  return isAccepted
    ? { accepted: accepted / 2 + 1, refused: refused / 2 }
    : { accepted, refused: refused + 1 };
}

/**
 * The share of `count` proposals, judged in turn, that is expected to come after the first accepted
 * one: by the posterior of the chance, a beta distribution that was uniform at first.
 */
export function shareAfterAcceptance(
  { accepted, refused }: AcceptanceChance,
  count: number,
): number {
  let [allRefused, lost] = [1, 0];
  for (let before = 0; before < count - 1; before++) {
    allRefused *= (1 + refused + before) / (2 + accepted + refused + before);
    lost += 1 - allRefused;
  }
  return lost / count;
}
