import type { MinibatchSampling } from "../../../src/optimizer/gepa/strategy/strategy.ts";

/**
 * Reshuffles the examples for each epoch and takes `size` at a time, as a function of iteration and
 * place alone. If `size` does not divide the epoch, its last minibatch is filled up with ids that
 * it lacks, latest first, so no minibatch holds an id twice (gepa 0.1.4 pads with the latest ids
 * even where they repeat). Several proposals of one iteration take consecutive chunks.
 */
export function epochMinibatches({ size = 3 }: { readonly size?: number } = {}): MinibatchSampling {
  return {
    name: "epochs",
    settings: { size },
    next: ({ iteration, train, randomOfRun }, _, index) => {
      const perEpoch = Math.ceil(train.length / size);
      const chunkNumber = iteration - 1 + index;
      const epoch = Math.floor(chunkNumber / perEpoch);
      const shuffled = randomOfRun("epoch", epoch).shuffle(train);
      const start = (chunkNumber % perEpoch) * size;
      const chunk = shuffled.slice(start, start + size);
      const others = shuffled.slice(0, start).toReversed();
      return {
        kind: "run",
        exampleIds: [...chunk, ...others.slice(0, Math.max(0, size - chunk.length))],
      };
    },
  };
}
