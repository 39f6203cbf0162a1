/**
 * Groups items that share a key, directly or through others: the connected components of the graph
 * in which items are joined by what they have in common. An item without keys is its own group.
 * Groups and members keep the order of the items.
 */
export function linkedClusters<TItem>(
  items: readonly TItem[],
  keysOf: (item: TItem) => readonly string[],
): readonly (readonly TItem[])[] {
  const clusters: { readonly keys: ReadonlySet<string>; readonly members: readonly number[] }[] =
    [];
  for (const [index, item] of items.entries()) {
    const keys = keysOf(item);
    const linked = clusters.filter((cluster) => keys.some((key) => cluster.keys.has(key)));
    const merged = {
      keys: new Set([...keys, ...linked.flatMap((cluster) => [...cluster.keys])]),
      members: [index, ...linked.flatMap((cluster) => cluster.members)],
    };
    clusters.push(merged);
    for (const cluster of linked) clusters.splice(clusters.indexOf(cluster), 1);
  }
  return clusters
    .map(({ members }) => members.toSorted((left, right) => left - right))
    .toSorted(([left = 0], [right = 0]) => left - right)
    .map((members) => items.filter((_, index) => members.includes(index)));
}
