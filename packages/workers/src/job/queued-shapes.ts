import type { Trace, TraceNode } from "../../../../src/contract/index.ts";
import { errorCodes } from "../../../../src/errors/index.ts";
import type { Shape } from "../../../../src/internal/index.ts";
import {
  amount,
  anything,
  count,
  either,
  finite,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  plainObject,
  recordOf,
  text,
  unionBy,
} from "../../../../src/internal/index.ts";
import { identityShape, replyShape, roleShape } from "../../../../src/lm/files.ts";
import type { Allowance } from "../../../../src/runner/index.ts";
import type { Checkout } from "./checkout.ts";
import type { QueuedCall, QueuedResult, QueuedRun } from "./queued-run.ts";

// Whoever reaches Redis can write there, and so can a worker of another make.

type Members<T> = Record<keyof T, Shape | ReturnType<typeof optional>>;

export const checkoutShape: Shape = objectOf({
  version: text,
  program: plainObject,
  prompts: text,
  metric: plainObject,
  modules: recordOf(text),
  lms: recordOf(identityShape),
} satisfies Members<Checkout>);

const code = oneOf(...Object.keys(errorCodes));
const failure = objectOf({
  kind: oneOf(...new Set(Object.values(errorCodes).map(([kind]) => kind))),
  code,
  message: text,
});

const callRecord = objectOf({
  messages: listOf(plainObject),
  rawText: orNull(text),
  usage: orNull(plainObject),
  latencyMs: amount,
  retries: count,
  failure: optional(failure),
});
const nodes: Shape = (value) => listOf(node)(value);
const place = { path: text, startMs: finite, failure: optional(failure) };
const node: Shape = unionBy("kind", {
  predictor: objectOf({
    ...place,
    predictor: text,
    inputs: plainObject,
    outputs: optional(plainObject),
    calls: listOf(callRecord),
    tools: optional(listOf(objectOf({ tool: text, input: plainObject }))),
    latencyMs: amount,
  }),
  retrieval: objectOf({
    ...place,
    retriever: text,
    query: text,
    results: listOf(objectOf({ id: text, score: finite })),
    calls: optional(listOf(callRecord)),
    latencyMs: amount,
  }),
  scope: objectOf({ ...place, children: nodes }),
} satisfies Record<TraceNode["kind"], Shape>);
const trace = objectOf({
  program: text,
  version: text,
  input: plainObject,
  output: optional(plainObject),
  failure: optional(failure),
  notes: plainObject,
  children: nodes,
  startedAtMs: amount,
  latencyMs: amount,
} satisfies Members<Trace>);

const answered = objectOf({
  attempt: unionBy("state", {
    completed: objectOf({ output: anything, trace }),
    failed: objectOf({ failure, trace }),
  }),
  latencyMs: amount,
});

/** What a job's id does not already vouch for is not trusted either. */
export const queuedRunShape: Shape = objectOf({
  candidate: listOf(plainObject),
  program: text,
  example: text,
  exampleId: text,
  seed: finite,
  repetition: count,
  role: roleShape,
  gold: optional(recordOf(plainObject)),
  temperature: optional(finite),
  attempts: count,
  answered: optional(answered),
  allowance: optional(recordOf(amount)),
  prices: optional(recordOf(recordOf(amount))),
} satisfies Members<QueuedRun>);

const made = { faults: optional(listOf(code)) };
const call = objectOf({
  asked: unionBy("kind", {
    main: plainObject,
    judge: plainObject,
    named: objectOf({ name: text }),
    tool: objectOf({ identity: identityShape }),
  }),
  request: objectOf({
    messages: listOf(objectOf({ role: text, content: either(listOf(plainObject), text) })),
    sampling: plainObject,
    seed: finite,
  }),
  options: objectOf({
    role: optional(roleShape),
    repetition: optional(count),
    callPath: optional(text),
    exampleId: optional(text),
  }),
  made: either(objectOf({ ...made, failure }), objectOf({ ...made, reply: replyShape })),
} satisfies Members<QueuedCall>);

const run = objectOf({
  score: unionBy("kind", {
    scored: objectOf({
      value: finite,
      feedback: optional(text),
      blame: optional(listOf(objectOf({ path: text, score: optional(finite), text }))),
      objectives: optional(recordOf(finite)),
      verdicts: optional(recordOf(text)),
    }),
    "not-applicable": objectOf({ reason: text }),
    unscored: objectOf({ failure }),
  }),
  failure: optional(failure),
  trace,
  latencyMs: amount,
  attempts: count,
});
const judging = listOf(
  objectOf({ promptTokens: orNull(amount), completionTokens: orNull(amount) }),
);
const caps = {
  lmCalls: true,
  toolCalls: true,
  tokens: true,
  costUsd: true,
} as const satisfies Record<keyof Allowance, true>;

export const queuedResultShape: Shape = objectOf({
  outcome: unionBy("state", {
    finished: objectOf({ run, judging }),
    faulted: objectOf({ failure, run, judging, answered: optional(answered) }),
    stopped: objectOf({
      failure,
      error: either(
        objectOf({ code, report: objectOf({ problem: text }), stack: optional(text) }),
        objectOf({ name: text, message: text, stack: optional(text) }),
      ),
    }),
  }),
  calls: listOf(call),
  lacking: optional(oneOf(...Object.keys(caps))),
} satisfies Members<QueuedResult>);
