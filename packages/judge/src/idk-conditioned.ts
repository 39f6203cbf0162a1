import type { Blame, Metric, MetricArguments, MetricRow, Trace } from "../../../src/index.ts";
import type { BlamedPredictors } from "../../../src/metric/index.ts";
import {
  blameOn,
  metric,
  harmonicMeanOf,
  notApplicable,
  scored,
} from "../../../src/metric/index.ts";
import { mean } from "../../../src/statistics/index.ts";
import type { Answerability, ClarificationVerdict, IdkVerdict } from "./conditioning.ts";
import { conditioned } from "./conditioning.ts";
import type { Evidence } from "./generation-sides.ts";

/** A generation metric's value for one response, before conditioning. */
export interface RawObjective {
  /**
   * In [0, 1]; `null` where it does not apply, like faithfulness for a response without statements.
   */
  readonly value: number | null;
  /**
   * Explains the value, in words a reflection LM can use; part of the feedback only where the value
   * counts.
   */
  readonly text?: string;
}

/** Everything known about one response. */
export interface JudgedGeneration<TObjective extends string> {
  readonly objectives: Readonly<Record<TObjective, RawObjective>>;
  readonly answerability: Answerability | undefined;
  readonly idk: IdkVerdict;
  readonly clarification: ClarificationVerdict;
  /**
   * A good response, shown in the feedback if the response wrongly declined or wrongly answered.
   * @default none
   */
  readonly reference?: string;
  /** Whether it had a relevant passage. @default unknown, and not part of the feedback */
  readonly evidence?: Evidence;
}

interface IdkConditionedOptions<TInput, TOutput, TLabels, TObjective extends string> {
  readonly name: string;
  /** Change it whenever `judge` changes. */
  readonly version: string;
  /** The objectives whose dataset means are combined, in feedback order. */
  readonly objectives: readonly TObjective[];
  readonly judge: (
    args: MetricArguments<TInput, TOutput, TLabels>,
  ) => JudgedGeneration<TObjective> | Promise<JudgedGeneration<TObjective>>;
  /** @default no predictor is blamed */
  readonly blame?: BlamedPredictors;
}

/**
 * Metric whose objective is the official figure of MTRAG's generation tasks: each objective is
 * conditioned on whether the response rightly declined (see `conditioned`) and averaged over the
 * data set; the figure is the harmonic mean of these means, never of one response's values. 0 if
 * any mean is 0. Responses to which an objective does not apply are excluded from its mean.
 *
 * A run with unparseable output counts 0 in each objective.
 *
 * The verdict `idk` of a row says how far the response declined: "0", "0.5", "1" or "unknown".
 *
 * The value of a row is the mean of its conditioned objectives, for comparing runs of one example;
 * the metric's objective is not the mean of these values.
 */
export function idkConditionedHarmonicMean<TInput, TOutput, TLabels, TObjective extends string>({
  name,
  version,
  objectives: names,
  judge,
  blame = {},
}: IdkConditionedOptions<TInput, TOutput, TLabels, TObjective>): Metric<TInput, TOutput, TLabels> {
  return metric({
    name,
    version,
    score: async (args) => {
      const judged = await judge(args);
      const values = names.flatMap((objective) => {
        const raw = judged.objectives[objective].value;
        const value = conditioned({ ...judged, raw });
        return value === null ? [] : [[objective, value] as const];
      });
      if (values.length === 0) return notApplicable("No objective applies to this response.");
      const value = values.reduce((sum, [, one]) => sum + one, 0) / values.length;
      const verdict = verdictOn(judged);
      const wanted =
        verdict.isRight || judged.reference === undefined
          ? []
          : [`A good response: "${judged.reference}"`];
      const texts = names.flatMap((objective) => {
        const { text } = judged.objectives[objective];
        return verdict.counts && text !== undefined ? [text] : [];
      });
      const skipped = names.filter((objective) =>
        values.every(([reported]) => reported !== objective),
      );
      const score = scored(
        value,
        [
          ...(verdict.text === null ? [] : [verdict.text]),
          ...wanted,
          ...texts,
          ...values.map(([objective, one]) => `${objective}: ${one.toFixed(3)}`),
          ...skipped.map((objective) => `${objective}: does not apply`),
        ].join("\n"),
        blameFor(args.trace, {
          blame,
          verdict,
          evidence: judged.evidence,
          texts: [...wanted, ...texts],
          value,
        }),
        Object.fromEntries(values),
      );
      return Object.freeze({ ...score, verdicts: Object.freeze({ idk: String(judged.idk) }) });
    },
    // Without objectives the row would be excluded from every mean, so failing would raise the
    // means.
    formatFailure: ({ message }) =>
      scored(0, message, undefined, Object.fromEntries(names.map((objective) => [objective, 0]))),
    aggregate: (rows) => harmonicMeanOfMeans(rows, names),
  });
}

/** 0 if any mean is 0. Ignores objectives that no row reports, which may happen in a resample. */
function harmonicMeanOfMeans(
  rows: readonly Pick<MetricRow, "objectives">[],
  names: readonly string[],
): number {
  const means = names.flatMap((name) => {
    const values = rows.flatMap(({ objectives }) => objectives?.[name] ?? []);
    return values.length === 0 ? [] : [mean(values)];
  });
  return harmonicMeanOf(means);
}

interface AbstentionVerdict {
  /** Whether the raw values count. */
  readonly counts: boolean;
  /** Whether answering or declining was right. */
  readonly isRight: boolean;
  /** `null` if it answered and there was something to answer. */
  readonly text: string | null;
}

function verdictOn({
  answerability,
  idk,
  clarification,
  evidence,
}: JudgedGeneration<string>): AbstentionVerdict {
  if (answerability === "UNDERSPECIFIED") {
    return clarification === 1
      ? { counts: false, isRight: true, text: "It rightly asked what was meant." }
      : {
          counts: false,
          isRight: false,
          text: "It should have asked back: the question leaves open what is meant, and any answer guesses.",
        };
  }
  if (answerability === "UNANSWERABLE" || answerability === "CONVERSATIONAL") {
    const why =
      answerability === "UNANSWERABLE"
        ? "the passages hold no answer"
        : "there is no question that passages could answer";
    if (idk === 1) return { counts: false, isRight: true, text: `It rightly declined: ${why}.` };
    if (idk === "unknown") return { counts: true, isRight: true, text: null };
    return {
      counts: false,
      isRight: false,
      text:
        idk === 0
          ? `It should have declined: ${why}, yet it answered.`
          : `It should have declined wholly: ${why}, yet it answered in part.`,
    };
  }
  if (idk !== 1) return { counts: true, isRight: true, text: null };
  if (evidence === "missed") {
    return {
      counts: false,
      isRight: true,
      text: "It declined for want of evidence: the question has an answer, and no passage that holds it was found.",
    };
  }
  const held = answerability === "PARTIAL" ? "a part of the answer" : "the answer";
  return {
    counts: false,
    isRight: false,
    text: `It declined wrongly: the passages hold ${held}, which it should have given.`,
  };
}

/**
 * Retrieving predictors are blamed for evidence, abstaining ones for declining, answering ones for
 * the text.
 */
function blameFor(
  trace: Trace,
  {
    blame: { retrieving, abstaining, answering },
    verdict,
    evidence,
    texts,
    value,
  }: {
    readonly blame: BlamedPredictors;
    readonly verdict: AbstentionVerdict;
    readonly evidence: Evidence | undefined;
    readonly texts: readonly string[];
    readonly value: number;
  },
): readonly Blame[] | undefined {
  const score = verdict.isRight ? 1 : 0;
  const decided =
    verdict.text ?? "It answered, and there was something to answer, which is as it should be.";
  const wrote = [...(verdict.text === null ? [] : [verdict.text]), ...texts].join("\n");
  const isFound = evidence === "there";
  const found = isFound ? "A relevant passage was found." : "No relevant passage was found.";
  const blames = [
    ...(evidence === undefined
      ? []
      : blameOn(trace, retrieving, { score: isFound ? 1 : 0, text: found })),
    ...blameOn(trace, abstaining, { score, text: decided }),
    ...blameOn(trace, answering, { score: value, text: wrote === "" ? decided : wrote }),
  ];
  return blames.length === 0 ? undefined : blames;
}
