import type { Embedder } from "./text-model.ts";
import { EspalierError } from "../errors/index.ts";

/** At least one vector, so that callers can take the first without a check. */
type Vectors = readonly [Float32Array, ...Float32Array[]];

/** Checks an embedder's vectors: expected count, equal length, finite numbers. */
export function checkedVectors(
  vectors: readonly Float32Array[],
  {
    embedder,
    count,
    dimension,
  }: {
    readonly embedder: Embedder;
    /** At least 1. */
    readonly count: number;
    /** `undefined` until a vector is known; then the first one decides. */
    readonly dimension: number | undefined;
  },
): Vectors {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "embedding-invalid",
      problem: "The embedder returned vectors that cannot be used",
      where: `${embedder.identity.provider}, model \`${embedder.identity.model}\``,
      expected,
      got,
      fix: "If the server now serves another model under this name, make anew what holds vectors of the old one, such as an index.",
    });
  const [first, ...others] = vectors;
  if (first === undefined || vectors.length !== count) {
    throw invalid(`${count} vectors`, String(vectors.length));
  }
  const length = dimension ?? first.length;
  for (const vector of vectors) {
    if (vector.length !== length || length === 0) {
      throw invalid(`vectors of ${length || "some"} numbers`, `one of ${vector.length}`);
    }
    const bad = vector.find((value) => !Number.isFinite(value));
    if (bad !== undefined) throw invalid("finite numbers", String(bad));
  }
  return [first, ...others];
}
