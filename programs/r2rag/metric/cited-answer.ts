import type { Blame, Metric, Passage, RankedPassage } from "espalier";
import { oneLine } from "espalier";
import { metric, notApplicable, scored, tokenF1Of } from "espalier/metric";
import { documentText } from "espalier/retrieval";
import { wordCount } from "../words.ts";
import { blameByStep } from "./blame-by-step.ts";
import { citationScores, withoutCitations } from "./citation-scores.ts";

/** What the metric must know about an example. */
export interface CitedAnswerLabels {
  /** Accepted answers; the best one counts. */
  readonly answers: readonly string[];
  /** Grade above 0 for each document that the answer rests on. */
  readonly relevant: Readonly<Record<string, number>>;
  /** The kind of question, by which the router is judged. */
  readonly route?: string;
}

/**
 * The quality of an answer with citations: token F1 of the answer without its numbers, and F1 of
 * the cited documents against the relevant ones, weighted by `answerShare`; only the answer counts
 * if no document is relevant. `answer_f1`, `citation_precision` and `citation_recall` are
 * additional objectives, and each step is blamed for its own part.
 */
export function citedAnswer({
  answerShare = 0.5,
  passageOf = () => undefined,
  complexRoutes = ["compound", "complex"],
}: {
  /** Weight of the answer, in [0, 1]. @default 0.5 */
  readonly answerShare?: number;
  /** Text of a relevant document, for the feedback. */
  readonly passageOf?: (id: string) => Passage | undefined;
  /** Values of `route` that call for more than one search. @default "compound", "complex" */
  readonly complexRoutes?: readonly string[];
} = {}): Metric<
  { readonly question: string },
  { readonly answer: string; readonly citations: readonly RankedPassage[] },
  CitedAnswerLabels
> {
  const named = (id: string): string => {
    const passage = passageOf(id);
    return passage === undefined ? id : oneLine(documentText(passage, 600));
  };
  return metric({
    name: "cited_answer",
    version: "1",
    appliesTo: ({ labels }) => labels.answers.length > 0,
    score: ({ example, output, trace }) => {
      const { answers, relevant: grades, route } = example.labels;
      if (answers.length === 0) return notApplicable("No answer was given to compare with.");
      const relevant = Object.keys(grades).filter((id) => (grades[id] ?? 0) > 0);
      const { answer, citations } = output;
      const answerF1 = tokenF1Of(withoutCitations(answer), answers);
      const { cited, unknown, precision, recall, f1 } = citationScores(answer, citations, relevant);
      const share = relevant.length === 0 ? 1 : answerShare;
      const value = share * answerF1 + (1 - share) * f1;

      const context = new Set(citations.map(({ id }) => id));
      const uncited = relevant.filter((id) => context.has(id) && !cited.includes(id));
      const absent = relevant.filter((id) => !context.has(id));
      const wrong = cited.filter((id) => !relevant.includes(id));
      const ofAnswer = [
        `Expected answer: ${answers.join(" | ")}`,
        `Answer: ${answer}`,
        `Answer F1: ${answerF1.toFixed(3)}`,
        ...lengthRemark(answer, answers),
        `Citations: ${cited.length} documents, ${cited.length - wrong.length} of them relevant, of ${relevant.length} that are.`,
        ...(uncited.length === 0
          ? []
          : [`Relevant, at hand, and without a citation: ${uncited.map(named).join("; ")}`]),
        ...(wrong.length === 0 ? [] : [`Cited without need: ${wrong.map(named).join("; ")}`]),
        ...(unknown.length === 0 ? [] : [`Numbers of no document: ${unknown.join(", ")}`]),
      ].join("\n");
      const isComplex = route === undefined ? undefined : complexRoutes.includes(route);
      const blame: readonly Blame[] = [
        ...blameByStep(trace, { relevant, context, isComplex, named }),
        { path: "writeCitedAnswer", score: value, text: ofAnswer },
      ];
      const feedback = [
        `Question: ${example.input.question}`,
        ofAnswer,
        ...(absent.length === 0
          ? []
          : ["Missing relevant documents:", ...absent.map((id) => `- ${named(id)}`)]),
      ].join("\n");
      return scored(value, feedback, blame, {
        answer_f1: answerF1,
        citation_precision: precision,
        citation_recall: recall,
      });
    },
  });
}

/** F1 penalises every superfluous word, which a number alone does not show. */
function lengthRemark(answer: string, answers: readonly string[]): readonly string[] {
  const written = wordCount(withoutCitations(answer));
  const wanted = Math.max(...answers.map(wordCount));
  return written > 3 * wanted
    ? [`The answer is too long: ${written} words, where ${wanted} were expected.`]
    : [];
}
