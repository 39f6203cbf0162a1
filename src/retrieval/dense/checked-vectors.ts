import type { Embedder } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/** One vector as a tuple when one was asked, so that callers need not look for it. */
type Vectors = readonly [Float32Array, ...Float32Array[]];

/** What an embedder returned, as many and as long as they must be; each number finite. */
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
    /** `undefined` while no vector is known: the first decides. */
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
      fix: "If the server now has another model under this name, remove the index and build it again.",
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
