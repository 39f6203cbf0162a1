import { z } from "zod";
import type { Sampling } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { defaultSampling } from "../../contract/index.ts";

const ranges = z.strictObject({
  temperature: z.number().min(0).max(2),
  topP: z.number().gt(0).max(1),
  topK: z.int().min(0),
  minP: z.number().min(0).max(1),
  presencePenalty: z.number().min(-2).max(2),
  frequencyPenalty: z.number().min(-2).max(2),
  repetitionPenalty: z.number().gt(0),
  maxCompletionTokens: z.int().min(1),
  stop: z.array(z.string()),
});

/**
 * A predictor's complete sampling: the given parameters, and defaults for the others.
 *
 * @throws EspalierError `parameter-invalid` for an unknown parameter or a value out of range
 */
export function checkedSampling(given: Partial<Sampling>, signature: string): Sampling {
  const present = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const parsed = ranges.safeParse({ ...defaultSampling, ...present });
  if (parsed.success) return Object.freeze(parsed.data);
  const [issue] = parsed.error.issues;
  throw new EspalierError({
    code: "parameter-invalid",
    problem: `The predictor's sampling is invalid: ${issue?.path.join(".")} ${issue?.message ?? ""}`,
    where: `signature "${signature}"`,
    expected: `some of ${Object.keys(defaultSampling).join(", ")}`,
  });
}
