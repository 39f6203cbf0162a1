import { endianness } from "node:os";
import type {
  Demonstration,
  DemonstrationVectors,
  Embedder,
  LmIdentity,
  NearestDemonstrations,
  Json,
  JsonObject,
} from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { SingleFlight } from "../../internal/index.ts";
import {
  contentHash,
  deepFreeze,
  imageDataIn,
  cosineOfWords,
  wordVectors,
  singleFlight,
} from "../../internal/index.ts";

/**
 * The vectors by which `nearest` chooses among demonstrations: those of their inputs.
 *
 * @example
 * const by = await embedDemonstrations(pool, { embedder });
 * const answerer = predict(answer, { demos: pool, nearest: { k: 4, by }, embedder });
 *
 * @param demonstrations at least 1
 * @throws EspalierError `embedding-invalid`; the embedder's errors
 */
export async function embedDemonstrations(
  demonstrations: readonly Demonstration[],
  { embedder, signal }: { readonly embedder: Embedder; readonly signal?: AbortSignal },
): Promise<DemonstrationVectors> {
  signal?.throwIfAborted();
  const { provider, model } = embedder.identity;
  const { vectors } = await embedder.doEmbed(
    demonstrations.map(({ inputs }) => inputsText(inputs)),
    signal === undefined ? {} : { signal },
  );
  const count = demonstrations.length;
  const checked = checkedVectors(vectors, { embedder, count, dimension: undefined });
  return Object.freeze({
    embedder: Object.freeze({ provider, model }),
    dimension: checked[0].length,
    textsHash: textsHashOf(demonstrations),
    vectors: Object.freeze(checked.map(vectorText)),
  });
}

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
      `a different one for the demonstration of example "${demos[odd]?.exampleId}"`,
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
function textsHashOf(demos: readonly Demonstration[]): string {
  return contentHash(demos.map(({ inputs }) => inputsText(inputs)));
}

/**
 * What is compared of inputs to find near demonstrations: their texts and numbers, a line each, the
 * fields by name. What images show is unknown here.
 */
export function inputsText(inputs: JsonObject): string {
  return Object.entries(inputs)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, value]) => leavesOf(value))
    .join("\n");
}

function leavesOf(value: Json): readonly string[] {
  if (value === null) return [];
  if (typeof value === "string" && imageDataIn(value) !== null) return [];
  if (typeof value !== "object") return [String(value)];
  return Object.values<Json>(value).flatMap(leavesOf);
}

/** A vector as files hold it: little-endian 32-bit floats as base64. */
export function vectorText(vector: Float32Array): string {
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  if (endianness() === "BE") bytes.swap32();
  return bytes.toString("base64");
}

/** The vector that a text holds; `null` unless it has that many numbers, all of them finite. */
export function readVector(text: string, dimension: number): Float32Array | null {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  if (bytes.length !== 4 * dimension) return null;
  if (endianness() === "BE") Buffer.from(bytes.buffer).swap32();
  const vector = new Float32Array(bytes.buffer);
  return vector.every(Number.isFinite) ? vector : null;
}

/**
 * Chooses demonstrations of a pool for inputs, in the order in which a prompt shows them: the
 * nearest last.
 *
 * @param vector of the inputs; needed if the pool has vectors
 */
export type DemonstrationChooser = (
  inputs: JsonObject,
  options: {
    readonly mayShow: (demonstration: Demonstration) => boolean;
    readonly vector: Float32Array | null;
  },
) => readonly Demonstration[];

/** Both arguments must have been checked. */
export function demonstrationChooser(
  pool: readonly Demonstration[],
  { k, by }: NearestDemonstrations,
): DemonstrationChooser {
  const nearness = by === "words" ? nearnessByWords(pool) : nearnessByVectors(by);
  return (inputs, { mayShow, vector }) => {
    const near = nearness(inputs, vector);
    return pool
      .map((demonstration, index) => ({ demonstration, index, near: near(index) }))
      .filter(({ demonstration }) => mayShow(demonstration))
      .toSorted((one, other) => other.near - one.near || one.index - other.index)
      .slice(0, k)
      .toReversed()
      .map(({ demonstration }) => demonstration);
  };
}

/** How near each place of the pool is to some inputs. */
type Nearness = (inputs: JsonObject, vector: Float32Array | null) => (index: number) => number;

function nearnessByWords(pool: readonly Demonstration[]): Nearness {
  const texts = pool.map(({ inputs }) => inputsText(inputs));
  const vectorOf = wordVectors(texts);
  const vectors = texts.map(vectorOf);
  return (inputs) => {
    const asked = vectorOf(inputsText(inputs));
    return (index) => cosineOfWords(asked, vectors[index] ?? new Map());
  };
}

function nearnessByVectors({
  dimension,
  vectors,
}: Exclude<NearestDemonstrations["by"], "words">): Nearness {
  const held = vectors.map((text) => unit(readVector(text, dimension) ?? new Float32Array()));
  return (_, vector) => {
    const asked = unit(vector ?? new Float32Array());
    return (index) => innerProduct(asked, held[index] ?? asked);
  };
}

/** Of length 1, in double precision; a vector of zeros stays, and is near to nothing. */
function unit(vector: Float32Array): Float64Array {
  const exact = Float64Array.from(vector);
  const length = Math.sqrt(innerProduct(exact, exact));
  return length === 0 ? exact : exact.map((value) => value / length);
}

function innerProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) {
    sum += (one[index] as number) * (other[index] as number);
  }
  return sum;
}

type Embedded = Awaited<ReturnType<Embedder["doEmbed"]>>;

/** Texts whose vectors are kept; beyond it the oldest are forgotten. */
const most = 10_000;

/**
 * Asks for each text once, since a search runs many candidates on the same inputs: equal concurrent
 * calls of one text share a request. Vectors that cannot be used are an error here, and not kept.
 */
export function rememberingEmbedder(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  const inFlight = new Map<string, SingleFlight<Embedded>>();
  const ask: Embedder["doEmbed"] = async (texts, options) => {
    const { vectors, usage } = await embedder.doEmbed(texts, options);
    const checked = checkedVectors(vectors, {
      embedder,
      count: texts.length,
      dimension: undefined,
    });
    for (const [index, text] of texts.entries()) known.set(text, checked[index] ?? checked[0]);
    for (const text of known.keys()) {
      if (known.size <= most) break;
      known.delete(text);
    }
    return { vectors: checked, usage };
  };
  const askOnce = (text: string, signal: AbortSignal | undefined): Promise<Embedded> => {
    const running = inFlight.get(text);
    if (running !== undefined) return running.join(signal);
    const call = singleFlight(
      async (either) => {
        try {
          return await ask([text], either === undefined ? {} : { signal: either });
        } finally {
          if (inFlight.get(text) === call) inFlight.delete(text);
        }
      },
      () => inFlight.delete(text),
    );
    inFlight.set(text, call);
    return call.join(signal);
  };
  return {
    identity: embedder.identity,
    doEmbed: async (texts, options = {}) => {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))];
      const held = new Map(texts.map((text) => [text, known.get(text)]));
      const [first, ...others] = missing;
      const { vectors, usage } =
        first === undefined
          ? { vectors: [], usage: { promptTokens: 0 } }
          : await (others.length === 0 ? askOnce(first, options.signal) : ask(missing, options));
      for (const [index, text] of missing.entries()) held.set(text, vectors[index]);
      return { vectors: texts.flatMap((text) => held.get(text) ?? []), usage };
    },
  };
}
