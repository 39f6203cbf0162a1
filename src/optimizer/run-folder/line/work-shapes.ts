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
import { demonstratedStep, usage } from "./event-shapes.ts";
import type { WorkLine } from "./work-line.ts";

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
export const rolloutShape: Shape = objectOf({
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
  fruitless: objectOf({ step: count, failure, usage, worst: finite }),
  proposed: objectOf({ step: count, value: anything }),
  told: objectOf({ question: count, answer: anything }),
  stopped: objectOf({ asked: count, reason: orNull(text) }),
  "cut-short": objectOf({ step: count, detail: text }),
  elapsed: objectOf({ ms: finite }),
  restart: plainObject,
} satisfies Record<WorkLine["kind"], Shape>);
