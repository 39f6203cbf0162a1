import type {
  Demonstration,
  JsonObject,
  LmMessage,
  PredictorTrace,
  PromptLayout,
  RunOptions,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn, systemClock } from "../../internal/index.ts";
import type {
  Field,
  FieldSchemas,
  InputOf,
  OutputOf,
  Signature,
  Wired,
} from "../../signature/index.ts";
import { fieldParser } from "../../signature/index.ts";
import { callFailure } from "../call/call-failure.ts";
import { checkedDemos } from "./checked-demos.ts";
import type { SettingsOptions } from "./checked-settings.ts";
import { checkedSettings } from "./checked-settings.ts";
import { checkStreamed } from "./check-streamed.ts";
import type { LabelWeights } from "../decision/decided-label.ts";
import { askingForLogprobs, decisionsOf, withDecided } from "../decision/label-probabilities.ts";
import type { BoundDriver, Driver, PredictorSettings } from "../driver/driver.ts";
import { goldOutputs } from "./gold-outputs.ts";
import { fieldStream } from "../call/field-stream.ts";
import { jsonDriver } from "../driver/json-driver.ts";
import { lmSession } from "../call/lm-session.ts";
import { promptLayout } from "../prompt/prompt-layout.ts";

/** The texts of a predictor that a candidate may replace. */
export interface PredictorTexts {
  readonly instruction: string;
  readonly demos: readonly Demonstration[];
  /** Descriptions by field name, where they differ from the signature's. */
  readonly fieldDescriptions: Readonly<Record<string, string>>;
}

export interface PredictorOptions extends Partial<PredictorTexts>, SettingsOptions {
  /** @default jsonDriver */
  readonly driver?: Driver;
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
  /** The exact messages a call would send, without a call. */
  render<const TGiven>(inputs: Wired<TGiven, InputOf<TInput>>): readonly LmMessage[];
  /** One call outside a program. Rejects with a `FormatError`, an `LmError` or the abort reason. */
  run<const TGiven>(
    inputs: Wired<TGiven, InputOf<TInput>>,
    options: RunOptions,
  ): Promise<OutputOf<TOutput>>;
  /** The same predictor with other texts. */
  withTexts(texts: Partial<PredictorTexts>): Predictor<TInput, TOutput>;
  /** The same predictor with an artifact's prompt layout. */
  withPromptLayout(layout: PromptLayout): Predictor<TInput, TOutput>;
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
  const texts: PredictorTexts = {
    instruction: options.instruction ?? signature.instruction,
    demos: checkedDemos(options.demos ?? [], signature),
    fieldDescriptions: Object.freeze({ ...options.fieldDescriptions }),
  };
  const parseInputs = fieldParser(signature.input, "strict");
  // Making a prompt template costs more than using it, and a predictor may never be called.
  let bound: BoundDriver | undefined;
  const bindTo = (demos: readonly Demonstration[]): BoundDriver =>
    driver.doBind({
      signature,
      instruction: texts.instruction,
      input: withDescriptions(signature.fields.input, texts.fieldDescriptions),
      output: withDescriptions(signature.fields.output, texts.fieldDescriptions),
      demos,
      layout,
      settings,
    });
  // An example must not be evaluated with a prompt that shows its own answer, or a near relation's.
  const bind = ({
    exampleId = "",
    cluster = exampleId,
  }: Pick<RunOptions, "exampleId" | "cluster"> = {}): BoundDriver => {
    const others = texts.demos.filter(
      (demo) => demo.exampleId !== exampleId && (demo.cluster ?? demo.exampleId) !== cluster,
    );
    return others.length < texts.demos.length ? bindTo(others) : (bound ??= bindTo(texts.demos));
  };

  const checkInputs = (inputs: unknown, path: string): JsonObject => {
    const parsed = parseInputs(inputs);
    if (parsed.ok) return inputs as JsonObject;
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
    const startedAt = systemClock.now();
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
      clock: systemClock,
      stream,
    });
    const traceOf = (rest: Partial<PredictorTrace>): PredictorTrace => ({
      kind: "predictor",
      path: call.path,
      predictor: call.predictor,
      signature: signature.name,
      inputs,
      calls: session.records,
      latencyMs: systemClock.now() - startedAt,
      ...rest,
    });
    try {
      checkStreamed(call, signature);
      const checked = checkInputs(inputs, call.path);
      const isGiven = "outputs" in gold;
      const written = isGiven
        ? goldOutputs(gold.outputs, signature, call.path)
        : await bind(runOptions).doPredict(checked, session);
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
    render: (inputs) => bind().doRender(checkInputs(inputs, signature.name)),
    run: async (inputs, runOptions) => {
      const call = { path: signature.name, predictor: signature.name };
      const result = await attemptCall(inputs as unknown as JsonObject, call, runOptions);
      if (result.ok) return result.outputs;
      throw result.error;
    },
    withTexts: (changed) =>
      makePredictor(kind, signature, { ...options, ...texts, ...changed }, layout),
    withPromptLayout: (other) => makePredictor(kind, signature, { ...options, ...texts }, other),
    attemptCall,
  } satisfies Predictor<TInput, TOutput>);
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
