import { z } from "zod";
import type {
  LanguageModel,
  Metric,
  MetricArguments,
  Turn,
  TunableProgram,
} from "../../../src/index.ts";
import { predict, program, signature, text } from "../../../src/index.ts";
import { allOrAbort } from "../../../src/internal/index.ts";
import { named } from "../../../src/lm/index.ts";
import type { BlamedPredictors } from "../../../src/metric/index.ts";
import { rougeLOf, tokenOverlapOf } from "../../../src/metric/index.ts";
import type { ClarificationVerdict } from "./conditioning.ts";
import { conditioned } from "./conditioning.ts";
import { judgeFaithfulness } from "./faithfulness-judge.ts";
import type {
  Generation,
  GenerationLabels,
  GenerationOutput,
  GenerationSides,
} from "./generation-sides.ts";
import { generationOf } from "./generation-sides.ts";
import type { JudgedGeneration, RawObjective } from "./idk-conditioned.ts";
import { idkConditionedHarmonicMean } from "./idk-conditioned.ts";
import { judgeDeclining } from "./idk-judge.ts";
import type { JudgeRun, Judge } from "./judge.ts";
import { judgeLm, runJudge } from "./judge.ts";
import { judgeRating } from "./rating-judge.ts";
import { lexicalAgreementOf, rbAggOf } from "./rb-agg.ts";
import type { AgreementService } from "./sentence-matching.ts";

interface GenerationQualityOptions<
  TQuestion extends string,
  THistory extends string,
  TAnswer extends string,
  TPassages extends string,
  TReference extends string,
  TAnswerability extends string,
  TRelevant extends string = never,
> extends GenerationSides<TAnswer, TPassages, TReference, TAnswerability, TRelevant> {
  /** Input field that holds the question. */
  readonly question: TQuestion;
  /** Input field with the turns before it. @default none */
  readonly history?: THistory;
  /** Compares texts for RB_agg. @default the lexical proxy, under its own name */
  readonly agreement?: AgreementService;
  /** The judges' LM. @default the run's */
  readonly lm?: LanguageModel;
  /** @default no predictor is blamed */
  readonly blame?: BlamedPredictors;
}

type GenerationInput<TQuestion extends string, THistory extends string> = {
  readonly [K in TQuestion]: string;
} & { readonly [K in THistory]?: readonly Turn[] };

/**
 * Metric `generation_quality`, with three objectives: `rb_agg` (or `lexical_agreement`, without a
 * service that compares texts), `rl_f` and `rb_llm`, conditioned on whether the response rightly
 * declined or asked back. The objective is the harmonic mean of their means over the data set:
 * MTRAG's figure, with our own judge prompts. See `idkConditionedHarmonicMean`.
 *
 * Skips judgements that cannot count: a response that declined, or should have, is not rated. The
 * judges' LM is `lm`, else the run's, and its costs count under the role `judge`.
 *
 * @example
 * generationQuality({
 *   question: "question",
 *   history: "history",
 *   answer: "answer",
 *   passages: "passages",
 *   reference: "answer",
 *   answerability: "answerability",
 *   blame: { abstaining: ["classifyAnswerability"], answering: ["writeCompleteAnswer"] },
 * })
 */
export function generationQuality<
  const TQuestion extends string,
  const TAnswer extends string,
  const TPassages extends string,
  const TReference extends string,
  const TAnswerability extends string,
  const THistory extends string = never,
  const TRelevant extends string = never,
>({
  question,
  history,
  agreement,
  lm,
  blame = {},
  ...sides
}: GenerationQualityOptions<
  TQuestion,
  THistory,
  TAnswer,
  TPassages,
  TReference,
  TAnswerability,
  TRelevant
>): Metric<
  GenerationInput<TQuestion, THistory>,
  GenerationOutput<TAnswer, TPassages>,
  GenerationLabels<TReference, TAnswerability, NoInfer<TRelevant>>
> {
  const name = "generation_quality";
  const compared = agreement === undefined ? "lexical_agreement" : "rb_agg";
  type Arguments = MetricArguments<
    GenerationInput<TQuestion, THistory>,
    GenerationOutput<TAnswer, TPassages>,
    GenerationLabels<TReference, TAnswerability, TRelevant>
  >;
  return idkConditionedHarmonicMean({
    name,
    version: agreement === undefined ? "1" : `1-${agreement.name}-${agreement.version}`,
    objectives: [compared, "rl_f", "rb_llm"],
    blame,
    judge: async (args: Arguments) => {
      const { example, signal } = args;
      const generation = generationOf(sides, args);
      const asking: string = example.input[question];
      const turns: readonly Turn[] = history === undefined ? [] : (example.input[history] ?? []);
      const run: JudgeRun = {
        lm: judgeLm(lm, args.lm, name),
        exampleId: example.id,
        ...(signal === undefined ? {} : { signal }),
      };
      const { response, answerability } = generation;
      const isOpen = answerability === "UNDERSPECIFIED";
      const verdict = {
        answerability,
        ...(generation.reference !== undefined && { reference: generation.reference }),
        ...(generation.evidence && { evidence: generation.evidence }),
        idk: isOpen
          ? ("unknown" as const)
          : await judgeDeclining({ question: asking, history: turns, response }, run),
        clarification: isOpen ? await judgeClarification({ response }, run) : (0 as const),
      };
      // If the verdict alone decides, the raw values are not needed.
      const isDecided = conditioned({ ...verdict, raw: null }) !== null;
      return {
        ...verdict,
        objectives: isDecided
          ? notAsked
          : await rawObjectives({ generation, asking, turns, agreement, run }),
      };
    },
  });
}

type Objectives = JudgedGeneration<
  "rb_agg" | "lexical_agreement" | "rl_f" | "rb_llm"
>["objectives"];

const none: RawObjective = Object.freeze({ value: null });
const notAsked: Objectives = Object.freeze({
  rb_agg: none,
  lexical_agreement: none,
  rl_f: none,
  rb_llm: none,
});

async function rawObjectives({
  generation: { response, reference, passages },
  asking: question,
  turns: history,
  agreement,
  run,
}: {
  readonly generation: Generation;
  readonly asking: string;
  readonly turns: readonly Turn[];
  readonly agreement: AgreementService | undefined;
  readonly run: JudgeRun;
}): Promise<Objectives> {
  const work: readonly ((run: JudgeRun) => Promise<Partial<Objectives>>)[] = [
    async ({ signal }) => {
      if (reference === undefined) return {};
      const texts = passages.map(({ text }) => text);
      const given = { response, reference, passages: texts };
      const text = `The answer was "${response}"; a good one is "${reference}".`;
      if (agreement === undefined) {
        return { lexical_agreement: { value: lexicalAgreementOf(given), text } };
      }
      const scores = await agreement.doCompare(given, signal === undefined ? {} : { signal });
      const value = rbAggOf({
        ...scores,
        tokenRecall: tokenOverlapOf(response, reference).recall,
        rougeL: rougeLOf(response, reference),
      });
      return { rb_agg: { value, text } };
    },
    async (given) => {
      const inner = { ...given, lm: named(given.lm, "faithfulness") };
      const { value, statements } = await judgeFaithfulness(
        { question, response, passages },
        inner,
      );
      const unsupported = statements.filter(({ isSupported }) => !isSupported);
      const text = [
        unsupported.length === 0
          ? `The passages support all ${statements.length} statements.`
          : `The passages do not support ${unsupported.length} of ${statements.length} statements:`,
        ...unsupported.map(({ statement, reason }) => `- ${statement} (${reason})`),
      ].join("\n");
      return { rl_f: value === null ? none : { value, text } };
    },
    async (given) => {
      if (reference === undefined) return {};
      const inner = { ...given, lm: named(given.lm, "rating") };
      const rated = { question, history, response, reference, passages };
      const { value, explanation } = await judgeRating(rated, inner);
      return { rb_llm: { value, text: `A judge wrote: ${explanation}` } };
    },
  ];
  const { signal = new AbortController().signal } = run;
  const parts = await allOrAbort(work, signal, (one, inner) => one({ ...run, signal: inner }));
  return Object.assign({}, notAsked, ...parts) as Objectives;
}

const decision = z.enum(["yes", "no"]);

const clarification = signature({
  name: "judge-clarification",
  instruction: `Is the response, in the main, a request to the user to say what was meant or to add what is missing?
yes: it asks which of several things is meant, or bids the user name the missing detail, with a question mark or without.
no: it answers; or it says that it cannot answer, even for want of a detail, and does not ask for that detail; or its question is about something else.`,
  input: { response: text("response", "The response to judge.") },
  output: {
    explanation: text("explanation", "Why, in one sentence."),
    decision: decision.describe("Whether the response asks back."),
  },
});

/** Detects responses that ask the user back. */
const clarificationProgram: TunableProgram<
  { readonly response: string },
  { readonly decision: "yes" | "no" }
> = program({
  name: "clarification-judge",
  version: "1",
  input: { response: text("response") },
  output: { decision },
  predictors: { judgeClarification: predict(clarification) },
  forward: async (given, { predictors }) => {
    const judged = await predictors.judgeClarification(given);
    return { decision: judged.decision };
  },
});

/** Whether a response asks what the user meant; the judge chooses between two words. */
export const judgeClarification: Judge<
  { readonly response: string },
  ClarificationVerdict
> = async (given, run) => {
  const { decision } = await runJudge(clarificationProgram, given, run);
  return decision === "yes" ? 1 : 0;
};
