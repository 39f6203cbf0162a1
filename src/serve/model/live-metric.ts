import type { Turn } from "../../contract/index.ts";
import type { ChatOutcome } from "./chat-outcome.ts";

/** Scores an answer in [0, 1], as far as that is possible at once and at no cost. */
export type LiveMetric = (answered: LiveAnswer) => number;

export interface LiveAnswer {
  readonly question: string;
  readonly history: readonly Turn[];
  /** The outcome of a run that did not fail. */
  readonly outcome: ChatOutcome;
}
