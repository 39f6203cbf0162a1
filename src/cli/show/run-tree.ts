import type { CandidateRecord } from "../../optimizer/index.ts";

/** One line of a tree of candidates. */
export interface TreeLine {
  /** The branch characters before it: `│  └─ `. */
  readonly indent: string;
  readonly candidate: CandidateRecord;
}

/** Lists candidates below their first parents, in the order of acceptance. */
export function runTree(candidates: readonly CandidateRecord[]): readonly TreeLine[] {
  const childrenOf = Map.groupBy(candidates, ({ parents }) => parents[0] ?? -1);
  const lines: TreeLine[] = [];
  // Iterative, because a long lineage could overflow the stack.
  const waiting = [...(childrenOf.get(-1) ?? [])]
    .toReversed()
    .map((candidate) => ({ candidate, indent: "", margin: "" }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { candidate, indent, margin } = next;
    lines.push({ indent, candidate });
    const children = childrenOf.get(candidate.id) ?? [];
    for (const [place, child] of [...children.entries()].toReversed()) {
      const isLast = place === children.length - 1;
      waiting.push({
        candidate: child,
        indent: `${margin}${isLast ? "└─ " : "├─ "}`,
        margin: `${margin}${isLast ? "   " : "│  "}`,
      });
    }
  }
  return lines;
}
