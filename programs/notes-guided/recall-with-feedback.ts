import type { Blame, Metric, Passage, RankedPassage, ScopeTrace, Trace } from "espalier";
import { metric, ndcgAt, notApplicable, recallAt, scored } from "espalier/metric";
import { cutText } from "../support/cut-text.ts";

/** What the metric must know about an example. */
export interface RecallLabels {
  readonly relevant: Readonly<Record<string, number>>;
  readonly collection?: string;
  readonly answerability?: string;
  readonly questionType?: string;
  readonly answer?: string;
}

/**
 * Recall of the relevant passages among the first `k`, with the feedback that NLP-CEIA-UFG gave its
 * optimizer (SemEval-2026 Task 8, appendix B): the example, what was found, and each missing
 * passage with title and text. `ndcg_cut_5` is an additional objective.
 */
export function recallWithFeedback({
  k = 10,
  alsoAt = [],
  withoutReferences = "not-applicable",
  passageOf,
}: {
  readonly k?: number;
  /**
   * Further cutoffs of recall, each an additional objective `recall_N`. The program must return as
   * many passages. @default none
   */
  readonly alsoAt?: readonly number[];
  /**
   * The score of an example without relevant passages: none, or 1, as the authors counted it.
   * @default "not-applicable"
   */
  readonly withoutReferences?: "not-applicable" | "one";
  /** Text of a relevant passage, for the feedback. */
  readonly passageOf: (id: string) => Passage | undefined;
}): Metric<
  { readonly question: string },
  { readonly passages: readonly RankedPassage[] },
  RecallLabels
> {
  const recall = recallAt(k);
  const ndcg = ndcgAt(5);
  const goldIn = ({ relevant }: RecallLabels): readonly string[] =>
    Object.keys(relevant).filter((id) => (relevant[id] ?? 0) > 0);
  const noGold = notApplicable("No passage answers the question.");
  const appliesTo = ({ labels }: { readonly labels: RecallLabels }): boolean =>
    withoutReferences === "one" || goldIn(labels).length > 0;
  return metric({
    name: `recall_${k}`,
    // Figures obtained under the two rules are not comparable.
    version: withoutReferences === "one" ? "1-one-without-references" : "2",
    appliesTo,
    score: ({ example, output, trace }) => {
      const { relevant } = example.labels;
      const gold = goldIn(example.labels);
      if (gold.length === 0) {
        return withoutReferences === "one"
          ? scored(1, "No passage answers the question, so that none could be missed.")
          : noGold;
      }
      const value = recall(output.passages, relevant);
      const found = new Set(output.passages.slice(0, k).map(({ id }) => id));
      const missing = gold.filter((id) => !found.has(id));
      const feedback = [
        ...aboutExample(example.labels),
        `Question: ${example.input.question}`,
        `Recall: ${value.toFixed(3)}, ${gold.length - missing.length} of ${gold.length} relevant passages found.`,
        "Retrieved passages:",
        ...output.passages.map(({ id, title }, index) => `${index + 1}. ${title ?? id}`),
        ...(missing.length === 0 ? [] : ["Missing gold passages:"]),
        ...missing.map((id, index) => `[${index + 1}] ${shown(passageOf(id), id)}`),
      ].join("\n");
      const objectives = {
        ndcg_cut_5: ndcg(output.passages, relevant),
        ...Object.fromEntries(
          alsoAt.map((n) => [`recall_${n}`, recallAt(n)(output.passages, relevant)]),
        ),
      };
      return scored(value, feedback, blameByHop(trace, gold), objectives);
    },
    formatFailure: ({ message }, example) => (appliesTo(example) ? scored(0, message) : noGold),
  });
}

function aboutExample({ collection, answerability, questionType, answer }: RecallLabels): string[] {
  return [
    ...(collection === undefined ? [] : [`Collection: ${collection}`]),
    ...(answerability === undefined ? [] : [`Answerability: ${answerability}`]),
    ...(questionType === undefined ? [] : [`Question type: ${questionType}`]),
    ...(answer === undefined ? [] : [`Expected answer: ${cutText(answer, 2000)}`]),
  ];
}

function shown(passage: Passage | undefined, id: string): string {
  if (passage === undefined) return `${id} (its text is not at hand)`;
  return `${passage.title ?? id}\n${cutText(passage.text, 3000)}`;
}

/** Blames each round for what its own queries found. */
function blameByHop({ children }: Trace, gold: readonly string[]): Blame[] {
  return children
    .filter((node): node is ScopeTrace => node.kind === "scope")
    .map(({ path, children: calls }) => {
      const ids = new Set(
        calls.flatMap((node) =>
          node.kind === "retrieval" ? node.results.map(({ id }) => id) : [],
        ),
      );
      const hits = gold.filter((id) => ids.has(id)).length;
      return {
        path: `${path}/generateQueries`,
        score: hits / gold.length,
        text: `The queries of this round found ${hits} of ${gold.length} relevant passages.`,
      };
    });
}
