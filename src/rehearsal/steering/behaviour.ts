import type { Demonstration } from "../reading/index.ts";
import type { Clause } from "./clauses.ts";
import type { Concept } from "./lexicon.ts";

/** A combination of concepts within one clause, and how much it says. */
export interface Cue {
  readonly all: readonly Concept[];
  /** The cue does not hold in a clause that has one of these. */
  readonly none?: readonly Concept[];
  /** In [-1, 1]: strength for (or, below 0, against) the behaviour. */
  readonly weight: number;
  /** The same for a clause that denies it. @default the opposite, at least as strong */
  readonly negated?: number;
}

/**
 * Something an instruction can ask for. Cues are tried in order; per clause the first that fits
 * counts.
 */
export interface Behaviour {
  readonly name: string;
  readonly cues: readonly Cue[];
  /** Strength in [0, 1] that a demonstration shows; absent when demonstrations cannot show it. */
  readonly shownBy?: (demonstration: Demonstration) => number;
}

/**
 * Strength of a behaviour in [0, 1]. Agreeing clauses add up with diminishing returns; clauses
 * against it scale down what the others ask.
 */
export function levelOf({ cues }: Pick<Behaviour, "cues">, clauses: readonly Clause[]): number {
  let unasked = 1;
  let allowed = 1;
  for (const clause of clauses) {
    const weight = stance({ cues }, clause);
    if (weight > 0) unasked *= 1 - weight;
    else allowed *= 1 + weight;
  }
  return (1 - unasked) * allowed;
}

/** What one clause says of a behaviour, in [-1, 1]; 0 when it does not speak of it. */
export function stance({ cues }: Pick<Behaviour, "cues">, clause: Clause): number {
  for (const { all, none = [], weight, negated = -Math.sign(weight) * 0.95 } of cues) {
    if (none.some((concept) => clause.hits.has(concept))) continue;
    const hits = all.map((concept) => clause.hits.get(concept)?.[0]);
    if (hits.some((hit) => hit === undefined)) continue;
    // The object comes last, and what is denied is the object.
    const last = hits.reduce((left, right) =>
      (right?.from ?? 0) >= (left?.from ?? 0) ? right : left,
    );
    return last?.isNegated === true ? negated : weight;
  }
  return 0;
}
