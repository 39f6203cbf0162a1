import type {
  DeepPartial,
  Embedder,
  JsonObject,
  LmMessage,
  PredictorTrace,
  RunOptions,
} from "../../contract/index.ts";
import type { FieldSchemas, InputOf, OutputOf, Signature, Wired } from "../../signature/index.ts";
import type { LabelWeights } from "../decision/decided-label.ts";
import type { Driver, PredictorSettings } from "../driver/driver.ts";
import type { SettingsOptions } from "./checked-settings.ts";
import type { PredictorTexts } from "./predictor-texts.ts";

export interface PredictorOptions extends Partial<PredictorTexts>, SettingsOptions {
  /** @default jsonDriver */
  readonly driver?: Driver;
  /** Embeds the inputs of each call, if demonstrations are chosen by vectors. @default none */
  readonly embedder?: Embedder;
}

/** A signature bound to an instruction and demonstrations. Immutable. */
export interface Predictor<
  TInput extends FieldSchemas = FieldSchemas,
  TOutput extends FieldSchemas = FieldSchemas,
> extends PredictorTexts {
  readonly kind: PredictorKind;
  /** The signature that runs: for `reason()`, with the `reasoning` output. */
  readonly signature: Signature<TInput, TOutput>;
  readonly settings: PredictorSettings;
  readonly driver: Driver;
  /** Chooses its demonstrations, if it does so by vectors; `null`: none. */
  readonly embedder: Embedder | null;
  /**
   * The exact messages a call would send, without a call.
   *
   * @param options.vector of the inputs, from `embedInputs()`; needed where it is not `null`
   */
  render<const TGiven>(
    inputs: Wired<TGiven, InputOf<TInput>>,
    options?: { readonly vector?: string | null | undefined },
  ): readonly LmMessage[];
  /**
   * The vector by which demonstrations are chosen for the inputs, as artifacts hold it; `null` if
   * none is needed. Rejects as a call does.
   */
  embedInputs<const TGiven>(
    inputs: Wired<TGiven, InputOf<TInput>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<string | null>;
  /** What is wrong with the value of one of its fields, as a clause; `null` if nothing is. */
  fieldProblem(field: string, value: unknown): string | null;
  /** The type of one of its fields, with labels and limits, in words or as JSON; `""`: any text. */
  fieldType(field: string): string;
  /** One call outside a program. Rejects with a `FormatError`, an `LmError` or the abort reason. */
  run<const TGiven>(
    inputs: Wired<TGiven, InputOf<TInput>>,
    options: RunOptions<DeepPartial<OutputOf<TOutput>>>,
  ): Promise<OutputOf<TOutput>>;
  /** The same predictor with other texts. */
  withTexts(texts: Partial<PredictorTexts>): Predictor<TInput, TOutput>;
  /**
   * The same predictor with an embedder.
   *
   * @throws EspalierError `component-invalid` if its demonstrations have vectors of another one
   */
  withEmbedder(embedder: Embedder): Predictor<TInput, TOutput>;
  /** For programs: one call as data, errors included. `path` names the call in the trace. */
  attemptCall(
    inputs: JsonObject,
    call: PredictorAddress,
    options: RunOptions,
  ): Promise<PredictorCall<OutputOf<TOutput>>>;
}

/** Identifies one call of one predictor. */
export interface PredictorAddress {
  readonly path: string;
  readonly predictor: string;
  /**
   * Sends all outputs to `RunOptions.onPartial`, and the text of the output that it names to
   * `RunOptions.onStream`.
   */
  readonly stream?: string | true | undefined;
  /** Fewer steps than an agent's own limit. */
  readonly maxSteps?: number | undefined;
  /** By output field; without them the labels that the model wrote stand. */
  readonly weights?: Readonly<Record<string, LabelWeights>> | undefined;
}

export type PredictorCall<TOutputs> = { readonly trace: PredictorTrace } & (
  | { readonly ok: true; readonly outputs: TOutputs }
  | { readonly ok: false; readonly error: unknown }
);

/** How a predictor answers: at once, after reasoning, or with tools over several turns. */
export const predictorKinds = ["predict", "reason", "agent"] as const;

type PredictorKind = (typeof predictorKinds)[number];
