import type { RandomSource } from "../../../../src/contract/index.ts";

/** A val example on which both parents have a score. */
export interface CommonExample {
  readonly id: string;
  /** The first parent's score minus the second's. */
  readonly gap: number;
}

/**
 * Examples on which to try a merged child: up to a third each of those where the first parent is
 * better, the second is better, and neither is, then random others until there are `size`, or all.
 */
export function mergeSubsample(
  common: readonly CommonExample[],
  size: number,
  random: RandomSource,
): readonly string[] {
  const kinds = [
    common.filter(({ gap }) => gap > 0),
    common.filter(({ gap }) => gap < 0),
    common.filter(({ gap }) => gap === 0),
  ];
  const chosen: CommonExample[] = [];
  const take = (from: readonly CommonExample[], most: number): void => {
    const count = Math.min(from.length, most, size - chosen.length);
    if (count > 0) chosen.push(...random.sample(from, count));
  };
  for (const kind of kinds) take(kind, Math.ceil(size / kinds.length));
  take(
    common.filter((example) => !chosen.includes(example)),
    size,
  );
  return chosen.map(({ id }) => id);
}
