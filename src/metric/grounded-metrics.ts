import type { Metric, Passage } from "../contract/index.ts";
import { blameOn } from "./score/blame.ts";
import { extractivenessOf } from "./formula/extractiveness.ts";
import { lexicalAgreementOf } from "./formula/lexical-agreement.ts";
import { metric } from "./score/metric.ts";
import { failureBeside, noReference, referenceIn } from "./score/reference-in.ts";
import { rougeLOf } from "./formula/rouge-l.ts";
import { notApplicable, scored } from "./score/scores.ts";
import { tokenOverlapOf } from "./formula/squad.ts";

/** The field names of a response and its reference. */
export interface ReferenceSides<TAnswer extends string, TReference extends string> {
  /** Output field that holds the response. */
  readonly answer: TAnswer;
  /** Label that holds the reference; if it is empty or absent, the metric does not apply. */
  readonly reference: TReference;
  /** Names of the predictors that write the response, for blame. @default none */
  readonly answering?: readonly string[];
}

/** The field names of a response, its reference and its passages. */
export interface GroundedSides<
  TAnswer extends string,
  TPassages extends string,
  TReference extends string,
> extends ReferenceSides<TAnswer, TReference> {
  /** Output field with the passages. */
  readonly passages: TPassages;
}

type ReferenceMetric<TAnswer extends string, TReference extends string> = Metric<
  unknown,
  { readonly [K in TAnswer]: string },
  { readonly [K in TReference]?: string }
>;

/** Metric `rouge_l`: longest common subsequence with the reference. See `rougeLOf`. */
export function rougeL<const TAnswer extends string, const TReference extends string>(
  sides: ReferenceSides<TAnswer, TReference>,
): ReferenceMetric<TAnswer, TReference> {
  return referenceMetric("rouge_l", sides, ({ response, reference }) => ({
    value: rougeLOf(response, reference),
  }));
}

/** Metric `token_recall`: the share of the reference's words that the response has. */
export function tokenRecall<const TAnswer extends string, const TReference extends string>(
  sides: ReferenceSides<TAnswer, TReference>,
): ReferenceMetric<TAnswer, TReference> {
  return referenceMetric("token_recall", sides, ({ response, reference }) => ({
    value: tokenOverlapOf(response, reference).recall,
  }));
}

/** Metric `token_precision`: the share of the response's words that the best passage has. */
export function tokenPrecision<const TAnswer extends string, const TPassages extends string>({
  answer,
  passages,
  answering,
}: {
  /** Output field that holds the response. */
  readonly answer: TAnswer;
  /** Output field with the passages; without passages, the metric does not apply. */
  readonly passages: TPassages;
  /** Names of the predictors that write the response, for blame. @default none */
  readonly answering?: readonly string[];
}): Metric<
  unknown,
  { readonly [K in TAnswer]: string } & { readonly [K in TPassages]: readonly Passage[] },
  unknown
> {
  return metric({
    name: "token_precision",
    version: "1",
    score: ({ output, trace }) => {
      const shown: readonly Passage[] = output[passages];
      if (shown.length === 0) return notApplicable("There is no passage to compare with.");
      const response: string = output[answer];
      const shares = shown.map(({ text }) => tokenOverlapOf(response, text).precision);
      const value = Math.max(...shares);
      const best = shown[shares.indexOf(value)];
      const feedback = `${percent(value)} of the answer's words stand in passage ${best?.id}, the closest of ${shown.length}.`;
      return scored(value, feedback, blameOn(trace, answering, { score: value, text: feedback }));
    },
  });
}

/** Metric `extractiveness`: the share of the answer's 4-grams copied from spans. */
export function extractiveness<const TAnswer extends string, const TSpans extends string>({
  answer,
  spans,
  n = 4,
  answering,
}: {
  /** Output field that holds the answer. */
  readonly answer: TAnswer;
  /**
   * Output field with the spans on which the answer should be based; without spans, the metric does
   * not apply.
   */
  readonly spans: TSpans;
  /** Words per n-gram. @default 4 */
  readonly n?: number;
  /** Names of the predictors that write the answer, for blame. @default none */
  readonly answering?: readonly string[];
}): Metric<
  unknown,
  { readonly [K in TAnswer]: string } & { readonly [K in TSpans]: readonly string[] },
  unknown
> {
  return metric({
    name: n === 4 ? "extractiveness" : `extractiveness_${n}`,
    version: "1",
    score: ({ output, trace }) => {
      const given: readonly string[] = output[spans];
      if (given.length === 0) return notApplicable("The answer was built on no span.");
      const value = extractivenessOf({ answer: output[answer], spans: given, n });
      const feedback = `${percent(value)} of the answer's runs of ${n} words are copied from its ${given.length} spans.`;
      return scored(value, feedback, blameOn(trace, answering, { score: value, text: feedback }));
    },
  });
}

/**
 * Metric `lexical_agreement`: the proxy for RB_agg without a model. See `lexicalAgreementOf`.
 */
export function lexicalAgreement<
  const TAnswer extends string,
  const TPassages extends string,
  const TReference extends string,
>({
  passages,
  ...sides
}: GroundedSides<TAnswer, TPassages, TReference>): Metric<
  unknown,
  { readonly [K in TAnswer]: string } & { readonly [K in TPassages]: readonly Passage[] },
  { readonly [K in TReference]?: string }
> {
  return referenceMetric("lexical_agreement", sides, (given, output) => {
    const shown: readonly Passage[] = output[passages];
    const value = lexicalAgreementOf({ ...given, passages: shown.map(({ text }) => text) });
    return {
      value,
      about: `, from ${shown.length} passages. Lexical agreement ${value.toFixed(3)}`,
    };
  });
}

function referenceMetric<
  TAnswer extends string,
  TReference extends string,
  TOutput extends { readonly [K in TAnswer]: string },
>(
  name: string,
  { answer, reference, answering }: ReferenceSides<TAnswer, TReference>,
  compared: (
    texts: { readonly response: string; readonly reference: string },
    output: TOutput,
  ) => { readonly value: number; readonly about?: string },
): Metric<unknown, TOutput, { readonly [K in TReference]?: string }> {
  return metric({
    name,
    version: "1",
    appliesTo: ({ labels }) => referenceIn(labels, reference) !== undefined,
    score: ({ example, output, trace }) => {
      const wanted = referenceIn(example.labels, reference);
      if (wanted === undefined) return notApplicable(noReference);
      const response: string = output[answer];
      const { value, about = "" } = compared({ response, reference: wanted }, output);
      const feedback = `The answer was "${response}"; expected "${wanted}"${about}.`;
      return scored(value, feedback, blameOn(trace, answering, { score: value, text: feedback }));
    },
    formatFailure: failureBeside(reference),
  });
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
