/**
 * The kinds of question that HANRAG's router distinguishes (arXiv 2509.09713), cheapest route
 * first.
 */
export const questionRoutes = ["straightforward", "single-step", "compound", "complex"] as const;

/**
 * How best to answer a question: from the model's knowledge, by one retrieval, by several
 * independent retrievals, or by a chain in which a later question needs an earlier answer.
 */
export type QuestionRoute = (typeof questionRoutes)[number];

export interface RoutedQuestionInput {
  readonly question: string;
}

export interface SubQuestion {
  readonly question: string;
  readonly answer: string;
  /** The passage that contains the answer. */
  readonly passageId: string;
}

export interface RoutedQuestionLabels {
  /**
   * The answer as a short span, then other spellings of it. For a compound question, each contains
   * the parts in the order asked, joined by ` && `.
   */
  readonly answers: readonly string[];
  /** Grade 1 for each passage that a sub-question needs; empty if none is needed or known. */
  readonly relevant: Readonly<Record<string, number>>;
  readonly route: QuestionRoute;
  /** The set's own name for it: `bridge`, `comparison`, `attributes`, `arithmetic`... */
  readonly questionType: string;
  /** In the order to ask them; the question itself if it needs only one step. */
  readonly decomposition: readonly SubQuestion[];
}
