import type {
  Attempt,
  DeepPartial,
  JsonObject,
  ParameterValue,
  PartialListener,
  RunOptions,
  Trace,
  ClientTools,
} from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { getOwn, isKebabCase, linkedAbort, mapValues } from "../internal/index.ts";
import type { FieldSchemas, InputOf, OutputOf, ReceivedOf } from "../signature/index.ts";
import { fieldParser } from "../signature/index.ts";
import { callFailure } from "./call/call-failure.ts";
import { runClock } from "./call/run-clock.ts";
import type { Parameters, Predictors } from "./call.ts";
import { applyCandidate, componentsOf } from "./components.ts";
import { checkWeights, weightsIn } from "./label-weights.ts";
import { rememberingEmbedder } from "./nearest/nearest-demonstrations.ts";
import type { ParameterValues } from "./parameter.ts";
import { conditionProblem } from "./parameter.ts";
import { explained, inputInvalid, outputInvalid, predictorUnknown } from "./program-errors.ts";
import { tracedCall } from "./traced-call.ts";
import type { Program, ProgramDefinition } from "./tunable-program.ts";
import type { Predictor } from "./predictor/predictor.ts";

/**
 * Composes predictors into a program.
 *
 * @example
 * const answerer = program({
 *   name: "answerer",
 *   version: "1",
 *   input: { question: text("question") },
 *   output: { answer: text("answer") },
 *   predictors: { answer: reason(answer) },
 *   forward: async ({ question }, { predictors }) => predictors.answer({ question }),
 * });
 */
export function program<
  const TInput extends FieldSchemas,
  const TOutput extends FieldSchemas,
  const TPredictors extends Predictors,
  const TParameters extends Parameters = Record<never, never>,
>(
  definition: ProgramDefinition<TInput, TOutput, TPredictors, TParameters>,
): Program<TInput, TOutput, TPredictors, TParameters> {
  const parameters = definition.parameters ?? ({} as TParameters);
  checkDefinition(definition, parameters);
  checkWeights(definition, parameters);
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, parameter.default]),
  );
  return bind(definition, parameters, definition.predictors, values);
}

function bind<
  TInput extends FieldSchemas,
  TOutput extends FieldSchemas,
  TPredictors extends Predictors,
  TParameters extends Parameters,
>(
  definition: ProgramDefinition<TInput, TOutput, TPredictors, TParameters>,
  parameters: TParameters,
  predictors: TPredictors,
  values: Readonly<Record<string, ParameterValue>>,
): Program<TInput, TOutput, TPredictors, TParameters> {
  type Output = OutputOf<TOutput>;
  const { name, version, module, input, output } = definition;
  const parseInput = fieldParser(input, "strict");
  const parseOutput = fieldParser(output, "returned");
  const parameterValues = Object.freeze({ ...values }) as ParameterValues<TParameters>;

  const weights = weightsIn(parameters, values);

  const named = (predictor: string): Predictors[string] => {
    const found = getOwn<Predictors[string]>(predictors, predictor);
    if (found !== undefined) return found;
    throw predictorUnknown(name, predictor, Object.keys(predictors));
  };

  const inputProblem = (given: unknown): string | null => {
    const parsed = parseInput(given);
    return parsed.ok ? null : parsed.problems.join("; ");
  };

  const attempt = async (
    given: InputOf<TInput>,
    asked: RunOptions<DeepPartial<Output>>,
  ): Promise<Attempt<Output>> => {
    const hearing = hearingOutputs(output, asked.onPartial as PartialListener | undefined);
    const options: RunOptions = { ...(asked as RunOptions), ...hearing };
    const clock = runClock(options.clock);
    const startedAtMs = clock.epochMs();
    // Fires when the run ends, so that unawaited calls do not outlive it.
    const over = linkedAbort([options.signal]);
    const { signal } = over;
    const traced = tracedCall<TPredictors, TParameters>(
      { predictors, parameters: parameterValues, weights },
      { ...options, signal, clock },
    );
    const traceOf = (rest: Partial<Trace>): Trace => ({
      program: name,
      version,
      input: given as JsonObject,
      notes: traced.notes,
      children: traced.children(),
      startedAtMs,
      latencyMs: clock.now(),
      ...rest,
    });
    try {
      const received = parseInput(given);
      if (!received.ok) throw inputInvalid(name, received.problems.join("; "));
      if (asked.clientTools) checkClientTools({ name, predictors }, asked.clientTools);
      const returned = await definition.forward(
        received.value as unknown as ReceivedOf<TInput>,
        traced.call,
      );
      const parsed = parseOutput(returned);
      if (!parsed.ok)
        throw outputInvalid(name, { problems: parsed.problems, returned, fields: output });
      const made = parsed.value;
      asked.onPartial?.(made as DeepPartial<Output>, { path: "", growing: null });
      return { state: "completed", output: made, trace: traceOf({ output: made as JsonObject }) };
    } catch (thrown) {
      const error = explained(thrown, { ...options, program: name, predictors });
      const failure = callFailure(error, options.signal);
      return { state: "failed", failure, error, trace: traceOf({ failure }) };
    } finally {
      over.release();
      over.abort(runIsOver);
    }
  };

  return Object.freeze({
    name,
    version,
    ...(module === undefined ? {} : { module }),
    input,
    output,
    predictors: Object.freeze({ ...predictors }),
    parameters: Object.freeze({ ...parameters }),
    parameterValues,
    inputProblem,
    attempt,
    run: async (given, options) => {
      const ended = await attempt(given, options);
      if (ended.state === "completed") return ended.output;
      throw ended.error;
    },
    components: () => componentsOf({ predictors, values }),
    with: (candidate) => {
      const changed = applyCandidate({ predictors, parameters, values }, candidate);
      return bind(definition, parameters, changed.predictors as TPredictors, changed.values);
    },
    embedder: Object.values<Predictors[string]>(predictors)[0]?.embedder ?? null,
    withEmbedder: (embedder) => {
      const remembering = rememberingEmbedder(embedder);
      const asking = mapValues(predictors, (each) => each.withEmbedder(remembering));
      return bind(definition, parameters, asking as TPredictors, values);
    },
    render: (predictor, inputs, shown) => named(predictor).render(inputs as never, shown),
    embedInputs: async (predictor, inputs, embedding) =>
      named(predictor).embedInputs(inputs as never, embedding),
  } satisfies Program<TInput, TOutput, TPredictors, TParameters>);
}

/** Shared by all runs: making a DOMException takes longer than aborting. */
const runIsOver = new DOMException("This operation was aborted", "AbortError");

/** @throws EspalierError `program-invalid` */
function checkDefinition(
  { name, version, predictors }: { name: string; version: string; predictors: Predictors },
  parameters: Parameters,
): void {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "program-invalid",
      problem: "The program is invalid",
      where: `program "${name}"`,
      expected,
      got,
    });
  if (!isKebabCase(name)) throw invalid("a name in kebab-case", `"${name}"`);
  if (version === "") throw invalid("a version", "an empty one");
  for (const key of [...Object.keys(predictors), ...Object.keys(parameters)]) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(key)) throw invalid("names in camelCase", `"${key}"`);
  }
  const shared = Object.keys(parameters).find((key) => Object.hasOwn(predictors, key));
  if (shared !== undefined)
    throw invalid("different names for predictors and parameters", `"${shared}" for both`);
  const takers = takersOfClientTools({ predictors });
  if (takers.length > 1) {
    const names = takers.map(({ signature }) => `"${signature.name}"`);
    throw invalid("at most one agent with `clientTools`", names.join(", "));
  }
  for (const key of Object.keys(parameters)) {
    const problem = conditionProblem(parameters, key);
    if (problem !== null) throw invalid(problem.expected, problem.got);
  }
}

/** Passes on the outputs of calls as far as they are named like the program's own. */
function hearingOutputs(
  names: FieldSchemas,
  onPartial: PartialListener | undefined,
): Pick<RunOptions, "onPartial"> {
  if (onPartial === undefined) return {};
  return {
    onPartial: (outputs, { growing, ...origin }) => {
      const known = Object.entries(outputs as JsonObject).filter(([name]) =>
        Object.hasOwn(names, name),
      );
      const [first] = growing ?? [];
      const isKnown = first === undefined || Object.hasOwn(names, first);
      // The program is not over when the call is.
      const open = growing !== null && isKnown ? growing : [];
      onPartial(Object.fromEntries(known), { ...origin, growing: open });
    },
  };
}

interface OfPredictors {
  readonly predictors: Predictors;
}

/** The predictors that take tools of who runs the program; at most one in a program. */
export function takersOfClientTools({ predictors }: OfPredictors): readonly Predictor[] {
  return Object.values<Predictor>(predictors).filter(
    ({ settings }) => settings.agent?.clientTools === true,
  );
}

/** Why tools cannot be brought to a program, and which of them is at fault; `null` if they can. */
export function clientToolsProblem(
  program: OfPredictors,
  tools: ClientTools["tools"],
): { readonly index: number; readonly problem: string } | null {
  const own = new Set(
    takersOfClientTools(program)
      .flatMap(({ driver }) => driver.tools ?? [])
      .map(({ name }) => name),
  );
  const seen = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      return { index, problem: "expected a name of 1 to 64 letters, digits, `_` and `-`" };
    }
    if (own.has(name)) return { index, problem: `the program has a tool \`${name}\` of its own` };
    if (seen.has(name)) return { index, problem: `there are two tools \`${name}\`` };
    seen.add(name);
  }
  return null;
}

/** @throws EspalierError `option-invalid` */
function checkClientTools(
  program: OfPredictors & { readonly name: string },
  { tools }: ClientTools,
): void {
  const invalid = (expected: string, got: string, fix?: string): EspalierError =>
    new EspalierError({
      code: "option-invalid",
      problem: "`clientTools` do not fit the program",
      where: `program "${program.name}"`,
      expected,
      got,
      ...(fix !== undefined && { fix }),
    });
  if (takersOfClientTools(program).length === 0) {
    throw invalid(
      "an agent that takes them",
      "none",
      "Declare one with `agent({ ..., clientTools: true })`, or leave `clientTools` out",
    );
  }
  const found = clientToolsProblem(program, tools);
  if (found !== null) throw invalid("tools that fit", `tool ${found.index + 1}: ${found.problem}`);
}
