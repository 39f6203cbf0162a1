/**
 * Shows runs, evaluations and a server's answers where teams look: in MLflow, over its REST routes,
 * and at any OTLP endpoint. It decides nothing. `mlflow()` and `otlp()` are listeners of what goes
 * on; `sendRun()` sends what has ended. Both say the same of the same run, and each thing has a
 * name of its own, so that either may stop at any time and the other complete it. JavaScript has no
 * MLflow client that covers runs, artifacts and prompts, hence this one on `fetch`.
 */
export { mlflowCredentials } from "./environment/mlflow-credentials.ts";
export type { MlflowCredentials } from "./environment/mlflow-credentials.ts";
export { otlpHeaders } from "./environment/otlp-headers.ts";
export type {
  EvaluationListener,
  SearchListener,
  SearchListenerOptions,
  Tracker,
} from "./live/listener.ts";
export type { QueueLimits } from "./live/send-queue.ts";
export type { MlflowOptions, OtlpOptions, TrackerOptions } from "./live/trackers.ts";
export { mlflow, otlp } from "./live/trackers.ts";
export { alignPrompts } from "./mlflow/align-prompts.ts";
export { readTrainset, sendTrainset } from "./mlflow/evaluation-datasets.ts";
export type { SentRun } from "./mlflow/send-run.ts";
export { sendRun } from "./mlflow/send-run.ts";
export { withPrompts } from "./mlflow/with-prompts.ts";
export type {
  TrackingRequest,
  TrackingServer,
  TrackingServerOptions,
} from "./server/tracking-server.ts";
export { trackingServer } from "./server/tracking-server.ts";
export type { EvaluationAbout, EvaluationRunOptions } from "./tracked/evaluation-run.ts";
export { evaluationRun } from "./tracked/evaluation-run.ts";
export { recordedSearch } from "./tracked/recorded-search.ts";
export { trackingLock } from "./tracked/run-key.ts";
export type { TrackedArtifact, TrackedRun } from "./tracked/tracked-run.ts";
