import type { JsonObject, PredictorTrace, RunOptions } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn, wellFormed } from "../../internal/index.ts";
import type { Field, FieldSchemas, OutputOf, Signature } from "../../signature/index.ts";
import { fieldParser, fieldProblem, fieldType } from "../../signature/index.ts";
import { callFailure } from "../call/call-failure.ts";
import { runClock } from "../call/run-clock.ts";
import { boundPrompts } from "./bound-prompts.ts";
import { checkedDemos, checkedSettings } from "./checked-settings.ts";
import { askingForLogprobs, decisionsOf, withDecided } from "../decision/label-probabilities.ts";
import { checkedNearest, vectorText } from "../nearest/nearest-demonstrations.ts";
import { heardOutputs } from "./heard-outputs.ts";
import { jsonDriver } from "../driver/json-driver.ts";
import { lmSession } from "../call/lm-session.ts";
import { toolSession } from "../call/tool-session.ts";
import type { Predictor, PredictorOptions } from "./predictor.ts";
import type { PredictorTexts } from "./predictor-texts.ts";

/** Makes a predictor from a complete signature; `predict()` and `reason()` call it. */
export function makePredictor<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  kind: Predictor["kind"],
  signature: Signature<TInput, TOutput>,
  options: PredictorOptions,
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
    toolDescriptions: Object.freeze({ ...options.toolDescriptions }),
  };
  const parseInputs = fieldParser(signature.input, "strict");
  const prompts = boundPrompts({ driver, signature, texts, settings, embedder });

  const checkInputs = (inputs: unknown, path: string): JsonObject => {
    const parsed = parseInputs(inputs);
    if (parsed.ok) return wellFormed(parsed.value as JsonObject);
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
    const { role = "student" } = runOptions;
    const stream = heardOutputs(call, runOptions, {
      signature,
      decided: Object.keys(sources ?? {}),
    });
    const asking = sources && askingForLogprobs(lm, sources);
    const session = lmSession(asking?.lm ?? lm, {
      path: call.path,
      role,
      run: runOptions,
      clock,
      stream,
    });
    const tools = driver.tools && toolSession({ path: call.path, run: runOptions, clock });
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
      ...(tools !== undefined && tools.records.length > 0 && { tools: tools.records }),
      ...rest,
    });
    const predicted = async (checked: JsonObject): Promise<JsonObject> => {
      const vector = await prompts.embed(checked, runOptions.signal);
      const prompt = prompts.bind(checked, vector, runOptions);
      ({ chosen } = prompt);
      return prompt.driver.doPredict(checked, {
        lm: session.lm,
        unheard: session.unheard,
        ...(tools && { tools, maxSteps: call.maxSteps }),
        ...(settings.agent?.clientTools && { clientTools: runOptions.clientTools }),
      });
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
      stream?.end(outputs);
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
    embedder,
    render: (inputs, { vector = null } = {}) => {
      const checked = checkInputs(inputs, signature.name);
      return wellFormed(prompts.bind(checked, prompts.read(vector)).driver.doRender(checked));
    },
    embedInputs: async (inputs, { signal } = {}) => {
      const vector = await prompts.embed(checkInputs(inputs, signature.name), signal);
      return vector && vectorText(vector);
    },
    fieldProblem: (field, value) =>
      fieldProblem({ ...signature.input, ...signature.output }, field, value),
    fieldType: (name) => {
      const { input, output } = signature.fields;
      const field = [...input, ...output].find((one) => one.name === name);
      return field === undefined ? "" : fieldType(field);
    },
    run: async (inputs, runOptions) => {
      const call = { path: signature.name, predictor: signature.name, stream: true } as const;
      // Listeners hear of its own outputs, and others call it with theirs unknown.
      const options = runOptions as RunOptions;
      const result = await attemptCall(inputs as unknown as JsonObject, call, options);
      if (result.ok) return result.outputs;
      throw result.error;
    },
    withTexts: (changed) => makePredictor(kind, signature, { ...options, ...texts, ...changed }),
    withEmbedder: (given) =>
      makePredictor(kind, signature, { ...options, ...texts, embedder: given }),
    attemptCall,
  } satisfies Predictor<TInput, TOutput>);
}

/** Throws `option-invalid` unless the call streams one of the signature's text outputs, or none. */
function checkStreamed(
  { stream, path }: { readonly path: string; readonly stream?: string | true | undefined },
  { name, fields }: Signature,
): void {
  const isText = ({ shape }: Field): boolean =>
    (shape.kind === "nullable" ? shape.of : shape).kind === "text";
  if (stream === undefined || stream === true) return;
  if (fields.output.some((field) => field.name === stream && isText(field))) return;
  const texts = fields.output.filter(isText).map((field) => field.name);
  throw new EspalierError({
    code: "option-invalid",
    problem: `Signature "${name}" has no text output "${stream}" to stream`,
    where: `call path "${path}"`,
    expected: texts.map((text) => `"${text}"`).join(", ") || "a signature with a text output",
  });
}

/**
 * The outputs that labels give in place of a call. They need no `reasoning`.
 *
 * @throws EspalierError `study-invalid` if the signature does not fit them
 */
function goldOutputs(
  outputs: JsonObject,
  { name, fields, output }: Signature<FieldSchemas, FieldSchemas>,
  path: string,
): JsonObject {
  const given = "reasoning" in output ? { reasoning: "Given.", ...outputs } : outputs;
  const parsed = fieldParser(output, "strict")(given);
  if (parsed.ok) return parsed.value as JsonObject;
  throw new EspalierError({
    code: "study-invalid",
    problem: `The gold outputs of signature "${name}" do not match its fields: ${parsed.problems.join("; ")}`,
    where: `call path "${path}"`,
    expected: `fields ${fields.output.map((field) => `\`${field.name}\``).join(", ")}`,
    fix: "Correct `gold` in the study, or return null for examples whose labels do not give it.",
  });
}
