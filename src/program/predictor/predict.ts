import type { z } from "zod";
import type { Text } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { makePredictor } from "./make-predictor.ts";
import type { Predictor, PredictorOptions } from "./predictor.ts";
import type { FieldSchemas, Signature } from "../../signature/index.ts";
import { reasoning, signature as declare } from "../../signature/index.ts";

/** Asks for the outputs of a signature directly, unlike `reason()`, which thinks first. */
export function predict<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  signature: Signature<TInput, TOutput>,
  options: PredictorOptions = {},
): Predictor<TInput, TOutput> {
  return makePredictor("predict", signature, options);
}

/**
 * The output that `reason()` puts before the others. Not an interface: that would not be a record
 * of fields, and declarations that name it would not compile.
 */
export type ReasoningFields = {
  readonly reasoning: z.ZodType<Text<"thought">, Text<"thought">>;
};

/**
 * Chain of thought (Wei et al. 2022): asks for a `reasoning` text before the outputs of a
 * signature. Unlike `predict()`, which asks only for the outputs, and unlike a model's own
 * thinking, which `thinking` controls.
 *
 * @throws EspalierError `signature-invalid` when the signature already has a field `reasoning`
 */
export function reason<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  { name, instruction, input, output }: Signature<TInput, TOutput>,
  options: PredictorOptions = {},
): Predictor<TInput, ReasoningFields & TOutput> {
  if (Object.hasOwn(input, "reasoning") || Object.hasOwn(output, "reasoning")) {
    throw new EspalierError({
      code: "signature-invalid",
      problem: "`reason()` adds an output `reasoning`, but the signature already has that field",
      where: `signature "${name}"`,
      fix: "Rename that field, or use `predict()`",
    });
  }
  const thinking = declare({
    name,
    instruction,
    input,
    output: { reasoning, ...output },
  });
  return makePredictor(
    "reason",
    thinking as unknown as Signature<TInput, ReasoningFields & TOutput>,
    options,
  );
}
