import type { Candidate } from "../../../../src/contract/index.ts";
import { componentId, contentHash } from "../../../../src/internal/index.ts";

/** Of a candidate's components, in any order; each list of components is hashed once. */
export function candidateHashes(): (components: Candidate) => string {
  const known = new WeakMap<Candidate, string>();
  return (components) => {
    const held = known.get(components);
    if (held !== undefined) return held;
    const inOrder = components.toSorted((left, right) =>
      componentId(left) < componentId(right) ? -1 : 1,
    );
    const made = contentHash(inOrder);
    known.set(components, made);
    return made;
  };
}
