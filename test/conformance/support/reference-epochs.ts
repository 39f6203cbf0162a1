import type { MinibatchSampling } from "espalier/optimizer";

/**
 * The epoch sampler of gepa 0.1.4 (`strategies/batch_sampler.py`), for one run: what it has
 * shuffled stays, so that it draws at the first minibatch of an epoch and at no other.
 */
export function referenceEpochs(size: number): MinibatchSampling {
  let shuffled: readonly string[] = [];
  let lastEpoch = -1;
  return {
    name: "reference-epochs",
    settings: { size },
    next: ({ iteration, train, random }, _, index) => {
      const base = (iteration - 1) * size;
      const epoch = shuffled.length === 0 ? 0 : Math.floor(base / shuffled.length);
      if (epoch > lastEpoch) {
        lastEpoch = epoch;
        shuffled = padded(random("epoch").shuffle(train), size);
      }
      const start = (base + index * size) % shuffled.length;
      return { kind: "run", exampleIds: shuffled.slice(start, start + size) };
    },
  };
}

/** Filled up to whole minibatches, with the last id, then the one before it, and so on. */
function padded(ids: readonly string[], size: number): readonly string[] {
  const missing = (size - (ids.length % size)) % size;
  const latestFirst = ids.toReversed();
  return [
    ...ids,
    ...Array.from({ length: missing }, (_, index) => latestFirst[index % ids.length] as string),
  ];
}
