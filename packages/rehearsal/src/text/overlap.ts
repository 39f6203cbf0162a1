/** Share of `wanted` that is in `held`, in [0, 1]; 0 when nothing is wanted. */
export function coverage(wanted: ReadonlySet<string>, held: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : shared(wanted, held) / wanted.size;
}

/** Intersection over union, in [0, 1]; 0 for two empty sets. */
export function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const both = shared(left, right);
  return both === 0 ? 0 : both / (left.size + right.size - both);
}

/** Number of members in common. */
function shared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const member of left) if (right.has(member)) count += 1;
  return count;
}
