import type { CandidateRecord } from "../optimizer/index.ts";

/** One line of a tree of candidates. */
export interface TreeLine {
  /** What stands before it: `│  └─ `. */
  readonly indent: string;
  readonly candidate: CandidateRecord;
}

/** Candidates below their first parents, in the order of acceptance. */
export function runTree(candidates: readonly CandidateRecord[]): readonly TreeLine[] {
  const childrenOf = Map.groupBy(candidates, ({ parents }) => parents[0] ?? -1);
  const below = (id: number, margin: string): readonly TreeLine[] =>
    (childrenOf.get(id) ?? []).flatMap((candidate, place, siblings) => {
      const isLast = place === siblings.length - 1;
      const line = { indent: `${margin}${isLast ? "└─ " : "├─ "}`, candidate };
      return [line, ...below(candidate.id, `${margin}${isLast ? "   " : "│  "}`)];
    });
  return (childrenOf.get(-1) ?? []).flatMap((candidate) => [
    { indent: "", candidate },
    ...below(candidate.id, ""),
  ]);
}
