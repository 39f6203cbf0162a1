import type { GeneratedToken, TokenLogprob } from "../../../../src/contract/index.ts";
import { tokenize } from "./tokenizer.ts";

/** A choice within the text: the start of its value, and the probabilities of all its values. */
export interface MarkedChoice {
  /** In UTF-16 code units. */
  readonly at: number;
  readonly chances: readonly { readonly label: string; readonly chance: number }[];
}

/**
 * Log-probabilities of a text. The first token of a chosen label carries the labels' probabilities;
 * every other token is almost certain.
 */
export function generatedTokens(
  text: string,
  choices: readonly MarkedChoice[],
  topCount: number,
): readonly GeneratedToken[] {
  let index = 0;
  return tokenize(text).map((token) => {
    const choice = choices.find(({ at }) => at === index);
    index += token.length;
    const top = choice === undefined ? [certain(token)] : firstTokens(choice);
    const own = top.find((held) => held.token === token) ?? certain(token);
    return { token, logprob: own.logprob, top: top.slice(0, topCount) };
  });
}

function certain(token: string): TokenLogprob {
  return { token, logprob: -1e-4 };
}

/** Labels with the same first token are added up. */
function firstTokens({ chances }: MarkedChoice): readonly TokenLogprob[] {
  const mass = new Map<string, number>();
  for (const { label, chance } of chances) {
    const first = tokenize(label)[0] ?? "";
    mass.set(first, (mass.get(first) ?? 0) + chance);
  }
  return [...mass]
    .map(([token, chance]) => ({ token, logprob: Math.min(0, Math.log(chance)) }))
    .toSorted((left, right) => right.logprob - left.logprob);
}
