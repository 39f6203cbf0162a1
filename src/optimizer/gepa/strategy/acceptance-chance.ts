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
 * The chance that `count` proposals are all refused: by the posterior of the chance of acceptance,
 * a beta distribution that was uniform at first.
 */
export function chanceOfRefusals({ accepted, refused }: AcceptanceChance, count: number): number {
  let chance = 1;
  for (let before = 0; before < count; before++) {
    chance *= (1 + refused + before) / (2 + accepted + refused + before);
  }
  return chance;
}

/**
 * The share of `count` proposals, judged in turn, that is expected to come after the first accepted
 * one.
 */
export function shareAfterAcceptance(chance: AcceptanceChance, count: number): number {
  let lost = 0;
  for (let judged = 1; judged < count; judged++) lost += 1 - chanceOfRefusals(chance, judged);
  return lost / count;
}
