import { randomSource } from "espalier";

/**
 * Draws `count` items so that every stratum has its share: proportional allocation with the largest
 * remainders rounded up (Hamilton's method); ties and members are drawn by the seed. Items keep
 * their order.
 */
export function stratifiedSample<TItem>(
  items: readonly TItem[],
  {
    count,
    seed,
    stratum,
  }: { readonly count: number; readonly seed: number; readonly stratum: (item: TItem) => string },
): readonly TItem[] {
  if (count >= items.length) return items;
  const strata = [...Map.groupBy(items, stratum)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const quotas = strata.map(([name, members]) => {
    const share = (count * members.length) / items.length;
    return { name, members, whole: Math.floor(share), remainder: share - Math.floor(share) };
  });
  const left = count - quotas.reduce((sum, { whole }) => sum + whole, 0);
  const roundedUp = new Set(
    randomSource(seed, "stratified-sample/ties")
      .shuffle(quotas)
      .toSorted((one, other) => other.remainder - one.remainder)
      .slice(0, left)
      .map(({ name }) => name),
  );
  const drawn = new Set(
    quotas.flatMap(({ name, members, whole }, index) =>
      randomSource(seed, "stratified-sample/members", index).sample(
        members,
        whole + (roundedUp.has(name) ? 1 : 0),
      ),
    ),
  );
  return items.filter((item) => drawn.has(item));
}
