import { EspalierError } from "espalier";
import { z } from "zod";
import { questionFeatureNames } from "./question-features.ts";

/**
 * A trained classifier as plain JSON: written with `JSON.stringify`, read with
 * `readComplexityModel`.
 */
export interface ComplexityModel {
  readonly kind: "question-complexity";
  readonly version: 1;
  /** The embedder whose vectors it was trained on, and their length. */
  readonly embedder: { readonly provider: string; readonly model: string };
  readonly dimensions: number;
  /** Names of the linguistic features, which follow the vector. */
  readonly features: readonly string[];
  /** Subtracted from the inputs, in order: vector, then features. */
  readonly means: readonly number[];
  /** Divisors of the centred inputs. */
  readonly deviations: readonly number[];
  readonly weights: readonly number[];
  readonly intercept: number;
  /** The data it was trained on. */
  readonly training: { readonly examples: number; readonly complex: number; readonly c: number };
}

const numbers = z.array(z.number());
const shape = z.object({
  kind: z.literal("question-complexity"),
  version: z.literal(1),
  embedder: z.object({ provider: z.string(), model: z.string() }),
  dimensions: z.int().min(0),
  features: z.array(z.string()),
  means: numbers,
  deviations: numbers,
  weights: numbers,
  intercept: z.number(),
  training: z.object({ examples: z.int(), complex: z.int(), c: z.number() }),
});

/**
 * Checks a model read from a file.
 *
 * @param source named in the error, for example the file's path
 * @throws EspalierError `file-malformed` for anything but a model of this version with these
 * features
 */
export function readComplexityModel(
  given: unknown,
  source = "a complexity model",
): ComplexityModel {
  const malformed = (got: string): EspalierError =>
    new EspalierError({
      code: "file-malformed",
      problem: "The complexity model is invalid",
      where: source,
      expected: "a model from this version's `trainComplexityModel`",
      got,
      fix: "Retrain it.",
    });
  const parsed = shape.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw malformed(`${issue?.path.join(".") || "the model"}: ${issue?.message ?? ""}`);
  }
  const model = parsed.data;
  if (model.features.join() !== questionFeatureNames.join()) {
    throw malformed(`the features ${model.features.join(", ")}`);
  }
  const width = model.dimensions + model.features.length;
  const lengths = [model.means, model.deviations, model.weights].map(({ length }) => length);
  if (lengths.some((length) => length !== width)) {
    throw malformed(`${lengths.join(", ")} numbers for ${width} inputs`);
  }
  return model;
}
