import type { Behaviour } from "../../steering/index.ts";
import type { TextReader, Word } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import type { Term } from "../material/salient-terms.ts";

/** A query in the making. */
export interface Draft {
  /** Words from the question, in its order. */
  readonly base: readonly Word[];
  /** Words from elsewhere, in the order they were added. */
  readonly added: readonly Pick<Term, "surface" | "stem" | "isName">[];
  /** Maximum number of words to write. */
  readonly limit: number;
}

/** The context of writing one of several queries. */
export interface QueryContext {
  readonly material: Material;
  readonly reader: TextReader;
  /** Index among the queries of this reply, from 0. */
  readonly index: number;
  /** Queries written before this one in the same reply. */
  readonly siblings: readonly string[];
  /** How much the question leaves unsaid, in [0, 1]. */
  readonly need: number;
  /** A small perturbation around 1; exactly 1 at temperature 0. */
  readonly jitter: () => number;
}

/**
 * Something that an instruction can ask of queries: the cues in the instruction, and the effect.
 */
export interface QueryBehaviour extends Behaviour {
  apply(draft: Draft, level: number, context: QueryContext): Draft;
}

/** Adds up to `count` terms that are not yet in the draft. */
export function withTerms(draft: Draft, terms: readonly Term[], count: number): Draft {
  const held = new Set([...draft.base, ...draft.added].map(({ stem }) => stem));
  const chosen = terms.filter(({ stem }) => !held.has(stem)).slice(0, Math.max(0, count));
  return { ...draft, added: [...draft.added, ...chosen.toSorted((a, b) => a.index - b.index)] };
}

/** Stems of all words in the draft. */
export function stemsOf(draft: Draft): ReadonlySet<string> {
  return new Set([...draft.base, ...draft.added].map(({ stem }) => stem));
}
