import type { TrackingServerOptions } from "../server/tracking-server.ts";
import { trackingServer } from "../server/tracking-server.ts";
import type { Tracker } from "./listener.ts";
import { mlflowAnswers } from "./mlflow-answers.ts";
import { mlflowEvaluation } from "./mlflow-evaluation.ts";
import { mlflowSearch } from "./mlflow-search.ts";
import { otlpTracker } from "./otlp-tracker.ts";
import type { QueueLimits } from "./send-queue.ts";

export interface TrackerOptions extends Pick<
  TrackingServerOptions,
  "url" | "headers" | "secrets" | "timeoutMs"
> {
  /**
   * Whether texts of the data are sent: inputs, outputs, messages, feedback, comments of users.
   *
   * @default false
   */
  readonly hasContents?: boolean;
  /** Of answers, and of traces that go to an OTLP endpoint. */
  readonly queue?: QueueLimits;
}

export interface MlflowOptions extends TrackerOptions {
  /** Name of the experiment, which is made if it does not exist. @default "espalier" */
  readonly experiment?: string;
}

/**
 * Shows runs in MLflow while they go on, and a server's answers. Nothing waits for it: what an
 * MLflow that is down or slow did not take stays in the run's folder, and `espalier mlflow RUN`
 * sends it.
 *
 * @example
 * const listener = mlflow({ url: "http://127.0.0.1:5000" }).search({ runFolder });
 * await optimize(study, { lm, runFolder, onEvent: listener.onEvent, onRun: listener.onRun });
 * listener.finish();
 * const { isComplete } = await listener.end();
 *
 * @throws EspalierError `option-invalid`
 */
export function mlflow({
  experiment = "espalier",
  hasContents = false,
  queue,
  ...options
}: MlflowOptions): Tracker {
  const server = trackingServer({ ...options, ...once });
  return {
    search: ({ runFolder } = {}) => mlflowSearch(server, { experiment, hasContents, runFolder }),
    evaluation: (about) => mlflowEvaluation(server, { ...about, experiment, hasContents }),
    answers: (asked) => mlflowAnswers(server, { ...asked, experiment, hasContents, queue }),
  };
}

export interface OtlpOptions extends TrackerOptions {
  /** After the URL. @default "/v1/traces" */
  readonly path?: string;
}

/**
 * Sends a trace of each run of a program to an endpoint of OpenTelemetry, as OTLP over HTTP with
 * JSON; attributes follow its conventions for generative AI. What it cannot send is lost, and
 * counted.
 *
 * @throws EspalierError `option-invalid`
 */
export function otlp({
  path = "/v1/traces",
  hasContents = false,
  queue,
  ...options
}: OtlpOptions): Tracker {
  const server = trackingServer({ ...options, ...once });
  return otlpTracker(server, { path, hasContents, ...(queue && { queue }) });
}

/** The sender in the background repeats what failed. */
const once = { attempts: 1 } as const;
