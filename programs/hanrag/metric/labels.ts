import type { Passage } from "espalier";
import type { QuestionRoute } from "../../../signatures/index.ts";

/** What the metric may know about a question; more labels allow more precise feedback. */
export interface HanragLabels {
  /**
   * Accepted answers; the best one counts. For a compound question, each joins its parts by ` && `.
   */
  readonly answers: readonly string[];
  /** Passages that the answer needs, by id, with a grade above 0. */
  readonly relevant?: Readonly<Record<string, number>>;
  readonly route?: QuestionRoute;
  /** What has to be found out, in order. */
  readonly decomposition?: readonly {
    readonly question: string;
    readonly answer: string;
    readonly passageId?: string;
  }[];
}

export interface HanragOutput {
  readonly answer: string;
  readonly route: QuestionRoute;
  readonly steps: number;
}

/** Text of a needed passage, for the feedback; `undefined` if it is not available. */
export type PassageOf = (id: string) => Passage | undefined;
