import type { GeneratedToken, TokenLogprob } from "./language-model.ts";

/** A position's alternatives, best first. A server may leave out the token that it sampled. */
export function alternativesOf(token: GeneratedToken): readonly TokenLogprob[] {
  const isListed = token.top.some((other) => other.token === token.token);
  return isListed ? token.top : [token, ...token.top];
}

/**
 * Masses as shares of their sum; `null` if the sum is 0. A server reports probabilities before or
 * after its masks, so those of the labels need not add up to 1.
 */
export function sharesOf<TLabel extends string>(
  masses: Readonly<Record<TLabel, number>>,
): Readonly<Record<TLabel, number>> | null {
  const held = Object.entries<number>(masses);
  const total = held.reduce((sum, [, mass]) => sum + mass, 0);
  if (!(total > 0)) return null;
  return Object.fromEntries(held.map(([label, mass]) => [label, mass / total])) as Readonly<
    Record<TLabel, number>
  >;
}
