import type { Example, Runnable } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { checkCount, checkInputs, checkShare, joinNames } from "../internal/index.ts";

/** Throws `option-invalid` for options outside their range. */
export function checkOptions({
  coverageFloor,
  ...whole
}: {
  readonly concurrency: number;
  readonly repetitions: number;
  readonly firstRepetition: number;
  readonly faultRetries: number;
  readonly coverageFloor: number;
  readonly resamples: number;
}): void {
  const least = {
    concurrency: 1,
    repetitions: 1,
    firstRepetition: 0,
    faultRetries: 0,
    resamples: 0,
  } as const;
  for (const [name, minimum] of Object.entries(least)) {
    checkCount(name, whole[name as keyof typeof least], minimum);
  }
  checkShare("coverageFloor", coverageFloor);
}

/**
 * Throws `dataset-invalid` for an empty list or repeated ids, and `input-invalid` for inputs that
 * the program does not accept; names up to five of them.
 */
export function checkExamples<TInput, TOutput>(
  program: Runnable<TInput, TOutput>,
  examples: readonly Example<TInput>[],
): void {
  const repeated = [...Map.groupBy(examples, ({ id }) => id)]
    .filter(([, same]) => same.length > 1)
    .map(([id]) => `\`${id}\``);
  if (examples.length === 0 || repeated.length > 0) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "These examples cannot be evaluated",
      expected: "at least one example, and unique ids",
      got: examples.length === 0 ? "no examples" : `repeated ids: ${joinNames(repeated)}`,
      fix: "Check the split and its filters.",
    });
  }
  checkInputs(program, examples);
}
