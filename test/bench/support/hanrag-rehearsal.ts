import type { Example, Retriever } from "espalier";
import type { Evaluation } from "espalier/evaluate";
import { evaluate } from "espalier/evaluate";
import { rehearsalLm } from "@espalier/rehearsal";
import { bm25Index, corpus } from "espalier/retrieval";
import type { HanragOptions } from "../../../programs/hanrag/index.ts";
import { answerWithFeedback, hanrag } from "../../../programs/hanrag/index.ts";
import type { QuestionRoute } from "../../../signatures/index.ts";
import { questionRoutes } from "../../../signatures/index.ts";
import type {
  RoutedQuestionInput,
  RoutedQuestionLabels,
} from "../../../trainsets/four-shelves/index.ts";
import {
  fourShelvesPassages,
  fourShelvesQuestions,
} from "../../../trainsets/four-shelves/index.ts";

type RoutedExample = Example<RoutedQuestionInput, RoutedQuestionLabels>;

export interface AnswerFigures {
  readonly questions: number;
  readonly f1: number;
  readonly accuracy: number;
  /** Mean over the questions. */
  readonly steps: number;
}

export interface VariantRow {
  readonly name: string;
  readonly all: AnswerFigures;
  /** By the correct route. */
  readonly byRoute: Readonly<Record<QuestionRoute, AnswerFigures>>;
  /** Share of questions that took the correct route. */
  readonly rightRoutes: number;
  /** Number of questions by the route taken. */
  readonly taken: Readonly<Record<QuestionRoute, number>>;
}

/** What the paper removes or fixes (tables 3 to 6), and the one choice that it leaves open. */
const variants: Readonly<Record<string, Omit<HanragOptions, "retriever">>> = {
  "as in the paper": {},
  "oracle router": { routing: "oracle" },
  "always iterative": { routing: "complex" },
  "always one step": { routing: "single-step" },
  "without relevance": { without: ["relevance"] },
  "without ending": { without: ["ending"] },
  "without refiner": { without: ["refiner"] },
  "best found, if nothing is relevant": { emptyEvidence: "best-found" },
};

/**
 * Runs every variant on all questions of the four shelves with the rehearsal LM; nothing is fitted.
 */
export async function hanragRehearsal(): Promise<readonly VariantRow[]> {
  const { splits } = await fourShelvesQuestions();
  const examples = [...splits.train, ...splits.val, ...splits.test];
  await using retriever = await bm25Index({ corpus: corpus(await fourShelvesPassages()) });
  const rows: VariantRow[] = [];
  for (const [name, options] of Object.entries(variants)) {
    rows.push(await variantRow(name, { ...options, retriever }, examples));
  }
  return rows;
}

async function variantRow(
  name: string,
  options: HanragOptions & { readonly retriever: Retriever },
  examples: readonly RoutedExample[],
): Promise<VariantRow> {
  const { rows } = await evaluate({
    program: hanrag(options),
    // Only the oracle reads the route; the other variants ignore it.
    examples: examples.map((example) => ({
      ...example,
      input: { ...example.input, route: example.labels.route },
    })),
    metric: answerWithFeedback(),
    lm: rehearsalLm(),
    resamples: 0,
  });
  const rightRouteOf = new Map(examples.map(({ id, labels }) => [id, labels.route]));
  const rightOnes = rows.filter(
    ({ exampleId, output }) => output?.route === rightRouteOf.get(exampleId),
  );
  const countOf = (route: QuestionRoute): number =>
    rows.filter(({ output }) => output?.route === route).length;
  const rowsOf = (route: QuestionRoute): Rows =>
    rows.filter(({ exampleId }) => rightRouteOf.get(exampleId) === route);
  return {
    name,
    all: figuresOf(rows),
    byRoute: perRoute((route) => figuresOf(rowsOf(route))),
    rightRoutes: rightOnes.length / rows.length,
    taken: perRoute(countOf),
  };
}

type Rows = Evaluation<{ readonly route: QuestionRoute }>["rows"];

function figuresOf(rows: Rows): AnswerFigures {
  const scores = rows.flatMap(({ score }) => (score.kind === "scored" ? [score] : []));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / scores.length;
  return {
    questions: scores.length,
    f1: mean(scores.map(({ value }) => value)),
    accuracy: mean(scores.map(({ objectives }) => objectives?.["accuracy"] ?? 0)),
    steps: 0 - mean(scores.map(({ objectives }) => objectives?.["negated_steps"] ?? 0)),
  };
}

function perRoute<TValue>(
  valueOf: (route: QuestionRoute) => TValue,
): Readonly<Record<QuestionRoute, TValue>> {
  return Object.fromEntries(questionRoutes.map((route) => [route, valueOf(route)])) as Record<
    QuestionRoute,
    TValue
  >;
}
