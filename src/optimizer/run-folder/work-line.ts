import type { Failure, Json, LmReply, LmRole } from "../../contract/index.ts";
import type { Usage, WorstTokens } from "../budget/index.ts";
import { noUsage } from "../budget/index.ts";
import type { Rollout } from "../evaluation/rollout.ts";

/** What was done, in the order it was done. What was waited for is written before it is used. */
export type WorkLine =
  | WorkHead
  | ({ readonly kind: "sent"; readonly key: string } & Sent)
  | ({ readonly kind: "reply"; readonly key: string; readonly reply: LmReply } & Retried)
  | ({ readonly kind: "failed"; readonly key: string; readonly failure: Failure } & Retried)
  | { readonly kind: "rollout"; readonly step: number; readonly rollout: Rollout }
  | PlainScore
  | ({ readonly kind: "fruitless"; readonly step: number } & Fruitless)
  | { readonly kind: "proposed"; readonly step: number; readonly value: Json }
  | { readonly kind: "told"; readonly question: number; readonly answer: Json }
  | { readonly kind: "last-standing"; readonly step: number }
  | { readonly kind: "elapsed"; readonly ms: number };

/** First line of a run's log: whose work it is. */
export interface WorkHead {
  readonly kind: "run";
  /** Of the run's description. */
  readonly hash: string;
}

export interface Sent {
  readonly role: LmRole;
  /**
   * What the call costs at most, in US dollars; absent without prices, and where that is nothing.
   */
  readonly worstUsd?: number;
}

/** How often the call was asked again because of a fault; absent where it was not. */
export interface Retried {
  readonly retries?: number;
}

/** A rollout that used no LM, and of which nothing is kept but its score. */
export interface PlainScore {
  readonly kind: "score";
  readonly step: number;
  readonly exampleId: string;
  readonly value: number;
  readonly ran: readonly string[];
}

/** How a call of the reflection LM ended that brought nothing. */
export interface Fruitless {
  readonly failure: Failure;
  readonly usage: Usage;
  readonly worst: WorstTokens;
}

/** The short form of a rollout; `undefined` where it says more. */
export function plainScore(step: number, rollout: Rollout): PlainScore | undefined {
  const { exampleId, score, ran, usage, worst, lesson, latencyMs } = rollout;
  const isPlain =
    score.kind === "scored" &&
    score.objectives === undefined &&
    usage === noUsage &&
    worst === 0 &&
    lesson === undefined &&
    latencyMs === undefined;
  return isPlain ? { kind: "score", step, exampleId, value: score.value, ran } : undefined;
}

export function rolloutOf({ exampleId, value, ran }: PlainScore): Rollout {
  return { exampleId, score: { kind: "scored", value }, ran, usage: noUsage, worst: 0 };
}
