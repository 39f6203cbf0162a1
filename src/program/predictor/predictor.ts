import type {
  Embedder,
  JsonObject,
  LmMessage,
  PredictorTrace,
  PromptLayout,
  RunOptions,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { FieldSchemas, InputOf, OutputOf, Signature, Wired } from "../../signature/index.ts";
import { fieldParser, fieldProblem } from "../../signature/index.ts";
import { callFailure } from "../call/call-failure.ts";
import { runClock } from "../call/run-clock.ts";
import { boundPrompts } from "./bound-prompts.ts";
import { checkedDemos } from "./checked-demos.ts";
import type { SettingsOptions } from "./checked-settings.ts";
import { checkedSettings } from "./checked-settings.ts";
import { checkStreamed } from "./check-streamed.ts";
import type { LabelWeights } from "../decision/decided-label.ts";
import { askingForLogprobs, decisionsOf, withDecided } from "../decision/label-probabilities.ts";
import type { Driver, PredictorSettings } from "../driver/driver.ts";
import { checkedNearest } from "../nearest/checked-nearest.ts";
import { vectorText } from "../nearest/vector-text.ts";
import { goldOutputs } from "./gold-outputs.ts";
import { fieldStream } from "../call/field-stream.ts";
import { jsonDriver } from "../driver/json-driver.ts";
import { lmSession } from "../call/lm-session.ts";
import type { PredictorTexts } from "./predictor-texts.ts";
import { promptLayout } from "../prompt/prompt-layout.ts";

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
  readonly kind: "predict" | "reason";
  /** The signature that runs: for `reason()`, with the `reasoning` output. */
  readonly signature: Signature<TInput, TOutput>;
  readonly settings: PredictorSettings;
  readonly driver: Driver;
  /** Layout of its prompts. */
  readonly promptLayout: PromptLayout;
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
  /** One call outside a program. Rejects with a `FormatError`, an `LmError` or the abort reason. */
  run<const TGiven>(
    inputs: Wired<TGiven, InputOf<TInput>>,
    options: RunOptions,
  ): Promise<OutputOf<TOutput>>;
  /** The same predictor with other texts. */
  withTexts(texts: Partial<PredictorTexts>): Predictor<TInput, TOutput>;
  /** The same predictor with an artifact's prompt layout. */
  withPromptLayout(layout: PromptLayout): Predictor<TInput, TOutput>;
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
  /** Text output field whose text goes to `RunOptions.onStream`. */
  readonly stream?: string | undefined;
  /** By output field; without them the labels that the model wrote stand. */
  readonly weights?: Readonly<Record<string, LabelWeights>> | undefined;
}

export type PredictorCall<TOutputs> = { readonly trace: PredictorTrace } & (
  | { readonly ok: true; readonly outputs: TOutputs }
  | { readonly ok: false; readonly error: unknown }
);

/** Makes a predictor from a complete signature; `predict()` and `reason()` call it. */
export function makePredictor<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  kind: Predictor["kind"],
  signature: Signature<TInput, TOutput>,
  options: PredictorOptions,
  layout: PromptLayout = promptLayout,
): Predictor<TInput, TOutput> {
  const { driver = jsonDriver } = options;
  const settings = checkedSettings(options, signature);
  const sources = settings.probabilities;
  const demos = checkedDemos(options.demos ?? [], signature);
  const embedder = options.embedder ?? null;
  const texts: PredictorTexts = {
    instruction: options.instruction ?? signature.instruction,
    demos,
    nearest: checkedNearest(options.nearest ?? null, demos, {
      signature: signature.name,
      embedder,
    }),
    fieldDescriptions: Object.freeze({ ...options.fieldDescriptions }),
  };
  const parseInputs = fieldParser(signature.input, "strict");
  const prompts = boundPrompts({ driver, signature, texts, layout, settings, embedder });

  const checkInputs = (inputs: unknown, path: string): JsonObject => {
    const parsed = parseInputs(inputs);
    if (parsed.ok) return parsed.value as JsonObject;
    throw new EspalierError({
      code: "input-invalid",
      problem: `The inputs of signature "${signature.name}" do not match its fields: ${parsed.problems.join("; ")}`,
      where: `call path "${path}"`,
      expected: `fields ${signature.fields.input.map(({ name }) => `\`${name}\``).join(", ")}`,
    });
  };

  const attemptCall: Predictor<TInput, TOutput>["attemptCall"] = async (
    given,
    call,
    runOptions,
  ) => {
    const gold = getOwn(runOptions.gold ?? {}, call.predictor) ?? { inputs: {} };
    const inputs = "inputs" in gold ? { ...given, ...gold.inputs } : given;
    const { clock = runClock() } = runOptions;
    const startMs = clock.now();
    const lm = getOwn(runOptions.lms ?? {}, call.predictor) ?? runOptions.lm;
    const { role = "student", onStream } = runOptions;
    const stream =
      call.stream === undefined || onStream === undefined
        ? undefined
        : fieldStream({ path: call.path, field: call.stream }, onStream);
    const asking = sources && askingForLogprobs(lm, sources);
    const session = lmSession(asking?.lm ?? lm, {
      path: call.path,
      role,
      run: runOptions,
      clock,
      stream,
    });
    let chosen: readonly string[] | undefined;
    const traceOf = (rest: Partial<PredictorTrace>): PredictorTrace => ({
      kind: "predictor",
      path: call.path,
      predictor: call.predictor,
      signature: signature.name,
      inputs,
      calls: session.records,
      startMs,
      latencyMs: clock.now() - startMs,
      ...(chosen && { demonstrations: chosen }),
      ...rest,
    });
    const predicted = async (checked: JsonObject): Promise<JsonObject> => {
      const vector = await prompts.embed(checked, runOptions.signal);
      const prompt = prompts.bind(checked, vector, runOptions);
      ({ chosen } = prompt);
      return prompt.driver.doPredict(checked, session);
    };
    try {
      checkStreamed(call, signature);
      const checked = checkInputs(inputs, call.path);
      const isGiven = "outputs" in gold;
      const written = isGiven
        ? goldOutputs(gold.outputs, signature, call.path)
        : await predicted(checked);
      const decisions =
        asking === undefined || isGiven
          ? undefined
          : decisionsOf(
              { outputs: written, reply: asking.lastReply(), fields: signature.fields.output },
              asking.sources,
              call.weights,
            );
      const outputs = decisions === undefined ? written : withDecided(written, decisions);
      stream?.end(call.stream === undefined ? undefined : getOwn(outputs, call.stream));
      const trace = traceOf({ outputs, ...(decisions && { decisions }) });
      return { ok: true, outputs: outputs as OutputOf<TOutput>, trace };
    } catch (error) {
      return {
        ok: false,
        error,
        trace: traceOf({ failure: callFailure(error, runOptions.signal) }),
      };
    }
  };

  return Object.freeze({
    ...texts,
    kind,
    signature,
    settings,
    driver,
    promptLayout: layout,
    embedder,
    render: (inputs, { vector = null } = {}) => {
      const checked = checkInputs(inputs, signature.name);
      return prompts.bind(checked, prompts.read(vector)).driver.doRender(checked);
    },
    embedInputs: async (inputs, { signal } = {}) => {
      const vector = await prompts.embed(checkInputs(inputs, signature.name), signal);
      return vector && vectorText(vector);
    },
    fieldProblem: (field, value) =>
      fieldProblem({ ...signature.input, ...signature.output }, field, value),
    run: async (inputs, runOptions) => {
      const call = { path: signature.name, predictor: signature.name };
      const result = await attemptCall(inputs as unknown as JsonObject, call, runOptions);
      if (result.ok) return result.outputs;
      throw result.error;
    },
    withTexts: (changed) =>
      makePredictor(kind, signature, { ...options, ...texts, ...changed }, layout),
    withPromptLayout: (other) => makePredictor(kind, signature, { ...options, ...texts }, other),
    withEmbedder: (given) =>
      makePredictor(kind, signature, { ...options, ...texts, embedder: given }, layout),
    attemptCall,
  } satisfies Predictor<TInput, TOutput>);
}
