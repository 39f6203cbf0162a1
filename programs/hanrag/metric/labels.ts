import type { Passage } from "espalier";
import type { QuestionRoute } from "../../../signatures/index.ts";

/** What the metric may know of a question; the more, the better it tells what went wrong. */
export interface HanragLabels {
  /**
   * Accepted answers; the best one counts. Of a compound question each joins its parts by ` && `.
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

/** Text of a needed passage, for the feedback; `undefined` where it is not at hand. */
export type PassageOf = (id: string) => Passage | undefined;
