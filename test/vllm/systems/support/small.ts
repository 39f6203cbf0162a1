import type { Example, Study } from "espalier";
import { study } from "espalier";
import type { GepaOptions } from "espalier/optimizer";
import { defaultChecks, gepa, reflectiveProposer } from "espalier/optimizer";
import { trainset } from "espalier/trainset";

/**
 * Greedy, since vLLM's CPU build has no reproducible sampling across restarts, and with short
 * prompts and texts, since the servers of these tests hold 16,384 tokens.
 */
const shortReflection = {
  // What a model of random weights writes forbids nothing.
  checks: defaultChecks().filter(({ name }) => name !== "keeps-prohibitions"),
  proposer: reflectiveProposer({
    maxPromptTokens: 6_000,
    sampling: { temperature: 0, frequencyPenalty: 1, maxCompletionTokens: 600 },
  }),
};

/**
 * A shipped study on a few of its examples, so that optimizing takes seconds on a CPU.
 */
export function small<TInput, TOutput, TLabels>(
  given: Study<TInput, TOutput, TLabels>,
  options: Pick<GepaOptions, "acceptance"> = {},
): Study<TInput, TOutput, TLabels> {
  const { name, trainset: whole } = given;
  const { train, val, test } = whole.splits;
  return study({
    ...given,
    name: `small-${name}`,
    trainset: trainset({
      ...whole,
      name: `few-${whole.name}`,
      splits: { train: spread(train, 3), val: spread(val, 3), test: spread(test, 2) },
    }),
    optimizer: gepa({
      ...options,
      stop: { maxIdleIterations: 3 },
      reflection: shortReflection,
    }),
    variants: {},
  });
}

/** Some of the examples, each from another part of the split and so of another cluster. */
function spread<TInput, TLabels>(
  examples: readonly Example<TInput, TLabels>[],
  count: number,
): readonly Example<TInput, TLabels>[] {
  const step = Math.floor(examples.length / count);
  return examples.filter((_, index) => index % step === 0).slice(0, count);
}
