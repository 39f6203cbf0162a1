import type { Turn } from "../../contract/index.ts";
import type { ChatOutcome } from "./chat-outcome.ts";

/** How good an answer is, in [0, 1], as far as that can be seen at once and at no cost. */
export type LiveMetric = (answered: LiveAnswer) => number;

export interface LiveAnswer {
  readonly question: string;
  readonly history: readonly Turn[];
  /** Of a run that did not fail. */
  readonly outcome: ChatOutcome;
}
