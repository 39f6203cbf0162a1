import { z } from "zod";
import type { Demonstration, Sampling } from "../../contract/index.ts";
import { defaultSampling } from "../../contract/index.ts";
import { deepFreeze, wellFormed } from "../../internal/index.ts";
import type { Signature } from "../../signature/index.ts";
import { longestReply, objectOf } from "../../signature/index.ts";
import type { AgentSettings, PredictorSettings, ProbabilitySources } from "../driver/driver.ts";
import { EspalierError } from "../../errors/index.ts";
import { labelsOf } from "../decision/label-probabilities.ts";

/** The settings of a predictor as given. */
export interface SettingsOptions {
  /**
   * Merged over `defaultSampling`: greedy, at most 4,096 tokens; fewer if no thinking takes some,
   * and the longest outputs take fewer.
   */
  readonly sampling?: Partial<Sampling>;
  readonly thinking?: boolean;
  /** @default 1 */
  readonly corrections?: 0 | 1;
  /**
   * Keeps chat-template tokens, such as `<|im_end|>`, in inputs and demonstrations. A server may
   * then read them as tokens. @default false: a space breaks each
   */
  readonly keepsChatTokens?: boolean;
  /**
   * Boolean and enum outputs whose labels' probabilities the trace records; weights of a program
   * (`labelWeight()`) decide by them. @default none
   */
  readonly probabilities?: ProbabilitySources;
  /** Set by `agent()`. */
  readonly agent?: AgentSettings;
}

/**
 * A predictor's settings with their defaults. Those that are not set are left out, so that the
 * settings of earlier artifacts stay equal.
 *
 * @throws EspalierError `parameter-invalid`, `option-invalid`
 */
export function checkedSettings(
  {
    corrections = 1,
    thinking,
    sampling = {},
    keepsChatTokens,
    probabilities,
    agent,
  }: SettingsOptions,
  signature: Signature,
): PredictorSettings {
  const maxCompletionTokens =
    thinking === false && agent === undefined
      ? Math.min(defaultSampling.maxCompletionTokens, longestReply(signature.fields.output))
      : defaultSampling.maxCompletionTokens;
  return Object.freeze({
    sampling: checkedSampling(
      sampling,
      { ...defaultSampling, maxCompletionTokens },
      signature.name,
    ),
    corrections,
    ...(thinking === undefined ? {} : { thinking }),
    ...(keepsChatTokens === true ? { keepsChatTokens: true } : {}),
    ...(agent && { agent: deepFreeze(structuredClone(agent)) }),
    ...(probabilities && { probabilities: checkedProbabilities(probabilities, signature) }),
  });
}

/**
 * The fields of a predictor whose probabilities are asked for, copied and frozen.
 *
 * @throws EspalierError `option-invalid` for a field that is no boolean or enum output, and for a
 *   confidence of an unknown label or in an output that is no number
 */
function checkedProbabilities(
  sources: ProbabilitySources,
  { name: signature, fields: { output } }: Signature,
): ProbabilitySources {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "option-invalid",
      problem: "Option `probabilities` of a predictor does not fit its outputs",
      where: `signature "${signature}"`,
      expected,
      got,
    });
  for (const [name, { verbalized = {} }] of Object.entries(sources)) {
    const field = output.find((held) => held.name === name);
    const labels = field === undefined || field.isOptional ? null : labelsOf(field);
    if (labels === null) throw invalid("the name of a boolean or enum output", `"${name}"`);
    for (const [label, stated] of Object.entries(verbalized)) {
      if (!labels.has(label))
        throw invalid(`one of ${[...labels.keys()].join(", ")}`, `"${label}"`);
      const isNumber = output.some((held) => held.name === stated && held.shape.kind === "number");
      if (!isNumber) throw invalid("the name of a number output", `"${stated}"`);
    }
  }
  return deepFreeze(structuredClone(sources));
}

const ranges = z.strictObject({
  temperature: z.number().min(0).max(2),
  topP: z.number().gt(0).max(1),
  topK: z.int().min(0),
  minP: z.number().min(0).max(1),
  presencePenalty: z.number().min(-2).max(2),
  frequencyPenalty: z.number().min(-2).max(2),
  repetitionPenalty: z.number().gt(0),
  maxCompletionTokens: z.int().min(1),
  stop: z.array(z.string()),
});

/**
 * A predictor's complete sampling: the given parameters, and defaults for the others.
 *
 * @throws EspalierError `parameter-invalid` for an unknown parameter or a value out of range
 */
function checkedSampling(
  given: Partial<Sampling>,
  defaults: Sampling,
  signature: string,
): Sampling {
  const present = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const parsed = ranges.safeParse({ ...defaults, ...present });
  if (parsed.success) return Object.freeze(parsed.data);
  const [issue] = parsed.error.issues;
  throw new EspalierError({
    code: "parameter-invalid",
    problem: `The predictor's sampling is invalid: ${issue?.path.join(".")} ${issue?.message ?? ""}`,
    where: `signature "${signature}"`,
    expected: `some of ${Object.keys(defaultSampling).join(", ")}`,
  });
}

/**
 * Checks demonstrations against a predictor's fields, copies and freezes them. A demonstration may
 * omit fields, but needs at least one input and one output.
 *
 * @throws EspalierError `component-invalid`, which names the demonstration by its example
 */
export function checkedDemos(
  demos: readonly Demonstration[],
  { name, input, output }: Signature,
): readonly Demonstration[] {
  if (demos.length === 0) return demos;
  const inputs = objectOf(input, "strict").partial();
  const outputs = objectOf(output, "strict").partial();
  return deepFreeze(
    demos.map((demo) => {
      const problem =
        problemOf(inputs, demo.inputs, "input") ?? problemOf(outputs, demo.outputs, "output");
      if (problem === undefined) return wellFormed(structuredClone(demo));
      throw new EspalierError({
        code: "component-invalid",
        problem: `A demonstration does not fit signature "${name}": ${problem}`,
        where: `the demonstration of example "${demo.exampleId}"`,
        fix: "Show some of the signature's own fields, with values that they allow",
      });
    }),
  );
}

function problemOf(
  schema: z.ZodType,
  values: unknown,
  side: "input" | "output",
): string | undefined {
  const parsed = schema.safeParse(values);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined) return `${side} ${issue.path.join(".")}: ${issue.message}`;
  return Object.keys(values as object).length === 0 ? `it shows no ${side}` : undefined;
}
