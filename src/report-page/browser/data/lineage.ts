import { stratify, tree } from "d3-hierarchy";
import type { ComparedCandidate } from "../../../report/index.ts";

export interface LineageNode {
  readonly candidate: ComparedCandidate;
  /** In [0, 1] from left to right, by generation. */
  readonly x: number;
  /** In [0, 1] from top to bottom. */
  readonly y: number;
  /** Places of its parents in the list of nodes; a merge has two. */
  readonly parents: readonly number[];
}

export interface Lineage {
  /** By id. */
  readonly nodes: readonly LineageNode[];
  readonly generations: number;
  readonly leaves: number;
}

/** Lays candidates out below their first parents (Reingold and Tilford, through d3-hierarchy). */
export function lineage(candidates: readonly ComparedCandidate[]): Lineage {
  const [seed] = candidates;
  if (seed === undefined) return { nodes: [], generations: 0, leaves: 0 };
  // A candidate without a known parent hangs below the first one, since a tree has one root.
  const root = stratify<ComparedCandidate>()
    .id(({ id }) => String(id))
    .parentId((candidate) =>
      candidate === seed ? null : String(candidates[candidate.parents[0] ?? 0]?.id ?? seed.id),
    )([...candidates]);
  const laidOut = tree<ComparedCandidate>().size([1, 1])(root);
  const places = new Map<number, { readonly x: number; readonly y: number }>();
  let leaves = 0;
  laidOut.each(({ data, x, y, children }) => {
    places.set(data.id, { x: y, y: x });
    if (children === undefined) leaves += 1;
  });
  return {
    nodes: candidates.map((candidate) => ({
      candidate,
      ...(places.get(candidate.id) ?? { x: 0, y: 0 }),
      parents: candidate.parents.filter((parent) => places.has(parent)),
    })),
    generations: laidOut.height + 1,
    leaves,
  };
}
