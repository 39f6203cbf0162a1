import type { TunableProgram } from "../../program/index.ts";
import type { RecordedInputs } from "./recorded-inputs.ts";

/** By predictor, in the order of its recorded inputs; `null` where none is needed. */
export type RecordedVectors = Readonly<Record<string, readonly (string | null)[]>>;

/**
 * The vectors by which a program chooses its demonstrations for recorded inputs. Asks its embedder
 * if there is a choice by vectors, and otherwise nobody.
 *
 * @throws EspalierError `part-missing`, `embedding-invalid`; the embedder's errors
 */
export async function recordedVectors(
  program: Pick<TunableProgram, "embedInputs">,
  samples: RecordedInputs,
  options: { readonly signal?: AbortSignal } = {},
): Promise<RecordedVectors> {
  const ofPredictors = await Promise.all(
    Object.entries(samples).map(async ([predictor, recorded]) => {
      const vectors = await Promise.all(
        recorded.map((inputs) => program.embedInputs(predictor, inputs, options)),
      );
      return [predictor, vectors] as const;
    }),
  );
  return Object.fromEntries(ofPredictors);
}
