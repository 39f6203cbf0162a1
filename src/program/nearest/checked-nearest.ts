import type {
  Demonstration,
  Embedder,
  LmIdentity,
  NearestDemonstrations,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { contentHash, deepFreeze } from "../../internal/index.ts";
import { inputsText } from "./inputs-text.ts";
import { readVector } from "./vector-text.ts";

/**
 * Checks how a predictor chooses among demonstrations, copies and freezes it.
 *
 * @throws EspalierError `component-invalid` for a number below 1, an unknown way, and vectors that
 *   are not those of the demonstrations, or not of the given embedder
 */
export function checkedNearest(
  nearest: NearestDemonstrations | null,
  demos: readonly Demonstration[],
  {
    signature,
    embedder: given,
  }: { readonly signature: string; readonly embedder: Embedder | null },
): NearestDemonstrations | null {
  if (nearest === null) return null;
  const { k, by } = nearest;
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "component-invalid",
      problem: `\`nearest\` cannot choose among the demonstrations of signature "${signature}"`,
      expected,
      got,
    });
  if (!Number.isSafeInteger(k) || k < 1) throw invalid("`k`, an integer of at least 1", String(k));
  if (by === "words") return deepFreeze({ k, by });
  if (typeof by !== "object" || by === null) {
    throw invalid('`by`: "words", or the vectors of an embedder', JSON.stringify(by) ?? "nothing");
  }
  const { embedder, dimension, textsHash, vectors } = by;
  if (vectors.length !== demos.length) {
    throw invalid(`a vector for each of ${demos.length} demonstrations`, String(vectors.length));
  }
  const odd = vectors.findIndex((text) => readVector(text, dimension) === null);
  if (odd >= 0) {
    throw invalid(
      `vectors of ${dimension} finite 32-bit floats as base64`,
      `another one for the demonstration of example "${demos[odd]?.exampleId}"`,
    );
  }
  if (textsHash !== textsHashOf(demos)) {
    throw invalid(
      "vectors of these demonstrations",
      "vectors of others: embed them again with `embedDemonstrations()`",
    );
  }
  const { provider, model } = embedder;
  if (given !== null && !isSameModel(given.identity, embedder)) {
    throw invalid(
      `the embedder of its vectors, \`${model}\` (${provider})`,
      `\`${given.identity.model}\` (${given.identity.provider})`,
    );
  }
  return deepFreeze({
    k,
    by: { embedder: { provider, model }, dimension, textsHash, vectors: [...vectors] },
  });
}

/** Whether two models are the same by name. */
function isSameModel(one: LmIdentity, other: LmIdentity): boolean {
  return one.provider === other.provider && one.model === other.model;
}

/** Ties vectors to the texts that were embedded, in their order. */
export function textsHashOf(demos: readonly Demonstration[]): string {
  return contentHash(demos.map(({ inputs }) => inputsText(inputs)));
}
