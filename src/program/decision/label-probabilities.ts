import type { JsonObject, LabelDecision, LanguageModel, LmReply } from "../../contract/index.ts";
import { sharesOf } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Field } from "../../signature/index.ts";
import { jsonText } from "../driver/read-reply.ts";
import type { ProbabilitySources } from "../driver/driver.ts";
import type { LabelWeights } from "./decided-label.ts";
import { decidedLabel } from "./decided-label.ts";
import { tokenProbabilities } from "./token-probabilities.ts";

const refusals = new Set(["lm-unsupported", "lm-request-refused"]);

/** vLLM's default cap, and OpenAI's. */
const topLogprobs = 20;

/** An LM that is asked for log-probabilities, and the last reply that it gave. */
export interface AskedForLogprobs {
  readonly lm: LanguageModel;
  readonly sources: ProbabilitySources;
  lastReply(): LmReply | undefined;
}

/** Asks each call for log-probabilities, and without them if the LM has none. */
export function askingForLogprobs(
  lm: LanguageModel,
  sources: ProbabilitySources,
): AskedForLogprobs {
  const isAsked = Object.values(sources).some(({ logprobs = true }) => logprobs);
  let last: LmReply | undefined;
  return {
    sources,
    lastReply: () => last,
    lm: {
      identity: lm.identity,
      doGenerate: async (request, options) => {
        try {
          last = await lm.doGenerate(isAsked ? { ...request, topLogprobs } : request, options);
        } catch (error) {
          if (!isAsked || !LmError.isInstance(error) || !refusals.has(error.code)) throw error;
          last = await lm.doGenerate(request, options);
        }
        return last;
      },
    },
  };
}

/** The labels of a boolean or enum, with the JSON that a model writes for each. */
export function labelsOf({ shape }: Field): ReadonlyMap<string, string> | null {
  if (shape.kind === "boolean") return new Map(["true", "false"].map((label) => [label, label]));
  if (shape.kind !== "label") return null;
  return new Map(shape.options.map((label) => [label, JSON.stringify(label)]));
}

/** Reads the probabilities of each field from a call's outputs and reply, and decides. */
export function decisionsOf(
  {
    outputs,
    reply,
    fields,
  }: {
    readonly outputs: JsonObject;
    readonly reply: LmReply | undefined;
    readonly fields: readonly Field[];
  },
  sources: ProbabilitySources,
  weights: Readonly<Record<string, LabelWeights>> = {},
): Readonly<Record<string, LabelDecision>> {
  const { content = null, logprobs } = reply ?? {};
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { name } = field;
      const source = getOwn(sources, name);
      const labels = labelsOf(field);
      if (source === undefined || labels === null) return [];
      const written = outputs[name] as string | boolean;
      const counted =
        source.logprobs === false || logprobs === undefined || content === null
          ? null
          : tokenProbabilities(logprobs, { json: jsonText(content), field: name, written: labels });
      const probabilities =
        counted ??
        (source.verbalized === undefined
          ? null
          : statedProbabilities(outputs, [...labels.keys()], source.verbalized));
      const of = { written, probabilities };
      const decision: LabelDecision = {
        written,
        decided: decidedLabel(of, getOwn(weights, name) ?? {}),
        source: probabilities === null ? null : counted === null ? "verbalized" : "logprobs",
        probabilities,
      };
      return [[name, decision]];
    }),
  );
}

/** The outputs with the labels that count. */
export function withDecided(
  outputs: JsonObject,
  decisions: Readonly<Record<string, LabelDecision>>,
): JsonObject {
  const decided = Object.entries(decisions).map(([field, held]) => [field, held.decided]);
  return { ...outputs, ...Object.fromEntries(decided) };
}

/**
 * The probability of each label from outputs in which the model stated its confidence, as shares of
 * their sum. Labels without such an output divide evenly what the others leave of 1.
 *
 * @param statedIn output field by label
 * @returns `null` if a confidence is missing or all are 0
 */
function statedProbabilities(
  outputs: JsonObject,
  labels: readonly string[],
  statedIn: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> | null {
  const stated = labels.map((label) => {
    const field = getOwn(statedIn, label);
    if (field === undefined) return null;
    const value = getOwn(outputs, field);
    return typeof value === "number" ? Math.max(0, value) : Number.NaN;
  });
  const sum = stated.reduce<number>((total, value) => total + (value ?? 0), 0);
  const others = stated.filter((value) => value === null).length;
  const each = Math.max(0, 1 - sum) / others;
  return sharesOf(Object.fromEntries(labels.map((label, at) => [label, stated[at] ?? each])));
}
