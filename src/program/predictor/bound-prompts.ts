import type { Demonstration, Embedder, JsonObject, RunOptions } from "../../contract/index.ts";
import { checkedVectors, mayShow } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Field, Signature } from "../../signature/index.ts";
import type { BoundDriver, Driver, PredictorSettings } from "../driver/driver.ts";
import type { DemonstrationChooser } from "../nearest/nearest-demonstrations.ts";
import { demonstrationChooser, inputsText, readVector } from "../nearest/nearest-demonstrations.ts";
import type { PredictorTexts } from "./predictor-texts.ts";

/** A driver with the demonstrations that one call shows. */
export interface BoundPrompt {
  readonly driver: BoundDriver;
  /** Ids of their examples, if they were chosen for the call. */
  readonly chosen?: readonly string[];
}

/** Makes the prompts of a predictor. */
export interface BoundPrompts {
  /**
   * @param vector of the inputs; `null` if `embed` gives none
   * @throws EspalierError `part-missing` without a vector that the choice needs
   */
  bind(
    inputs: JsonObject,
    vector: Float32Array | null,
    run?: Pick<RunOptions, "exampleId" | "cluster">,
  ): BoundPrompt;
  /**
   * The vector by which demonstrations are chosen for the inputs; `null` if none is needed.
   *
   * @throws EspalierError `part-missing`, `embedding-invalid`; the embedder's errors
   */
  embed(inputs: JsonObject, signal: AbortSignal | undefined): Promise<Float32Array | null>;
  /** Reads a vector that was kept as text; `null` if it is none that the choice could use. */
  read(vector: string | null): Float32Array | null;
}

/** Binds a predictor's texts to its driver, as far as they are the same for all calls. */
export function boundPrompts({
  driver,
  signature,
  texts,
  settings,
  embedder,
}: {
  readonly driver: Driver;
  readonly signature: Signature;
  readonly texts: PredictorTexts;
  readonly settings: PredictorSettings;
  readonly embedder: Embedder | null;
}): BoundPrompts {
  const { instruction, demos, nearest, fieldDescriptions, toolDescriptions } = texts;
  const bindTo = (shown: readonly Demonstration[]): BoundDriver =>
    driver.doBind({
      signature,
      instruction,
      input: withDescriptions(signature.fields.input, fieldDescriptions),
      output: withDescriptions(signature.fields.output, fieldDescriptions),
      demos: shown,
      toolDescriptions,
      settings,
    });
  // Making a prompt template costs more than using it, and a predictor may never be called.
  let bound: BoundDriver | undefined;
  let choose: DemonstrationChooser | undefined;
  const needed = nearest === null || nearest.by === "words" ? null : nearest.by;
  return {
    bind: (inputs, vector, { exampleId = "", cluster = exampleId } = {}) => {
      const mayBeShown = (demo: Demonstration): boolean => mayShow(demo, { exampleId, cluster });
      if (nearest !== null) {
        if (needed !== null && vector === null) throw vectorMissing(signature.name);
        choose ??= demonstrationChooser(demos, nearest);
        const chosen = choose(inputs, { mayShow: mayBeShown, vector });
        return { driver: bindTo(chosen), chosen: chosen.map((demo) => demo.exampleId) };
      }
      const others = demos.filter(mayBeShown);
      const isAll = others.length === demos.length;
      return { driver: isAll ? (bound ??= bindTo(demos)) : bindTo(others) };
    },
    read: (vector) =>
      needed === null || vector === null ? null : readVector(vector, needed.dimension),
    embed: async (inputs, signal) => {
      if (needed === null) return null;
      if (embedder === null) throw embedderMissing(signature.name, needed.embedder.model);
      signal?.throwIfAborted();
      const options = signal === undefined ? {} : { signal };
      const { vectors } = await embedder.doEmbed([inputsText(inputs)], options);
      const { dimension } = needed;
      return checkedVectors(vectors, { embedder, count: 1, dimension })[0];
    },
  };
}

function withDescriptions(
  fields: readonly Field[],
  descriptions: Readonly<Record<string, string>>,
): readonly Field[] {
  return fields.map((field) => ({
    ...field,
    description: getOwn(descriptions, field.name) ?? field.description,
  }));
}

function embedderMissing(signature: string, model: string): EspalierError {
  return new EspalierError({
    code: "part-missing",
    problem: `Signature "${signature}" chooses its demonstrations with an embedder, but has none`,
    expected: `the embedder \`${model}\``,
    fix: "Give it to the program with `program.withEmbedder(embedder)`",
  });
}

function vectorMissing(signature: string): EspalierError {
  return new EspalierError({
    code: "part-missing",
    problem: `The demonstrations of signature "${signature}" depend on a vector of the inputs`,
    expected:
      "`{ vector }` beside the inputs, from the embedder that made the demonstrations' vectors",
    fix: "Get it from `embedInputs()` of the predictor or the program",
  });
}
