import type { LanguageModel } from "espalier";
import {
  apiKeyFile,
  chatJobs,
  chatServer,
  openFeedback,
  programJobs,
  runBatch,
} from "espalier/serve";
import { declared } from "../serve/served.ts";
import type { Limit } from "./describe-limits.ts";
import { describeLimits } from "./describe-limits.ts";

const lm: LanguageModel = {
  identity: { provider: "p", model: "m" },
  doGenerate: () => Promise.reject(new Error("not to be asked")),
};
const [model] = declared.models;
const batch = { signal: AbortSignal.abort(), onLine: () => undefined };
const serving = [
  "concurrency",
  "queue",
  "deadlineMs",
  "maxBytes",
  "maxInput",
  "requestTimeoutMs",
  "drainMs",
];
const rollouts = ["canary", "shadow", "alpha", "tolerance", "keyShare"];
const feedback = ["keepDays", "keepRows", "maxWaitingRows", "maxWaitingBytes"];
/** Not reached by a call that refuses. */
const [registry, state] = [{} as never, {} as never];
/** Opened only by a call that should have refused. */
const memory = ":memory:";

const limits: readonly Limit[] = [
  ...serving.map((option): Limit => [
    "chatServer",
    option,
    (value) => chatServer({ serving: declared, lm, [option]: value }),
  ]),
  ...rollouts.map((option): Limit => [
    "chatServer",
    option,
    (value) => chatServer({ registry, state, serving: declared, lm, rollout: { [option]: value } }),
  ]),
  ...feedback.map((option): Limit => [
    "openFeedback",
    option,
    (value) => openFeedback({ path: memory, isMade: true, [option]: value }),
  ]),
  ["apiKeyFile", "intervalMs", (value) => apiKeyFile("no-such-file", { intervalMs: value })],
  ["runBatch", "concurrency", (value) => runBatch([], { ...batch, concurrency: value })],
  ["chatJobs", "maxInput", (value) => chatJobs([], { model, lm, maxInput: value } as never)],
  ["programJobs", "maxInput", (value) => programJobs([], { model, lm, maxInput: value } as never)],
];

describeLimits(limits, {
  mayBeZero: new Set(["queue", "drainMs", "canary", "shadow", "tolerance"]),
  mayBeFractions: /^(deadlineMs|drainMs|intervalMs)$/,
  areTimers: /^(deadlineMs|drainMs|intervalMs)$/,
});
