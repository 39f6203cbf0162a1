/**
 * The kinds of question that HANRAG's router tells apart (arXiv 2509.09713), cheapest way first.
 */
export const questionRoutes = ["straightforward", "single-step", "compound", "complex"] as const;

/**
 * How a question is best answered: from what a model knows, by one retrieval, by several that do
 * not depend on each other, or by a chain in which a later question needs an earlier answer.
 */
export type QuestionRoute = (typeof questionRoutes)[number];

export interface RoutedQuestionInput {
  readonly question: string;
}

export interface SubQuestion {
  readonly question: string;
  readonly answer: string;
  /** The passage in which the answer stands. */
  readonly passageId: string;
}

export interface RoutedQuestionLabels {
  /**
   * The answer as a short span, then other spellings of it. Of a compound question each is the
   * parts in the order asked, joined by ` && `.
   */
  readonly answers: readonly string[];
  /** Grade 1 for each passage that a sub-question needs; empty where none is needed or known. */
  readonly relevant: Readonly<Record<string, number>>;
  readonly route: QuestionRoute;
  /** As the set names it: `bridge`, `comparison`, `attributes`, `arithmetic`... */
  readonly questionType: string;
  /** In the order in which they are to be asked; the question itself if it needs one step. */
  readonly decomposition: readonly SubQuestion[];
}
