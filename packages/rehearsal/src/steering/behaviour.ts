import type { Demonstration } from "../reading/index.ts";
import type { Clause } from "./clauses.ts";
import type { Concept } from "./lexicon.ts";

/** A combination of concepts within one clause, and its weight. */
export interface Cue {
  readonly all: readonly Concept[];
  /** The cue does not apply to a clause that has one of these. */
  readonly none?: readonly Concept[];
  /** In [-1, 1]: strength for (or, below 0, against) the behaviour. */
  readonly weight: number;
  /** The weight in a negated clause. @default the opposite, at least as strong */
  readonly negated?: number;
}

/**
 * Something that an instruction can ask for. Cues are tried in order; the first match in a clause
 * counts.
 */
export interface Behaviour {
  readonly name: string;
  readonly cues: readonly Cue[];
  /** Strength in [0, 1] that a demonstration shows; absent if demonstrations cannot show it. */
  readonly shownBy?: (demonstration: Demonstration) => number;
}

/**
 * Strength of a behaviour in [0, 1]. Clauses for it add up with diminishing returns; clauses
 * against it scale the sum down.
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

/** What one clause says about a behaviour, in [-1, 1]; 0 if it does not mention it. */
export function stance({ cues }: Pick<Behaviour, "cues">, clause: Clause): number {
  for (const { all, none = [], weight, negated = -Math.sign(weight) * 0.95 } of cues) {
    if (none.some((concept) => clause.hits.has(concept))) continue;
    const hits = all.map((concept) => clause.hits.get(concept)?.[0]);
    if (hits.some((hit) => hit === undefined)) continue;
    // The object comes last, and negation applies to the object.
    const last = hits.reduce((left, right) =>
      (right?.from ?? 0) >= (left?.from ?? 0) ? right : left,
    );
    return last?.isNegated === true ? negated : weight;
  }
  return 0;
}
