import type { LanguageModel, Metric, Passage, Turn } from "../contract/index.ts";
import {
  blameOn,
  failureBeside,
  metric,
  noReference,
  notApplicable,
  referenceIn,
  scored,
} from "../metric/index.ts";
import { faithfulnessJudge } from "./faithfulness-judge.ts";
import type { JudgeRun } from "./judge.ts";
import { judgeLm } from "./judge.ts";
import { ratingJudge } from "./rating-judge.ts";

interface JudgedSides<TQuestion extends string, TAnswer extends string, TPassages extends string> {
  /** Input field that holds the question. */
  readonly question: TQuestion;
  /** Output field that holds the response. */
  readonly answer: TAnswer;
  /** Output field with the passages on which the response is based. */
  readonly passages: TPassages;
  /** The judge's LM. @default the run's */
  readonly lm?: LanguageModel;
  /** Names of the predictors that write the response, for blame. @default none */
  readonly answering?: readonly string[];
}

type JudgedOutput<TAnswer extends string, TPassages extends string> = {
  readonly [K in TAnswer]: string;
} & { readonly [K in TPassages]: readonly Passage[] };

/**
 * Metric `rl_f`: the share of a response's statements that its passages support; see
 * `faithfulnessJudge`. Does not apply to a response without statements.
 */
export function faithfulness<
  const TQuestion extends string,
  const TAnswer extends string,
  const TPassages extends string,
>({
  question,
  answer,
  passages,
  lm,
  answering,
  judge = faithfulnessJudge(),
}: JudgedSides<TQuestion, TAnswer, TPassages> & {
  readonly judge?: ReturnType<typeof faithfulnessJudge>;
}): Metric<{ readonly [K in TQuestion]: string }, JudgedOutput<TAnswer, TPassages>, unknown> {
  const name = "rl_f";
  return metric({
    name,
    version: "1",
    score: async ({ example, output, trace, signal, lm: ofRun }) => {
      const given = {
        question: example.input[question],
        response: output[answer] as string,
        passages: output[passages] as readonly Passage[],
      };
      const run = runOf(judgeLm(lm, ofRun, name), example.id, signal);
      const { value, statements } = await judge(given, run);
      if (value === null) return notApplicable("The response makes no statement.");
      const unsupported = statements.filter(({ isSupported }) => !isSupported);
      const text = [
        `${statements.length - unsupported.length} of ${statements.length} statements are supported by the passages.`,
        ...unsupported.map(({ statement, reason }) => `Not supported: ${statement} (${reason})`),
      ].join("\n");
      return scored(value, text, blameOn(trace, answering, { score: value, text }));
    },
  });
}

/** Metric `rb_llm`: a judge's rating against a reference, divided by 10; see `ratingJudge`. */
export function responseRating<
  const TQuestion extends string,
  const TAnswer extends string,
  const TPassages extends string,
  const TReference extends string,
  const THistory extends string = never,
>({
  question,
  history,
  answer,
  passages,
  reference,
  lm,
  answering,
  judge = ratingJudge(),
}: JudgedSides<TQuestion, TAnswer, TPassages> & {
  /** Input field with the turns before the question. @default none */
  readonly history?: THistory;
  /** Label that holds the reference; if it is empty or absent, the metric does not apply. */
  readonly reference: TReference;
  readonly judge?: ReturnType<typeof ratingJudge>;
}): Metric<
  { readonly [K in TQuestion]: string } & { readonly [K in THistory]?: readonly Turn[] },
  JudgedOutput<TAnswer, TPassages>,
  { readonly [K in TReference]?: string }
> {
  const name = "rb_llm";
  return metric({
    name,
    version: "1",
    appliesTo: ({ labels }) => referenceIn(labels, reference) !== undefined,
    score: async ({ example, output, trace, signal, lm: ofRun }) => {
      const wanted = referenceIn(example.labels, reference);
      if (wanted === undefined) return notApplicable(noReference);
      const given = {
        question: example.input[question] as string,
        history: history === undefined ? [] : (example.input[history] ?? []),
        response: output[answer] as string,
        reference: wanted,
        passages: output[passages] as readonly Passage[],
      };
      const run = runOf(judgeLm(lm, ofRun, name), example.id, signal);
      const { value, explanation } = await judge(given, run);
      const text = `A judge wrote: ${explanation}`;
      return scored(value, text, blameOn(trace, answering, { score: value, text }));
    },
    formatFailure: failureBeside(reference),
  });
}

function runOf(lm: LanguageModel, exampleId: string, signal: AbortSignal | undefined): JudgeRun {
  return { lm, exampleId, ...(signal === undefined ? {} : { signal }) };
}
