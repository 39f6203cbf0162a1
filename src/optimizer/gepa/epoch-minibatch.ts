import type { RandomSource } from "../../contract/index.ts";

/**
 * The minibatch of an iteration: example ids shuffled anew for each epoch and taken `size` at a time,
 * a function of the iteration alone. An epoch that does not divide is filled up with the ids that its
 * last minibatch lacks, latest first, so that no minibatch holds an id twice (gepa 0.1.4 pads with the
 * latest ones even where they repeat).
 *
 * @param iteration counted from 1
 * @param randomOf the random source of an epoch
 */
export function epochMinibatch(
  ids: readonly string[],
  size: number,
  iteration: number,
  randomOf: (epoch: number) => RandomSource,
): readonly string[] {
  const perEpoch = Math.ceil(ids.length / size);
  const place = iteration - 1;
  const shuffled = randomOf(Math.floor(place / perEpoch)).shuffle(ids);
  const start = (place % perEpoch) * size;
  const chunk = shuffled.slice(start, start + size);
  const others = shuffled.slice(0, start).toReversed();
  return [...chunk, ...others.slice(0, Math.max(0, size - chunk.length))];
}
