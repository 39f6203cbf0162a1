import type { Behaviour } from "../../steering/index.ts";
import type { TextReader, Word } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import type { Term } from "../material/salient-terms.ts";

/** A query in the making. */
export interface Draft {
  /** Words taken from the question, in its order. */
  readonly base: readonly Word[];
  /** Words carried in from elsewhere, in the order they were added. */
  readonly added: readonly Pick<Term, "surface" | "stem" | "isName">[];
  /** Most words to write. */
  readonly limit: number;
}

/** What is known while one of several queries is written. */
export interface QueryContext {
  readonly material: Material;
  readonly reader: TextReader;
  /** Place among the queries of this reply, from 0. */
  readonly index: number;
  /** Queries written before this one in the same reply. */
  readonly siblings: readonly string[];
  /** In [0, 1]: how much the question leaves unsaid. */
  readonly need: number;
  /** A small perturbation around 1; exactly 1 at temperature 0. */
  readonly jitter: () => number;
}

/**
 * One thing an instruction can ask of queries: what it takes in the instruction, and what it does.
 */
export interface QueryBehaviour extends Behaviour {
  apply(draft: Draft, level: number, context: QueryContext): Draft;
}

/** Adds up to `count` terms that the draft does not have yet. */
export function withTerms(draft: Draft, terms: readonly Term[], count: number): Draft {
  const held = new Set([...draft.base, ...draft.added].map(({ stem }) => stem));
  const chosen = terms.filter(({ stem }) => !held.has(stem)).slice(0, Math.max(0, count));
  return { ...draft, added: [...draft.added, ...chosen.toSorted((a, b) => a.place - b.place)] };
}

/** Stems of everything in the draft. */
export function stemsOf(draft: Draft): ReadonlySet<string> {
  return new Set([...draft.base, ...draft.added].map(({ stem }) => stem));
}
