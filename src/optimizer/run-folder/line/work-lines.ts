import type { Failure, Json, LmReply, LmRole } from "../../../contract/index.ts";
import type { Shape } from "../../../internal/index.ts";
import {
  anything,
  count,
  either,
  finite,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  plainObject,
  recordOf,
  text,
  unionBy,
} from "../../../internal/index.ts";
import { replyShape, roleShape } from "../../../lm/files.ts";
import type { Usage, WorstTokens } from "../../budget/index.ts";
import { noUsage } from "../../budget/index.ts";
import type { Rollout } from "../../evaluation/rollout.ts";
import { demonstratedStep, usage } from "./event-lines.ts";

/** What was done, in the order in which it was done. Awaited results are written before use. */
export type WorkLine =
  | WorkHead
  | ({ readonly kind: "sent"; readonly key: string } & Sent)
  /** A further request for a call; what the one before may have cost, in US dollars. */
  | { readonly kind: "sent-again"; readonly key: string; readonly lostUsd?: number }
  | { readonly kind: "reply"; readonly key: string; readonly reply: LmReply }
  /** A call that the run needs again after a restart, and whose reply it has. */
  | { readonly kind: "reused"; readonly key: string }
  | { readonly kind: "failed"; readonly key: string; readonly failure: Failure }
  | { readonly kind: "rollout"; readonly step: number; readonly rollout: Rollout }
  | PlainScore
  | ({ readonly kind: "failed-reflection"; readonly step: number } & FailedReflection)
  | { readonly kind: "proposed"; readonly step: number; readonly value: Json }
  | { readonly kind: "observed"; readonly question: number; readonly answer: Json }
  /** Where the run was asked to end through its folder; `reason: null` takes that back. */
  | { readonly kind: "stopped"; readonly asked: number; readonly reason: string | null }
  | { readonly kind: "cut-short"; readonly step: number; readonly detail: string }
  | { readonly kind: "elapsed"; readonly ms: number }
  | { readonly kind: "restart" };

/** First line of a run, at the top of its log or after a `restart`: identifies the run. */
export interface WorkHead {
  readonly kind: "run";
  /** Hash of the run's description. */
  readonly hash: string;
}

export interface Sent {
  readonly role: LmRole;
  /** The maximum cost of the call, in US dollars; absent without prices, or if it is 0. */
  readonly worstUsd?: number;
}

/** A rollout that used no LM and of which only the score is kept. */
interface PlainScore {
  readonly kind: "score";
  readonly step: number;
  readonly exampleId: string;
  readonly value: number;
  readonly ran: readonly string[];
}

/** The end of a call of the reflection LM without a result. */
export interface FailedReflection {
  readonly failure: Failure;
  readonly usage: Usage;
  readonly worst: WorstTokens;
}

/** The short form of a rollout; `undefined` if the rollout holds more. */
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

const failure = objectOf({
  kind: oneOf("infrastructure", "format", "program", "budget", "aborted"),
  code: text,
  message: text,
});

const step = objectOf({
  path: text,
  predictor: text,
  inputs: plainObject,
  outputs: orNull(plainObject),
  rawText: orNull(text),
  tools: optional(listOf(objectOf({ tool: text, input: plainObject, result: text }))),
  trajectory: optional(listOf(demonstratedStep)),
  failure: optional(failure),
});

const decision = objectOf({
  predictor: text,
  field: text,
  written: either(flag, text),
  decided: either(flag, text),
  source: orNull(text),
  probabilities: orNull(recordOf(finite)),
});

/** The required shape of a recorded rollout. */
const rolloutShape: Shape = objectOf({
  exampleId: text,
  score: unionBy("kind", {
    scored: objectOf({ value: finite, objectives: optional(recordOf(finite)) }),
    "not-applicable": plainObject,
    unscored: objectOf({ failure }),
  }),
  ran: listOf(text),
  usage,
  usageByRole: optional(recordOf(usage)),
  latencyMs: optional(finite),
  worst: finite,
  decisions: optional(listOf(decision)),
  runs: optional(count),
  invalid: optional(text),
  lesson: optional(
    objectOf({
      feedback: optional(text),
      blame: optional(listOf(objectOf({ path: text, score: optional(finite), text }))),
      failure: optional(failure),
      steps: listOf(step),
      output: optional(text),
      score: optional(finite),
    }),
  ),
});

/** The required shape of a line of `work.jsonl` or `report.jsonl`. */
export const workShape: Shape = unionBy("kind", {
  run: objectOf({ hash: text }),
  sent: objectOf({ key: text, role: roleShape, worstUsd: optional(finite) }),
  "sent-again": objectOf({ key: text, lostUsd: optional(finite) }),
  reply: objectOf({ key: text, reply: replyShape }),
  reused: objectOf({ key: text }),
  failed: objectOf({ key: text, failure }),
  rollout: objectOf({ step: count, rollout: rolloutShape }),
  score: objectOf({ step: count, exampleId: text, value: finite, ran: listOf(text) }),
  "failed-reflection": objectOf({ step: count, failure, usage, worst: finite }),
  proposed: objectOf({ step: count, value: anything }),
  observed: objectOf({ question: count, answer: anything }),
  stopped: objectOf({ asked: count, reason: orNull(text) }),
  "cut-short": objectOf({ step: count, detail: text }),
  elapsed: objectOf({ ms: finite }),
  restart: plainObject,
} satisfies Record<WorkLine["kind"], Shape>);
